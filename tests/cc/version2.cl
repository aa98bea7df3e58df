// SPDX-License-Identifier: Apache-2.0
// What only version 2 of the instruction set has: 64-bit pointers to global,
// constant and generic memory, 32-bit ones to local and private memory.
// @options -cl-std=CL3.0

// @kernel sizes
// @grid 1 @local 1
// @out o u64 8
// @expect o = [8, 8, 8, 8, 8, 24, 8, 16]
struct pointers {
    local int *l;
    private int *p;
    global int *g;
};

kernel void
sizes(global ulong *o)
{
    o[0] = sizeof(size_t);
    o[1] = sizeof(global int *);
    o[2] = sizeof(local int *);
    o[3] = sizeof(private int *);
    o[4] = sizeof(intptr_t);
    o[5] = sizeof(struct pointers);
    o[6] = __builtin_offsetof(struct pointers, p);
    o[7] = __builtin_offsetof(struct pointers, g);
}

// Indices of all kinds: int and long of both signs, uint, char, constants.
// @kernel indices
// @grid 64 @local 32
// @in x i32 [i * i - 7 * i for i in range(200)]
// @out o i64 64
// @def at(x, i): return x[100 - i] + 2 * x[100 + i] + 4 * x[i % 128] + 8 * x[100 + i - 3] + 16 * x[i + 2] + 32 * x[i + 64]
// @expect o = [at(x, i) for i in range(64)]
kernel void
indices(global const int *x, global long *o)
{
    size_t id = get_global_id(0);
    int i = (int)id;
    global const int *middle = x + 100;
    long sum = middle[-i];
    sum += 2 * middle[(long)i];
    sum += 4L * x[(uchar)i & 127];
    sum += 8L * middle[i - 3];
    sum += 16L * x[(uint)i + 2];
    sum += 32L * x[id + 64];
    o[id] = sum;
}

// Pointers in memory: of local memory in private memory, of global in local.
// @kernel stored_pointers
// @grid 32 @local 32
// @in x i32 [3 * i + 1 for i in range(64)]
// @out o i32 32
// @expect o = [x[i] + 2 * x[(i + 1) % 32] + 4 * x[32 + i] for i in range(32)]
kernel void
stored_pointers(global const int *x, global int *o)
{
    local int row[32];
    global const int *local where[32];
    local int *volatile near[2];
    int i = get_local_id(0);
    row[i] = x[i];
    where[i] = x + 32 + i;
    near[0] = &row[i];
    near[1] = &row[(i + 1) % 32];
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = 0;
    for (int k = 0; k < 2; k++)
        sum += (1 + k) * *near[k];
    o[i] = sum + 4 * *where[i];
}

// A pointer is a number of 64 bits and back, over a loop and a select.
// @kernel numbers
// @grid 16 @local 16
// @in x u32 [1000 + i for i in range(32)]
// @out o u64 16
// @expect o = [x[i] + x[i + 16 if i % 3 else i] for i in range(16)]
kernel void
numbers(global const uint *x, global ulong *o)
{
    int i = get_global_id(0);
    uintptr_t at = (uintptr_t)x;
    for (int k = 0; k < i; k++)
        at += sizeof *x;
    global const uint *p = (global const uint *)at;
    global const uint *q = i % 3 ? p + 16 : p;
    o[i] = (ulong)*p + *q + (at >> 40) + ((ulong)q < at);
}

// Compares, shifts and products of 64 bits whose halves matter.
// @kernel words
// @grid 32 @local 32
// @in x i64 [(i - 16) * 0x123456789 for i in range(32)]
// @in y i64 [(1 << 31) * (i % 5 - 2) + i for i in range(32)]
// @out o u64 256
// @def mask(v): return v & 0xffffffffffffffff
// @def row(a, b, i): return [mask(a + b), mask(a - b), mask(a * b), mask(a << i), mask(a) >> i, mask(a >> i), (a < b) + 2 * (mask(a) < mask(b)) + 4 * (a == b) + 8 * (a <= b), mask(max(a, b) ^ min(a, 5))]
// @expect o = [v for i in range(32) for v in row(x[i], y[i], i + 16)]
kernel void
words(global const long *x, global const long *y, global ulong *o)
{
    int i = get_global_id(0), by = i + 16;
    long a = x[i], b = y[i];
    ulong ua = a, ub = b;
    o += 8 * i;
    o[0] = a + b;
    o[1] = a - b;
    o[2] = a * b;
    o[3] = ua << by;
    o[4] = ua >> by;
    o[5] = a >> by;
    o[6] = (a < b) + 2 * (ua < ub) + 4 * (a == b) + 8 * (a <= b);
    o[7] = max(a, b) ^ min(a, 5L);
}

