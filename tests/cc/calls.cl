// SPDX-License-Identifier: Apache-2.0
// Functions that are called and not inlined.
#define CALLED __attribute__((noinline))

// @def u(x): return x % 2**32

// Lanes part inside of the function, in a loop with several exits.
CALLED uint
steps(uint x, uint most)
{
    uint n = 0;
    while (x != 1) {
        if (n >= most)
            return 1000 + n;
        if (x % 7 == 5)
            break;
        x = x & 1 ? 3 * x + 1 : x / 2;
        n++;
    }
    return n;
}
// @def steps(x, most, n=0): return n if x == 1 else 1000 + n if n >= most else n if x % 7 == 5 else steps(3 * x + 1 if x & 1 else x // 2, most, n + 1)

// @kernel parted
// @grid 50 @local 25
// @out o u32 50
// @u32 n 9
// @expect o = [steps(i + 1, 9) for i in range(50)]
__kernel void
parted(__global uint *o, uint n)
{
    o[get_global_id(0)] = steps(get_global_id(0) + 1, n);
}

// Called by some lanes only, on both sides, while uniform values live on.
// @kernel sides
// @grid 50 @local 25
// @out o u32 50
// @in p u32 [i * 7 for i in range(8)]
// @u32 n 5
// @expect o = [u((steps(i + 3, 5) + p[1] * 5 if i % 3 == 0 else steps(i * 2 + 1, 11) * 2 + p[2] if i % 3 == 1 else i + p[3]) + p[4] + 5) for i in range(50)]
__kernel void
sides(__global uint *o, __constant uint *p, uint n)
{
    uint i = get_global_id(0), x;
    uint a = p[1] * n, b = p[2], c = p[3], d = p[4] + n;
    if (i % 3 == 0)
        x = steps(i + 3, n) + a;
    else if (i % 3 == 1)
        x = steps(i * 2 + 1, n + 6) * 2 + b;
    else
        x = i + c;
    o[i] = x + d;
}

// Called in a loop that lanes leave at different times and places.
// @kernel loops
// @grid 40 @local 20
// @out o u32 40
// @expect o = [looped(i) for i in range(40)]
// @def looped(i, k=0, s=0): return s if k >= i % 9 else s + 50000 if s > 40 else s + 7 if k == 6 and i % 2 else looped(i, k + 1, s + steps(i + k + 1, 6) % 13 + k)
__kernel void
loops(__global uint *o)
{
    uint i = get_global_id(0), s = 0;
    for (uint k = 0; k < i % 9; k++) {
        if (s > 40) {
            s += 50000;
            break;
        }
        if (k == 6 && i % 2) {
            s += 7;
            break;
        }
        s += steps(i + k + 1, 6) % 13 + k;
    }
    o[i] = s;
}

// All work-items of a group come to the barrier inside of the function.
CALLED uint
exchange(__local uint *t, uint x, uint by)
{
    uint l = get_local_id(0), n = get_local_size(0);
    t[l] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    x = t[(l + by) % n];
    barrier(CLK_LOCAL_MEM_FENCE);
    return x;
}

// @kernel barriers
// @grid 72 @local 36
// @out o u32 72
// @u32 n 4
// @expect o = [(i % 36 + 10) % 36 + 100 * (i // 36) for i in range(72)]
__kernel void
barriers(__global uint *o, uint n)
{
    __local uint t[36];
    uint x = get_local_id(0) + 100 * get_group_id(0);
    for (uint k = 1; k <= n; k++)
        x = exchange(t, x, k);
    o[get_global_id(0)] = x;
}

// What is taken and returned: vectors, doubles, 64 and 8 bits, structs.
struct pair {
    double d;
    int i[3];
    char c;
};

CALLED struct pair
make(double d, int i, char c)
{
    struct pair p = { d * 2, { i, i + 1, i * i }, c };
    if (i % 2)
        p.i[1] = -1;
    return p;
}

CALLED double3
turn(double3 v, long n, uchar s)
{
    return v.zxy * (double)n + s;
}

CALLED float8
wide(float8 a, short2 s)
{
    a.s7 += s.x;
    a.s0 -= s.y;
    return a;
}

