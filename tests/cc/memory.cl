// SPDX-License-Identifier: Apache-2.0
// vloadN and vstoreN in every address space, copies by the workgroup, and
// vectors of halves in memory, for every type and width.
#define FOR_WIDTHS(F, T, PLACE)                                      \
    F(T, T##2, 2, PLACE) F(T, T##3, 3, PLACE + 1)                    \
    F(T, T##4, 4, PLACE + 2) F(T, T##8, 8, PLACE + 3)                \
    F(T, T##16, 16, PLACE + 4)
#define vstore1(v, i, p) ((p)[i] = (v))

// Elements of one type and width have 512 places.
enum { PLACES = 512 };

// Even work-items read constant memory, odd ones global memory; then through
// private and local memory; never at an address that is aligned for vectors.
#define LOAD(T, TN, N, PLACE)                                        \
    {                                                                \
        TN v = i % 2 ? vload##N(i, (global const T *)x + 1)          \
                     : vload##N(i, (constant T *)c + 1);             \
        T own[2 * N + 1];                                            \
        vstore##N(v, 1, own + 1);                                    \
        vstore##N(vload##N(1, own + 1), i, (local T *)s + 1);        \
        v = vload##N(i, (local const T *)s + 1);                     \
        vstore##N(v, i, (global T *)y + (PLACE) * PLACES + 3);       \
        barrier(CLK_LOCAL_MEM_FENCE);                                \
    }

// @def loaded(x, types): return [v for _ in range(types) for n in (2, 3, 4, 8, 16) for v in ([0] * 3 + x[1:1 + 16 * n] + [0] * 512)[:512]]
// @kernel load_8
// @grid 16 @local 16
// @in x u8 [(i * 73 + 11) % 256 for i in range(257)]
// @in c u8 x
// @localmem s 257
// @out y u8 512*10
// @expect y = loaded(x, 2)
kernel void
load_8(global const void *x, constant void *c, local void *s, global void *y)
{
    int i = get_global_id(0);
    FOR_WIDTHS(LOAD, char, 0)
    FOR_WIDTHS(LOAD, uchar, 5)
}

// @kernel load_16
// @grid 16 @local 16
// @in x u16 [(i * 7919 + 11) % 65536 for i in range(257)]
// @in c u16 x
// @localmem s 514
// @out y u16 512*10
// @expect y = loaded(x, 2)
kernel void
load_16(global const void *x, constant void *c, local void *s, global void *y)
{
    int i = get_global_id(0);
    FOR_WIDTHS(LOAD, short, 0)
    FOR_WIDTHS(LOAD, ushort, 5)
}

// @kernel load_32
// @grid 16 @local 16
// @in x u32 [(i * 2654435761 + 11) % 2**30 for i in range(257)]
// @in c u32 x
// @localmem s 1028
// @out y u32 512*15
// @expect y = loaded(x, 3)
kernel void
load_32(global const void *x, constant void *c, local void *s, global void *y)
{
    int i = get_global_id(0);
    FOR_WIDTHS(LOAD, int, 0)
    FOR_WIDTHS(LOAD, uint, 5)
    FOR_WIDTHS(LOAD, float, 10)
}

// @kernel load_64
// @grid 16 @local 16
// @in x u64 [(i * 11400714819323198485 + 11) % 2**62 for i in range(257)]
// @in c u64 x
// @localmem s 2056
// @out y u64 512*15
// @expect y = loaded(x, 3)
kernel void
load_64(global const void *x, constant void *c, local void *s, global void *y)
{
    int i = get_global_id(0);
    FOR_WIDTHS(LOAD, long, 0)
    FOR_WIDTHS(LOAD, ulong, 5)
    FOR_WIDTHS(LOAD, double, 10)
}

// 21 elements in a row and 11 of every third come in, and go out again in a
// row and to every second; more elements than work-items, and fewer.
#define COPY(T, TN, N, PLACE)                                        \
    {                                                                \
        global const TN *from = (global const TN *)x;                \
        local TN *in = (local TN *)s;                                \
        global TN *to = (global TN *)t;                              \
        prefetch(from, 8);                                           \
        event_t e[2];                                                \
        e[0] = async_work_group_copy(in, from, 21, 0);               \
        e[1] = async_work_group_strided_copy(in + 21, from + 1, 11, 3, 0); \
        wait_group_events(2, e);                                     \
        e[0] = async_work_group_copy(to, (local const TN *)in, 21, 0); \
        e[0] = async_work_group_strided_copy(                        \
            to + 32, (local const TN *)in + 21, 11, 2, e[0]);        \
        wait_group_events(1, e);                                     \
        barrier(CLK_GLOBAL_MEM_FENCE);                               \
        for (int k = i; k < 32; k += get_local_size(0))              \
            vstore##N(to[k < 21 ? k : 32 + 2 * (k - 21)], k,         \
                      (global T *)y + (PLACE) * PLACES);             \
        barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);         \
    }
#define FOR_COPIES(T, PLACE) COPY(T, T, 1, PLACE) FOR_WIDTHS(COPY, T, PLACE + 1)

// @def element(x, k, n): return x[k * (4 if n == 3 else n):][:n]
// @def moved(x, n): return [v for k in range(32) for v in element(x, k if k < 21 else 1 + 3 * (k - 21), n)]
// @def copied(x, types): return [v for _ in range(types) for n in (1, 2, 3, 4, 8, 16) for v in (moved(x, n) + [0] * 512)[:512]]
// @kernel copy_8
// @grid 20 @local 20
// @in x u8 [(i * 73 + 11) % 256 for i in range(512)]
// @localmem s 512
// @out t u8 1024
// @out y u8 512*12
// @expect y = copied(x, 2)
kernel void
copy_8(global const void *x, local void *s, global void *t, global void *y)
{
    int i = get_global_id(0);
    FOR_COPIES(char, 0)
    FOR_COPIES(uchar, 6)
}

// @kernel copy_16
// @grid 20 @local 20
// @in x u16 [(i * 7919 + 11) % 65536 for i in range(512)]
// @localmem s 1024
// @out t u16 1024
// @out y u16 512*12
// @expect y = copied(x, 2)
kernel void
copy_16(global const void *x, local void *s, global void *t, global void *y)
{
    int i = get_global_id(0);
    FOR_COPIES(short, 0)
    FOR_COPIES(ushort, 6)
}

// @kernel copy_32
// @grid 20 @local 20
// @in x u32 [(i * 2654435761 + 11) % 2**30 for i in range(512)]
// @localmem s 2048
// @out t u32 1024
// @out y u32 512*18
// @expect y = copied(x, 3)
kernel void
copy_32(global const void *x, local void *s, global void *t, global void *y)
{
    int i = get_global_id(0);
    FOR_COPIES(int, 0)
    FOR_COPIES(uint, 6)
    FOR_COPIES(float, 12)
}

// @kernel copy_64
// @grid 20 @local 20
// @in x u64 [(i * 11400714819323198485 + 11) % 2**62 for i in range(512)]
// @localmem s 4096
// @out t u64 1024
// @out y u64 512*18
// @expect y = copied(x, 3)
kernel void
copy_64(global const void *x, local void *s, global void *t, global void *y)
{
    int i = get_global_id(0);
    FOR_COPIES(long, 0)
    FOR_COPIES(ulong, 6)
    FOR_COPIES(double, 12)
}

// Without padding after three halves, at any even address; with padding, at
// an aligned one.  z has what was read, y the halves that were written.
#define vload_half1 vload_half
#define vstore_half1 vstore_half
#define float1 float
#define HALF(N, PLACE)                                               \
    {                                                                \
        float##N v = vload_half##N(i, (global const half *)x + 1);   \
        vstore##N(v, i, z + PLACE * PLACES + 3);                     \
        vstore_half##N(v, i, (global half *)y + PLACE * PLACES + 3); \
    }
#define HALF_A(N, PLACE)                                             \
    {                                                                \
        float##N v = vloada_half##N(i, (global const half *)x);      \
        vstore##N(v, i, z + PLACE * PLACES);                         \
        vstorea_half##N(v, i, (global half *)y + PLACE * PLACES);    \
        v = vloada_half##N(i, (global half *)y + PLACE * PLACES);    \
        vstore_half##N(v, i, (global half *)y + PLACE * PLACES + 256); \
    }
// @kernel halves
// @grid 16 @local 16
// @in x u16 [(i * 7919 + 11) % 0x7c00 | (i & 1) << 15 for i in range(257)]
// @out y u16 512*6
// @out z f32 512*6
// @def region(x, n): return ([0] * 3 + x[1:1 + 16 * n] + [0] * 512)[:512]
// @def value(h): return struct.unpack('<e', struct.pack('<H', h))[0]
// @expect y = [v for n in (1, 2, 3, 4, 8, 16) for v in region(x, n)]
// @expect z = [v for n in (1, 2, 3, 4, 8, 16) for v in region([value(h) for h in x], n)]
kernel void
halves(global const void *x, global void *y, global float *z)
{
    int i = get_global_id(0);
    HALF(1, 0)
    HALF(2, 1)
    HALF(3, 2)
    HALF(4, 3)
    HALF(8, 4)
    HALF(16, 5)
}

// @kernel halves_aligned
// @grid 16 @local 16
// @in x u16 [(i * 7919 + 11) % 0x7c00 | (i & 1) << 15 for i in range(256)]
// @out y u16 512*5
// @out z f32 512*5
// @def padded(n): return 4 if n == 3 else n
// @def packed(x, n): return [x[i * padded(n) + k] for i in range(16) for k in range(n)]
// @def filled(v): return (v + [0] * 512)[:512]
// @expect y[256:512] = (packed(x, 2) + [0] * 256)[:256]
// @expect y[512+256:1024] = (packed(x, 3) + [0] * 256)[:256]
// @expect y[1024:1024+64] = x[:64]
// @expect y[1024+256:1536] = (packed(x, 4) + [0] * 256)[:256]
// @expect y[1536+256:2048] = (packed(x, 8) + [0] * 256)[:256]
// @expect y[2048:2560] = x + packed(x, 16)
// @expect z = [v for n in (2, 3, 4, 8, 16) for v in filled(packed([value(h) for h in x], n))]
kernel void
halves_aligned(global const void *x, global void *y, global float *z)
{
    int i = get_global_id(0);
    HALF_A(2, 0)
    HALF_A(3, 1)
    HALF_A(4, 2)
    HALF_A(8, 3)
    HALF_A(16, 4)
}

/*
 * Block copies that are loops: more than 256 bytes.  Each lane has its own
 * place, and its own direction where `up` is read from memory: the bytes
 * overlap in front of the source, behind it, or not at all.
 */
#define MOVE(NAME, TYPE, COUNT, SIZE)                                       \
    kernel void NAME(global TYPE *x, global const int *up)                  \
    {                                                                       \
        int i = get_global_id(0);                                           \
        global TYPE *p = x + i * COUNT;                                     \
        __builtin_memmove(p + up[i], p + 24, SIZE);                         \
    }
// @def chunk(x, to, n): return x[:to] + x[24:24 + n] + x[to + n:]
// @def shifted(x, up, n, count): return [v for i, to in enumerate(up) for v in chunk(x[i * count:][:count], to, n)]
// @def noise(n): return [(i + 1) * 2654435761 >> 7 for i in range(n)]

// @kernel move_words
// @grid 12 @local 12
// @inout x u32 noise(12 * 256)
// @in up i32 [0, 17, 21, 22, 23, 24, 25, 26, 27, 31, 41, 150]
// @expect x = shifted(x, up, 100, 256)
MOVE(move_words, uint, 256, 400)

// @kernel move_bytes
// @grid 12 @local 12
// @inout x u8 noise(12 * 700)
// @in up i32 [0, 17, 21, 22, 23, 24, 25, 26, 27, 31, 41, 360]
// @expect x = shifted(x, up, 301, 700)
MOVE(move_bytes, uchar, 700, 301)

// @kernel move_halfwords
// @grid 12 @local 12
// @inout x u16 noise(12 * 400)
// @in up i32 [0, 17, 21, 22, 23, 24, 25, 26, 27, 31, 41, 200]
// @expect x = shifted(x, up, 151, 400)
MOVE(move_halfwords, ushort, 400, 302)

/* A last piece of three bytes behind the words, within what is written. */
// @kernel move_tail
// @grid 5 @local 5
// @inout x u8 noise(5 * 700)
// @in up i32 [0, 16, 24, 28, 360]
// @expect x = shifted(x, up, 303, 700)
kernel void
move_tail(global uint *x, global const int *up)
{
    int i = get_global_id(0);
    global uint *p = x + i * 175;
    __builtin_memmove(p + up[i] / 4, p + 6, 303);
}

/* In private and in local memory. */
// @kernel move_near
// @grid 6 @local 6
// @in x u32 noise(6 * 192)
// @in up i32 [0, 23, 24, 25, 40, 88]
// @out y u32 6*192
// @out z u32 6*192
// @expect y = shifted(x, up, 100, 192)
// @expect z = shifted(x, up, 100, 192)
kernel void
move_near(global const uint *x, global const int *up, global uint *y,
          global uint *z)
{
    local uint shared[6 * 192];
    uint own[192];
    int i = get_global_id(0);
    for (int k = 0; k < 192; k++)
        own[k] = shared[i * 192 + k] = x[i * 192 + k];
    __builtin_memmove(own + up[i], own + 24, 400);
    __builtin_memmove(shared + i * 192 + up[i], shared + i * 192 + 24, 400);
    for (int k = 0; k < 192; k++) {
        y[i * 192 + k] = own[k];
        z[i * 192 + k] = shared[i * 192 + k];
    }
}

/* memcpy and memset of as many, and structs that are volatile. */
struct large {
    uint words[70];
    ushort last;
} __attribute__((packed));
// @kernel copy_large
// @grid 4 @local 4
// @in x u8 noise(4 * 282)
// @out y u8 4*282
// @out z u8 4*700
// @out w u8 4*282
// @expect y = x
// @expect z = [(200 + i) % 256 if 3 <= k < 400 else 0 for i in range(4) for k in range(700)]
// @expect w = x
kernel void
copy_large(global const struct large *x, global struct large *y,
           global uchar *z, global volatile struct large *w)
{
    int i = get_global_id(0);
    y[i] = x[i];
    __builtin_memset(z + i * 700 + 3, 200 + i, 397);
    w[i] = *(global const volatile struct large *)(x + i);
}

// A copy leaves padding out, and nothing else: unions have none, whatever is in them.
struct inner {
    char a;
    int b;
    char c;
};
union either {
    struct inner s;
    uchar bytes[10];
};
struct padded {
    char a;
    long b;
    union either c;
    struct inner d[2];
    uchar3 e;
    short f;
};
// @def members(): return [0, *range(8, 26), 28, *range(32, 37), 40, *range(44, 49), *range(52, 55), 56, 57]
// @kernel copy_padded
// @skip pocl (padding in y: pocl copies it)
// @grid 16 @local 16
// @in x u8 noise(16 * 64)
// @out y u8 16*64
// @out o u8 16*36
// @expect o = [x[64 * i + k] for i in range(16) for k in members()]
kernel void
copy_padded(global const struct padded *x, global struct padded *y,
            global uchar *o)
{
    local struct padded shared[16];
    const uchar begin[] = { 0, 8, 28, 32, 40, 44, 52, 56 };
    const uchar end[] = { 1, 26, 29, 37, 41, 49, 55, 58 };
    int i = get_global_id(0);
    struct padded own[2];
    own[x[i].a & 1] = x[i];
    shared[15 - i] = own[x[i].a & 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    y[15 - i] = shared[i];
    barrier(CLK_GLOBAL_MEM_FENCE);
    global const uchar *from = (global const uchar *)(y + i);
    o += 36 * i;
    for (int part = 0; part < 8; part++)
        for (int k = begin[part]; k < end[part]; k++)
            *o++ = from[k];
}

// Addresses in sums and differences that are constants, of 32 and 64 bits.
constant int five[5] = { 1, 2, 3, 4, 5 };

// @kernel addresses
// @skip pocl (its addresses have 64 bits)
// @grid 1 @local 1
// @out o u64 9
// @expect o = [256, 3, 2**32 - 256, 12, 0xffffffff, 5, 2**address_bits - 12, 10, 1]
kernel void
addresses(global ulong *o)
{
    ulong wide = (uintptr_t)five;
    o[0] = (wide + (1UL << 40)) >> 32;
    o[1] = wide * 3 - wide * 2 - wide + 3;
    o[2] = (wide - (1UL << 40)) >> 32;
    o[3] = (uintptr_t)(five + 3) + 4 - (uintptr_t)(five + 1);
    o[4] = (wide - 0x90000000UL) >> 32;
    o[5] = ((uintptr_t)five ^ 5) ^ (uintptr_t)five;
    o[6] = (uintptr_t)five - (uintptr_t)(five + 3);
    o[7] = ((uintptr_t)five * 2 + 10) - (uintptr_t)five * 2;
    o[8] = ((ulong)(uintptr_t)five << 33) >> 33 == (wide & 0x7fffffff);
}

// Variables lie where their attribute says, and those without one at their size.
constant char before = 1;
constant int table_of_four[4] __attribute__((aligned(512))) = { 1, 2, 3, 4 };
constant long number_of_long[2] = { 5, 6 };
// @kernel aligned_variables
// @grid 16 @local 16
// @out y u32 16*6
// @expect y = [v for i in range(16) for v in (0, 0, 0, 0, i % 4 + 1, 5 + i % 2)]
kernel void
aligned_variables(global uint *y)
{
    local char first[3];
    local int apart[4] __attribute__((aligned(1024)));
    local char second[5];
    local double4 alone[2];
    int i = get_local_id(0);
    if (!i) {
        first[0] = before;
        second[0] = 2;
        apart[0] = 3;
        alone[1] = 4;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    y[6 * i] = (uint)table_of_four & 511;
    y[6 * i + 1] = (uint)number_of_long & 7;
    y[6 * i + 2] = (uint)apart & 1023;
    y[6 * i + 3] = ((uint)alone & 31) + first[0] + second[0] - before - 2 +
        (apart[0] != 3) + (alone[1].s3 != 4);
    y[6 * i + 4] = table_of_four[i & 3];
    y[6 * i + 5] = number_of_long[i & 1];
}