// Bytes, halves and words at 64-bit addresses, in scalars and vectors.
// @kernel narrow
// @grid 32 @local 32
// @in c i8 [i * 37 % 256 - 128 for i in range(64)]
// @in s u16 [i * 4099 % 65536 for i in range(64)]
// @out o i32 32
// @out b u8 32
// @out h u16 32
// @expect o = [c[i] + s[i] + c[5] * s[7] for i in range(32)]
// @expect b = [(c[i] + 1) % 256 for i in range(32)]
// @expect h = [s[2 * i + 1] for i in range(32)]
kernel void
narrow(global const char *c, global const ushort *s, global int *o,
       global uchar *b, global ushort *h)
{
    int i = get_global_id(0);
    o[i] = c[i] + s[i] + c[5] * s[7];
    b[i] = c[i] + 1;
    h[i] = s[2 * i + 1];
}

// Atomics at 64-bit addresses, of words and of 64 bits, and on pointers.
// @kernel atomics
// @grid 64 @local 32
// @inout n u32 [5, 0, 100, 0xffffffff]
// @inout w u64 [1 << 40, 7]
// @inout d i64 [1000]
// @expect n = [5 + sum(range(64)), 63, 100 - 64, 0]
// @expect w = [(1 << 40) + sum(range(64)), 63]
// @expect d = [1000 - sum(range(64))]
kernel void
atomics(global uint *n, global ulong *w, global atomic_uintptr_t *d)
{
    uint i = get_global_id(0);
    atomic_add(&n[0], i);
    atomic_max(&n[1], i);
    atomic_dec(&n[2]);
    atomic_min(&n[3], i);
    atom_add(&w[0], (ulong)i);
    atom_max(&w[1], (ulong)i);
    ptrdiff_t difference = i;
    atomic_fetch_add_explicit(d, -difference, memory_order_relaxed,
                              memory_scope_device);
}

// A function with more 64-bit arguments than there are registers.
// @kernel many_arguments
// @grid 16 @local 16
// @in x i32 [i * 11 for i in range(16)]
// @out o i64 16
// @expect o = [(x[i] + i) * 20 + sum(range(20)) for i in range(16)]
#define TWENTY(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) \
    X(11) X(12) X(13) X(14) X(15) X(16) X(17) X(18) X(19)
#define PARAMETER(k) , global const int *p##k, size_t i##k
#define TERM(k) +p##k[i##k] + k
#define ARGUMENT(k) , x, i
__attribute__((noinline)) long
sum_all(int first TWENTY(PARAMETER))
{
    return first TWENTY(TERM);
}

kernel void
many_arguments(global const int *x, global long *o)
{
    size_t i = get_global_id(0);
    o[i] = sum_all(20 * (int)i TWENTY(ARGUMENT));
}

// Constants whose addresses are in other constants.
// @kernel tables
// @grid 8 @local 8
// @out o i32 8
// @expect o = [[10, 20, 30, 40][i % 4] + [10, 20, 30, 40][3 - i % 4] for i in range(8)]
constant int ten[4] = { 10, 20, 30, 40 };
constant int *constant table[4] = { ten, ten + 1, &ten[2], ten + 3 };

kernel void
tables(global int *o)
{
    int i = get_global_id(0);
    o[i] = *table[i % 4] + *table[3 - i % 4];
}

// 64-bit sums, differences and products of 32-bit numbers of both signs, with
// uniform ones too, and what is added to products; remainders of which 32 bits
// are taken, of a negative dividend and divisors of 32 and 64 bits.
// @kernel widening
// @grid 32 @local 32
// @in x i32 [(i * 0x9e3779b1 + 0x80000000) % 2**32 - 2**31 for i in range(32)]
// @in y u32 [i * 0xc2b2ae35 % 2**32 if i else 2**32 - 1 for i in range(32)]
// @i32 n -2147483648
// @u32 m 4294967295
// @out o u64 416
// @def mask(v): return v & 0xffffffffffffffff
// @def widened(a, b, n, m): return [mask(a + n), mask(b + m), mask(a - n), mask(b - m), mask(a * n), mask(b * m), mask(a * b), mask(a * m), mask(n * b), mask(a * a + b * b), mask((a << 20) + n - m), mask(a) % (b + 1) % 2**32, mask(a) // m % 2**32]
// @expect o = [v for i in range(32) for v in widened(x[i], y[i], n, m)]
kernel void
widening(global const int *x, global const uint *y, int n, uint m,
         global ulong *o)
{
    int i = get_global_id(0), a = x[i];
    uint b = y[i];
    o += 13 * i;
    o[0] = (long)a + n;
    o[1] = (ulong)b + m;
    o[2] = (long)a - n;
    o[3] = (ulong)b - m;
    o[4] = (long)a * n;
    o[5] = (ulong)b * m;
    o[6] = (long)a * (long)b;
    o[7] = (long)a * (long)m;
    o[8] = (long)n * (long)b;
    o[9] = (ulong)((long)a * a) + (ulong)b * b;
    o[10] = ((ulong)(long)a << 20) + (long)n - (ulong)m;
    o[11] = (uint)((ulong)(long)a % ((ulong)b + 1));
    o[12] = (uint)((ulong)(long)a / m);
}