// @kernel types
// @grid 20 @local 10
// @out o f64 20
// @expect o = [typed(i) for i in range(20)]
// @def typed(i): return i * 3.0 + i * i + (-1 if i % 2 else i + 1) + (-5) + ((i + 2) * -(2**33) + 250) + (8 + i) + (1 - 300) + 0.0
__kernel void
types(__global double *o)
{
    int i = get_global_id(0);
    struct pair p = make(i * 1.5, i, -5);
    double3 v = turn((double3)(i, i + 1, i + 2), -(1L << 33), 250);
    float8 f = wide((float8)(1, 2, 3, 4, 5, 6, 7, 8), (short2)(i, 300));
    o[i] = p.d + p.i[2] + p.i[1] + p.c + v.x + f.s7 + f.s0;
}

// Functions that call functions, arrays of their own, pointers to the caller's.
CALLED void
fill(int *a, int n, int from)
{
    for (int i = 0; i < n; i++)
        a[i] = from + i;
}

CALLED int
middle(int *a, int x)
{
    int b[5];
    fill(b, 5, x);
    a[x & 3] += b[2];
    fill(b, 3, 100);
    return b[1] + b[4];
}

CALLED int
outer(int x)
{
    int a[4] = { 1, 2, 3, 4 };
    int r = middle(a, x) + (int)steps(x + 1, 3);
    return r + a[0] * a[1] * a[2] * a[3];
}

// @def outer(x): return 101 + x + 4 + steps(x + 1, 3) + math.prod(k + 1 + (x + 2 if k == x & 3 else 0) for k in range(4))
// @kernel nested
// @grid 30 @local 15
// @out o i32 30
// @expect o = [outer(i) + outer(3) for i in range(30)]
__kernel void
nested(__global int *o)
{
    o[get_global_id(0)] = outer(get_global_id(0)) + outer(3);
}

// @kernel nested_again
// @grid 30 @local 15
// @out o i32 30
// @expect o = [outer(i) if i > 7 else -steps(i + 1, 3) for i in range(30)]
__kernel void
nested_again(__global int *o)
{
    int i = get_global_id(0);
    o[i] = i > 7 ? outer(i) : -(int)steps(i + 1, 3);
}

// More lives across calls than registers that the function leaves alone.
#define R4(f, n) f(n##0) f(n##1) f(n##2) f(n##3)
#define EACH(f) R4(f, 0) R4(f, 1) R4(f, 2) R4(f, 3) R4(f, 4) R4(f, 5) R4(f, 6) \
    R4(f, 7) R4(f, 8) R4(f, 9) R4(f, 10) R4(f, 11) R4(f, 12) R4(f, 13) R4(f, 14)
// @kernel many
// @grid 24 @local 12
// @out o u32 24
// @in p u32 [i * i + 3 for i in range(60)]
// @u32 n 3
// @expect o = [many_lived(p, i) for i in range(24)]
// @def many_lived(p, i): return u(sum(lived(x, i) for x in p))
// @def lived(x, i, r=0): return x + i * r0(i, r) if r == 3 else lived(u(x * 5 + r), i, r + 1)
// @def r0(i, r): return sum(steps(i + k + 2, 8) for k in range(3))
#define LOAD(k) uint a##k = p[j++];
#define STEP(k) a##k = a##k * 5 + r;
#define SUM(k) s += a##k + i * x;
__kernel void
many(__global uint *o, __constant uint *p, uint n)
{
    uint i = get_global_id(0), j = 0, x = 0, s = 0;
    EACH(LOAD)
    for (uint r = 0; r < n; r++) {
        EACH(STEP)
        x += steps(i + r + 2, 8);
    }
    EACH(SUM)
    o[i] = s;
}

// Large, and called so often that it is called without being told.
#define MIX(k) x = x * 33u + (y ^ (x >> 5)) + k##u; y += x * k##u ^ (y << 3);
#define MIX_ALL R4(MIX, 1) R4(MIX, 2) R4(MIX, 3) R4(MIX, 4) R4(MIX, 5) \
    R4(MIX, 6) R4(MIX, 7) R4(MIX, 8) R4(MIX, 9)
uint
large(uint x, uint y)
{
    MIX_ALL
    if (x & 1)
        y ^= x;
    return x - y;
}

