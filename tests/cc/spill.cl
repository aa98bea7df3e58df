// SPDX-License-Identifier: Apache-2.0
// More uniform values live at a time than registers and the warp's stack of
// 1024 bytes hold.  Written so that the optimiser cannot make fewer of them:
// each is changed in every iteration of a loop.
#define R4(f, n) f(n##0) f(n##1) f(n##2) f(n##3)
#define R16(f, n) R4(f, n##0) R4(f, n##1) R4(f, n##2) R4(f, n##3)
#define R64(f, n) R16(f, n##0) R16(f, n##1) R16(f, n##2) R16(f, n##3)
#define R256(f) R64(f, 0) R64(f, 1) R64(f, 2) R64(f, 3)
#define R300(f) R256(f) R16(f, 40) R16(f, 41) R4(f, 420) R4(f, 421) R4(f, 422)

// The numbers of R300 in order: 0000 ... 3333 4000 ... 4133 4200 ... 4223.
// @def u(x): return x % 2**32

// @kernel many_arguments
// @grid 40 @local 20
// @out o u32 40
// @u32 n 3
// @each a u32 264 [u(i * 2654435761 + 7) for i in range(264)]
// @expect o = [all_arguments(a, n, i) for i in range(40)]
// @def step(x, a): return step(u(x * 33 + a[0]), a[1:]) if a else x
// @def all_arguments(a, n, x): return x if n == 0 else all_arguments(a, n - 1, step(x, a))
#define PARAMETER(n) , uint a##n
#define USE(n) x = x * 33 + a##n;
__kernel void
many_arguments(__global uint *o, uint n R256(PARAMETER) R4(PARAMETER, 400)
               R4(PARAMETER, 401))
{
    uint x = get_global_id(0);
    for (uint r = 0; r < n; r++) {
        R256(USE) R4(USE, 400) R4(USE, 401)
    }
    o[get_global_id(0)] = x;
}

// @kernel many_uniform
// @grid 40 @local 20
// @out o u32 40
// @in p u32 [u(i * 2246822519 + 3) for i in range(300)]
// @u32 n 4
// @expect o = [uniform(p, n, i) for i in range(40)]
// @def uniform(p, n, i): return total([turn(x, n, k) for k, x in enumerate(p)], i)
// @def turn(x, n, k): return x if n == 0 else turn(u(x * 33 ^ (x >> 7)), n - 1, k)
// @def total(p, i): return u(sum(x * (i + 1) ^ i for x in p))
#define LOAD(n) uint a##n = p[k++];
#define TURN(n) a##n = a##n * 33 ^ a##n >> 7;
#define SUM(n) x += a##n * (i + 1) ^ i;
__kernel void
many_uniform(__global uint *o, __constant uint *p, uint n)
{
    uint i = get_global_id(0), x = 0, k = 0;
    R300(LOAD)
    for (uint r = 0; r < n; r++) {
        R300(TURN)
    }
    R300(SUM)
    o[i] = x;
}

// Scalars that become vectors on the way into a loop, all at the same place.
// @kernel many_merged
// @grid 40 @local 20
// @out o u32 40
// @in p u32 [u(i * 2246822519 + 3) for i in range(16)]
// @u32 n 4
// @expect o = [merged(p, n, i) for i in range(40)]
// @def merged(p, n, i): return total([apart(turn(x, n, k), i % 5, i) for k, x in enumerate(p)], i)
// @def apart(x, n, i): return x if n == 0 else apart(u(x * 33 ^ i), n - 1, i)
#define APART(n) a##n = a##n * 33 ^ i;
#define R16A(f) R16(f, 0)
__kernel void
many_merged(__global uint *o, __constant uint *p, uint n)
{
    uint i = get_global_id(0), x = 0, k = 0;
    R16A(LOAD)
    for (uint r = 0; r < n; r++) {
        R16A(TURN)
    }
    for (uint r = 0; r < i % 5; r++) {
        R16A(APART)
    }
    R16A(SUM)
    o[i] = x;
}

// Each takes the value of the next: copies in a circle, most of them in memory.
// @kernel many_in_circles
// @grid 40 @local 20
// @out o u32 40
// @in p u32 [u(i * 2246822519 + 3) for i in range(16)]
// @u32 n 21
// @expect o = [u(sum((p[(k + n) % 16] ^ k) * (i + k) for k in range(16))) for i in range(40)]
#define NEXT(a, b) a = b;
#define WEIGH(n) x += (a##n ^ k) * (i + k), k++;
__kernel void
many_in_circles(__global uint *o, __constant uint *p, uint n)
{
    uint i = get_global_id(0), x = 0, k = 0;
    R16A(LOAD)
    for (uint r = 0; r < n; r++) {
        uint first = a000;
        NEXT(a000, a001) NEXT(a001, a002) NEXT(a002, a003) NEXT(a003, a010)
        NEXT(a010, a011) NEXT(a011, a012) NEXT(a012, a013) NEXT(a013, a020)
        NEXT(a020, a021) NEXT(a021, a022) NEXT(a022, a023) NEXT(a023, a030)
        NEXT(a030, a031) NEXT(a031, a032) NEXT(a032, a033) NEXT(a033, first)
    }
    k = 0;
    R16A(WEIGH)
    o[i] = x;
}