// Absolute values and negatives of all kinds of sources, in float and double, uniform
// ones too; of NaN the sign only.
// @kernel signs
// @grid 32 @local 32
// @in x f32 [(i - 16) * 0.75 for i in range(34)]
// @in d f64 [(i - 11) * 1.5 for i in range(34)]
// @f32 a -2.5
// @out o f32 192
// @out q f64 160
// @def single(x, y, z, a): return [abs(x) + min(-y, z), abs(y) * a - z, max(abs(x - y), -z), float(abs(x) < y) + 2 * (-y <= z), abs(z) / (abs(a) + 1), math.sqrt(abs(x))]
// @def double(x, y, z): return [abs(x) * -y, max(abs(x), z) - abs(x), -(abs(z)) + y, float(abs(x) > y) + 2 * (-x == x), abs(abs(x) - abs(y))]
// @expect o = [v for i in range(32) for v in single(x[i], x[i + 1], x[i + 2], a)]
// @expect q = [v for i in range(32) for v in double(d[i], d[i + 1], d[i + 2])]
// @tolerance 1e-6
kernel void
signs(global const float *x, global const double *d, float a, global float *o,
      global double *q)
{
    int i = get_global_id(0);
    float u = x[i], v = x[i + 1], w = x[i + 2];
    double r = d[i], s = d[i + 1], t = d[i + 2];
    o += 6 * i;
    q += 5 * i;
    o[0] = fabs(u) + fmin(-v, w);
    o[1] = fabs(v) * a - w;
    o[2] = fmax(fabs(u - v), -w);
    o[3] = (fabs(u) < v) + 2 * (-v <= w);
    o[4] = fabs(w) / (fabs(a) + 1);
    o[5] = sqrt(fabs(u));
    q[0] = fabs(r) * -s;
    q[1] = fmax(fabs(r), t) - fabs(r);
    q[2] = -fabs(t) + s;
    q[3] = (fabs(r) > s) + 2 * (-r == r);
    q[4] = fabs(fabs(r) - fabs(s));
}

// Low words of what the FPU computes in 64 bits: of integers beyond 32 bits, and of
// the bits of a double; uniform ones, too.
// @kernel low_words
// @grid 32 @local 32
// @in d f64 [(i - 15) * 1234567890.75 for i in range(32)]
// @f64 e -7777777777.5
// @out o u32 256
// @def bits(x): import struct; return struct.unpack('<Q', struct.pack('<d', x))[0]
// @def words(x, e): return [int(x), int(abs(x)), bits(x * e), bits(max(x, e)), bits(math.sqrt(abs(x))), bits(x / e), int(e), bits(e * e)]
// @expect o = [v % 2**32 for x in d for v in words(x, e)]
kernel void
low_words(global const double *d, double e, global int *o)
{
    int i = get_global_id(0);
    o += 8 * i;
    o[0] = (int)(long)d[i];
    o[1] = (int)(ulong)fabs(d[i]);
    o[2] = (int)as_long(d[i] * e);
    o[3] = (int)as_long(fmax(d[i], e));
    o[4] = (int)as_long(sqrt(fabs(d[i])));
    o[5] = (int)as_long(d[i] / e);
    o[6] = (int)(long)e;
    o[7] = (int)as_long(e * e);
}

// Nontemporal accesses, whose cache hints change no value: words, several words in one
// access, bytes, the same word for all, more than one kind of pointer.
// @kernel nontemporal
// @grid 32 @local 32
// @in a f32 [i / 4 for i in range(256)]
// @in c i32 [i * 77 % 256 for i in range(64)]
// @out o f32 256
// @expect o = [x for i in range(32) for x in (a[i] + a[9], a[8 * i] + 1, a[8 * i + 1] + 1, a[8 * i + 2] + 1, a[8 * i + 3] + 1, float(c[i] % 128), a[i ^ 1] if c[0] < 1 else 0, 5)]
kernel void
nontemporal(global const float *a, global const int *c, global float *o)
{
    size_t i = get_global_id(0);
    global const float4 *v = (global const float4 *)a;
    float own[2] = { i, i };
    const float *p = c[0] < 1 ? (const float *)&a[i ^ 1] : (const float *)own;
    float4 x = __builtin_nontemporal_load(&v[2 * i]) + 1;
    float low = __builtin_nontemporal_load(&a[i]);
    float4 y = { low + __builtin_nontemporal_load(&a[9]), x.xyz };
    char byte = __builtin_nontemporal_load((global const char *)&c[i]);
    float4 z = { x.w, byte & 127, __builtin_nontemporal_load(p), 5 };
    __builtin_nontemporal_store(y, (global float4 *)&o[8 * i]);
    __builtin_nontemporal_store(z, (global float4 *)&o[8 * i + 4]);
}