// @def mixed(x, y, k): return (u(x * 33 + (y ^ (x >> 5)) + k),)
// @def mix(x, y, k): return (lambda z: (z, u(y + (u(z * k) ^ u(y << 3)))))(*mixed(x, y, k))
// @def mix_all(x, y, k): return mix_all(*mix(x, y, k[0]), k[1:]) if k else u(x - (y ^ x if x & 1 else y))
// @def large(x, y): return mix_all(x, y, [10 * i + j for i in range(1, 10) for j in range(4)])
// @kernel often
// @grid 16 @local 8
// @out o u32 16
// @u32 n 3
// @expect o = [seq(lambda x, k: large(x, k * 3), i, range(60)) for i in range(16)]
// @def seq(f, x, k): return seq(f, f(x, k[0]), k[1:]) if k else x
#define LARGE(k) x = large(x, n * j++);
__kernel void
often(__global uint *o, uint n)
{
    uint x = get_global_id(0), j = 0;
    EACH(LARGE)
    o[get_global_id(0)] = x;
}

// Structs by value: each function changes a copy of its own.
struct six {
    int a[6];
    char c;
};

CALLED int
changed(struct six x, int i)
{
    x.a[i % 6] += i;
    x.c++;
    return x.a[0] * 3 + x.a[i % 6] + x.c;
}

CALLED struct six
moved(struct six x, struct six y, int i)
{
    y.a[i % 6] = changed(x, i);
    x.a[0] = 0;
    return y;
}

// @def six(i): return [i, 2, i * i, 4, 5, 6]
// @def changed(a, c, i): return (a[0] + (i if i % 6 == 0 else 0)) * 3 + a[i % 6] + i + c + 1
// @def moved(a, c, i): return [changed(a, c, i) if k == i % 6 else v for k, v in enumerate(a)]
// @def structs(i, a, c): return changed(a, c, i) + changed(moved(a, c, i) if i % 3 else a, c, i + 1) * 5 + a[i % 6] + c
// @kernel structs
// @grid 40 @local 20
// @out o i32 40
// @expect o = [structs(i, six(i), i % 50) for i in range(40)]
__kernel void
structs(__global int *o)
{
    int i = get_global_id(0);
    struct six x = { { i, 2, i * i, 4, 5, 6 }, i % 50 }, y = x;
    if (i % 3)
        y = moved(x, x, i);
    o[i] = changed(x, i) + changed(y, i + 1) * 5 + x.a[i % 6] + x.c;
}

// One condition chooses before and behind a call, which has masks of its own.
// @def chosen(n, i): return n % (i % 8 + 1) > 1
// @def masks(i, c): return [u(steps((12 if c else i) + i, 9) * 3 + (i * 5 if c else 7)), i if c else 10]
// @kernel masks
// @grid 64 @local 32
// @out o u32 128
// @i32 n 1001
// @expect o = [v for i in range(64) for v in masks(i, chosen(1001, i))]
__kernel void
masks(__global uint *o, int n)
{
    int i = get_global_id(0);
    bool c = n % (i % 8 + 1) > 1;
    uint x = c ? 12 : i, y = c ? 16 : 10;
    x = steps(x + i, 9);
    y = c ? i : y;
    o[2 * i] = x * 3 + (c ? i * 5 : 7);
    o[2 * i + 1] = y;
}

// More arguments than registers: 64 bits at even ones, the rest on the stack.
CALLED double
stacked(char a, double16 b, short c, long d, bool e, float3 f, ulong2 g,
        uchar h, double i, int j)
{
    double s = e ? a * 2 : c;
    s += b.s0 * 2 + b.s7 + b.sf * 5 + f.x + f.y * 2 + f.z * 3;
    return s + d + (double)g.x * 2 + (double)g.y * 3 + h * 7 + i * 9 + j * 11;
}

// @def sum_of(i, a, c, d, e, f, g, h, x, j): return (a * 2 if e else c) + (i * 2 + i + 7 + (i + 15) * 5) + f + (f + 1) * 2 + (f + 2) * 3 + d + g * 2 + (g + 1) * 3 + h * 7 + x * 9 + j * 11
// @kernel stack
// @grid 40 @local 20
// @out o f64 40
// @i32 n 3
// @expect o = [float(sum_of(i, -i, i * 3, -i << 33, i & 1, i / 4, i << 40, 200 + i, i / 2, 3) - sum_of(7, 100, -5, 3, 1, 0.5, 9, 255, 0.25, i)) if i % 5 else float(sum_of(i, 1, 2, 3, 0, 4, 5, 6, 7, 8)) for i in range(40)]
__kernel void
stack(__global double *o, int n)
{
    int i = get_global_id(0);
    double16 b = (double16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
                            15);
    if (i % 5)
        o[i] = stacked(-i, b + i, i * 3, (long)-i << 33, i & 1,
                       (float3)(0, 1, 2) + i / 4.0f,
                       ((ulong)i << 40) + (ulong2)(0, 1), 200 + i, i / 2.0,
                       n) -
               stacked(100, b + 7, -5, 3, n, (float3)(0.5f, 1.5f, 2.5f),
                       (ulong2)(9, 10), 255, 0.25, i);
    else
        o[i] = stacked(1, b + i, 2, 3, false, (float3)(4, 5, 6),
                       (ulong2)(5, 6), 6, 7, 8);
}