// Set in code that only some lanes run, with a loop that they leave apart.
// @kernel many_divided
// @grid 40 @local 20
// @inout o u32 [i * 77 for i in range(40)]
// @in p u32 [u(i * 3266489917 + 5) for i in range(300)]
// @u32 n 2
// @expect o = [u(77 * i) if i % 3 == 2 else divided(p, n, i) for i in range(40)]
// @def divided(p, n, i): return u(uniform(p, n + i % 3, i) + sum(range(i % 5)))
__kernel void
many_divided(__global uint *o, __constant uint *p, uint n)
{
    uint i = get_global_id(0), x = 0, k = 0;
    if (i % 3 == 0) {
        R300(LOAD)
        for (uint r = 0; r < n; r++) {
            R300(TURN)
        }
        for (uint r = 0; r < i % 5; r++)
            x += r;
        R300(SUM)
        o[i] = x;
    } else if (i % 3 == 1) {
        R300(LOAD)
        for (uint r = 0; r < n + 1; r++) {
            R300(TURN)
        }
        for (uint r = 0; r < i % 5; r++)
            x += r;
        R300(SUM)
        o[i] = x;
    }
}

// Pairs: 300 doubles are 600 words.
// @kernel many_doubles
// @grid 8 @local 8
// @out o f64 8
// @in p f64 [1.0 + i / 1024 for i in range(300)]
// @u32 n 3
// @expect o = [float(sum((x * 2**n + 2**n - 1) * (i + 1) for x in p)) for i in range(8)]
#define LOAD_D(n) double a##n = p[k++];
#define TURN_D(n) a##n = a##n * 2 + 1;
#define SUM_D(n) x += a##n * (i + 1);
__kernel void
many_doubles(__global double *o, __constant double *p, uint n)
{
    uint i = get_global_id(0), k = 0;
    double x = 0;
    R300(LOAD_D)
    for (uint r = 0; r < n; r++) {
        R300(TURN_D)
    }
    R300(SUM_D)
    o[i] = x;
}

// Arguments, sizes and what CSRs say are not kept in memory but made again.
// @kernel made_again
// @grid 24 @local 12
// @out o u32 24
// @f64 d 2.5
// @u32 a 11
// @u64 b 2**40 + 5
// @expect o = [again(11, 5, i // 12, i % 12) for i in range(24)]
// @def again(a, b, g, l): return u(((a + 24 + 12 + g) * 2 + b + 256 + 5) * 3 + l)
__kernel void
made_again(__global uint *o, double d, uint a, ulong b)
{
    uint x = 0;
    for (uint r = 0; r < 3; r++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        x += 2 * (a + get_global_size(0) + get_local_size(0) + get_group_id(0));
        x += (uint)b + (uint)(b >> 32) + (uint)(d * 2);
    }
    o[get_global_id(0)] = x + get_local_id(0);
}

// Arguments that lie far behind the start of the buffer, and a private copy of
// some, farther than the offset of an instruction reaches.
// @kernel far_arguments
// @grid 8 @local 8
// @out o u32 8
// @each w u64 256 [i * 3 for i in range(256)]
// @each x u32 256 [i * 5 for i in range(256)]
// @u32 k 255
// @expect o = [w[i * 30 % 256] + x[(i * 37 + 249) % 256] + 255 for i in range(8)]
#define PARAMETER_W(n) , ulong w##n
#define PARAMETER_X(n) , uint x##n
#define COPY_W(n) w[m++] = w##n;
#define COPY_X(n) x[m++] = x##n;
__kernel void
far_arguments(__global uint *o R256(PARAMETER_W) R256(PARAMETER_X), uint k)
{
    uint i = get_global_id(0), m = 0, x[256];
    ulong w[256];
    R256(COPY_W)
    m = 0;
    R256(COPY_X)
    o[i] = w[i * 30 % 256] + x[(i * 37 + 249) % 256] + k;
}

// Constants that a loop replaces by copies: a spilled one of them is not the
// constant again.  Of a thread, and of the warp.
// @kernel constants_replaced_by_copies
// @grid 40 @local 20
// @out o u32 40
// @u32 n 6
// @expect o = [u(turns(n, i, i, 12345, 54321) + turns(n, n, 3, 777, 999) * 7) for i in range(40)]
// @def turns(n, x, y, p, q): return u(x + y * 9 + p * 3 + q * 5) if n == 0 else turns(n - 1, u(x * 33 + p), x, y, p)
__kernel void
constants_replaced_by_copies(__global uint *o, uint n)
{
    uint x = get_global_id(0), y = x, p = 12345, q = 54321;
    uint a = n, b = 3, c = 777, d = 999;
    for (uint r = 0; r < n; r++) {
        uint next = x * 33 + p, other = a * 33 + c;
        q = p, p = y, y = x, x = next;
        d = c, c = b, b = a, a = other;
    }
    o[get_global_id(0)] =
        x + y * 9 + p * 3 + q * 5 + (a + b * 9 + c * 3 + d * 5) * 7;
}

// The callee's spilled scalars fill the warp's stack, and each caller stores ra.
// @kernel many_in_callee
// @grid 40 @local 20
// @out o u32 40
// @in p u32 [u(i * 2246822519 + 3) for i in range(300)]
// @u32 n 4
// @expect o = [u(uniform(p, n, i) * 3 + 5 * i) for i in range(40)]
__attribute__((noinline)) uint
fills_stack(__constant uint *p, uint n, uint i)
{
    uint x = 0, k = 0;
    R300(LOAD)
    for (uint r = 0; r < n; r++) {
        R300(TURN)
    }
    R300(SUM)
    return x;
}

__attribute__((noinline)) uint
calls_it(__constant uint *p, uint n, uint i)
{
    return fills_stack(p, n, i) * 3;
}

__kernel void
many_in_callee(__global uint *o, __constant uint *p, uint n)
{
    uint i = get_global_id(0);
    o[i] = calls_it(p, n, i) + 5 * i;
}