// More words that are the same for all lanes than scalars for them.
CALLED uint
common(__global const uint *t, uint a, ulong b, uint c, uint d, double e,
       uint f, uint g, uint h, uint i, uint x)
{
    uint s = t[a & 3] + (uint)(b >> 32) * 3 + c * 5 + d * 7 + (uint)e * 9;
    for (uint k = 0; k < (g & 3); k++) /* uniform */
        s += f * 11 + x;
    return s + h * 13 + i * 15 + (uint)b * 17;
}

// @def commons(n, x): return u((n & 3) + 10 + n * 3 + (n + 1) * 5 + (n + 2) * 7 + (n + 3) * 9 + ((n + 5) & 3) * ((n + 4) * 11 + x) + (n + 6) * 13 + (n + 7) * 15 + (n + 8) * 17)
// @kernel scalars
// @grid 24 @local 12
// @out o u32 24
// @in t u32 [10, 11, 12, 13]
// @u32 n 5
// @expect o = [u(commons(5, i) + (commons(6, i * 2) if i % 4 == 1 else 0)) for i in range(24)]
__kernel void
scalars(__global uint *o, __global const uint *t, uint n)
{
    uint i = get_global_id(0);
    uint s = common(t, n, (ulong)n << 32 | (n + 8), n + 1, n + 2, n + 3, n + 4,
                    n + 5, n + 6, n + 7, i);
    if (i % 4 == 1) {
        n++;
        s += common(t, n, (ulong)n << 32 | (n + 8), n + 1, n + 2, n + 3, n + 4,
                    n + 5, n + 6, n + 7, i * 2);
    }
    o[i] = s;
}

// What is passed and returned through each other's registers.
CALLED uint4
around(uint4 a, uint2 b)
{
    return (uint4)(a.w + b.y, a.x, b.x, a.y ^ a.z);
}

// @def around(a, b): return (u(a[3] + b[1]), a[0], b[0], a[1] ^ a[2])
// @def turns(a, k): return turns(around(a, (a[2], a[1])), k - 1) if k else a
// @kernel arounds
// @grid 24 @local 12
// @out o u32 96
// @expect o = [v for i in range(24) for v in turns((i, 2, 3, i * 5), 5 + i % 4)]
__kernel void
arounds(__global uint4 *o)
{
    uint i = get_global_id(0);
    uint4 a = (uint4)(i, 2, 3, i * 5);
    for (uint k = 0; k < 5 + i % 4; k++)
        a = around(a, a.zy);
    o[i] = a;
}

// A function that some lanes never come back from the way the others do.
CALLED uint
never(uint x)
{
    if (x == 0xffffffff)
        for (;;)
            ;
    return x * 3;
}

// @kernel nevers
// @grid 12
// @out o u32 12
// @expect o = [i * 3 for i in range(12)]
__kernel void
nevers(__global uint *o)
{
    o[get_global_id(0)] = never(get_global_id(0));
}

// No parameters, and a result in all registers that calls have for one.
CALLED ulong16
wide_result(void)
{
    ulong x = get_global_id(0) + 0x123456789;
    return x * (ulong16)(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
                         16);
}
// @kernel wide_results
// @grid 20 @local 10
// @out o u64 320
// @expect o = [(i // 16 + 0x123456789) * (i % 16 + 1) * 2 for i in range(320)]
__kernel void
wide_results(__global ulong *o)
{
    ulong16 a = wide_result(), b = wide_result();
    vstore16(a + b, get_global_id(0), o);
}

// Few parameters, and a result in all registers, computed in a loop: spill code
// needs some beside those of the result, or the compiler finds none.
CALLED ulong16
turned(uint n)
{
    ulong16 r = n * (ulong16)(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
                              15, 16);
    for (uint i = 0; i < n; i++)
        r = r * 3 + r.s123456789abcdef0;
    return r;
}
// @kernel turned_result
// @grid 20 @local 10
// @out o u64 320
// @def turn(r, n): return r if n == 0 else turn([a * 3 + b for a, b in zip(r, r[1:] + r[:1])], n - 1)
// @expect o = [x for i in range(20) for x in turn([i % 8 * k for k in range(1, 17)], i % 8)]
__kernel void
turned_result(__global ulong *o)
{
    vstore16(turned(get_global_id(0) % 8), get_global_id(0), o);
}

// Of ten scalar registers six make pairs: five words that live on, each in a
// register of another pair, left none for the 64-bit constant.
CALLED int
looked_up(int x, int y, __global const int *a)
{
    int v = x, t = y * 3u, p[8] = { 1, x, 2, y, 3, 4, 5, 6 };
    long w = x;
    return v ^ t ^ p[x & 7] ^ (int)w;
}

// @kernel pair_of_few_scalars
// @grid 50 @local 25
// @in a i32 [0]
// @i32 n 1
// @i32 m 5
// @out o i64 50
// @expect o = [i * 7 ^ (15 ^ 4 if i % 25 % 8 == 1 else 0) for i in range(50)]
__kernel void
pair_of_few_scalars(__global const int *a, int n, int m, __global long *o)
{
    int l = get_local_id(0) + get_local_size(0) * get_local_id(1);
    int group = get_group_id(0) + get_num_groups(0) * get_group_id(1);
    int i = group * 25 + l;
    int v = i * 7;
    long w = i;
    if (((l ^ 9) & 7) == 0) {
        v ^= looked_up(m, m, a);
        v ^= w >= (long)((ulong)w % 547616923825UL) ? (int)get_local_id(1) : l;
    }
    o[i] = v;
}

// Eight scalars take a0 to a7, so that no two of ten registers are left that make a
// pair: the constants go to pairs of vectors word by word.
CALLED long
folded(int a, int b, int c, int d, int e, int f, int g, int h, long x, double y,
       long z)
{
    return x * a + (b ^ c) + (d ^ e) * 3 + (f ^ g) * 5 + h + (long)y + z;
}

// @kernel pair_behind_eight_scalars
// @grid 32 @local 32
// @i32 n 3
// @i32 m 14
// @i64 w 1234567890
// @out o i64 32
// @def folded(a, x, y, z): return x * a[0] + (a[1] ^ a[2]) + (a[3] ^ a[4]) * 3 + (a[5] ^ a[6]) * 5 + a[7] + y + z
// @expect o = [i * folded([n, m, n + m, n * m, n - m, n ^ m, n | m, n & m], 2**40 + 7, 3, w * w % 2**31) for i in range(32)]
__kernel void
pair_behind_eight_scalars(int n, int m, long w, __global long *o)
{
    int i = get_global_id(0);
    o[i] = i;
    if (i > 0)
        o[i] *= folded(n, m, n + m, n * m, n - m, n ^ m, n | m, n & m,
                       (1L << 40) + 7, 3.5, w * w % (1L << 31));
}

// v0 has the first argument of a function, and is the mask of merges: an argument has all
// its bits behind instructions on 16.
CALLED float
in_thirds(float x)
{
    return rint(x * 0.75f) + 0.25f;
}

// @kernel argument_behind_halves
// @grid 32 @local 32
// @out o f32 32
// @out q i32 32
// @in p i16 [max(-32768, min(32767, i * 3000 - 40000)) for i in range(32)]
// @expect o = [-1.75 if i & 1 else [0.25, 2.25, 3.25, 4.25][i // 2 % 4] for i in range(32)]
// @expect q = [(i + (max(-32768, min(32767, p[i] + 30000)) if i & 1 else 70)) % 256 for i in range(32)]
__kernel void
argument_behind_halves(__global float *o, __global int *q, __global const short *p)
{
    int i = get_global_id(0);
    short more;
    float f = 0;
    if (i & 1) {
        more = add_sat(p[i], (short)30000);
        f = in_thirds(-2.5f);
    } else {
        more = 70;
        f = in_thirds((float)(i & 6));
    }
    o[i] = f;
    q[i] = (uchar)(i + more);
}
