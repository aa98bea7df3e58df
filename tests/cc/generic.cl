// SPDX-License-Identifier: Apache-2.0
// @options -cl-std=CL2.0
// Generic pointers whose space only the address tells, at run time.
// @skip pocl (has no generic pointers)

// @kernel chosen
// @grid 64 @local 32
// @in a i32 [i * 3 for i in range(64)]
// @out o i32 64
// @expect o = [(a[i], 1000 + i % 32, 2000 + i, 3000 + i)[i % 4] for i in range(64)]
int
read(int *p, int k)
{
    return p[k];
}

kernel void
chosen(global int *a, global int *o)
{
    local int t[32];
    int i = get_global_id(0), l = get_local_id(0);
    int x[2] = { 2000 + i, 3000 + i };
    t[l] = 1000 + l;
    barrier(CLK_LOCAL_MEM_FENCE);
    int *p;
    int k = 0;
    switch (i % 4) {
    case 0:
        p = a;
        k = i;
        break;
    case 1:
        p = t;
        k = l;
        break;
    case 2:
        p = x;
        break;
    default:
        p = x + 1;
    }
    o[i] = read(p, k);
}

// Stores, of several sizes; pointers that lie in memory.
// @kernel stored
// @grid 32 @local 32
// @out o u32 32
// @out w u64 32
// @out c u8 32
// @expect o = [(7 * i if i % 3 == 0 else 100 + i) for i in range(32)]
// @expect w = [(1 << 40) + i if i % 3 == 1 else 0 for i in range(32)]
// @expect c = [i if i % 2 else 0 for i in range(32)]
struct three {
    uint *word;
    ulong *wide;
    uchar *byte;
};

kernel void
stored(global uint *o, global ulong *w, global uchar *c)
{
    local uchar d[32];
    int i = get_global_id(0);
    uint mine = 0;
    ulong wide = 5;
    struct three p[2];
    p[0].word = i % 3 == 0 ? (uint *)&o[i] : &mine;
    p[0].wide = i % 3 == 1 ? (ulong *)&w[i] : &wide;
    p[0].byte = i % 2 ? (uchar *)&c[i] : (uchar *)&d[i];
    p[1] = p[0];
    *p[i & 1].word = 7 * i;
    *p[i & 1].wide = (1UL << 40) + i;
    *p[i & 1].byte = i;
    if (i % 3)
        o[i] = 100 + i + (mine - 7 * i) + (i % 2 ? 0 : d[i] - i) +
               (i % 3 == 1 ? wide != 5 : wide != (1UL << 40) + i);
}

// @kernel asked
// @grid 32 @local 32
// @out o u32 32
// @expect o = [(1, 2, 4, 0)[i % 4] for i in range(32)]
kernel void
asked(global uint *o)
{
    local int t;
    int i = get_global_id(0), x = i;
    void *p = i % 4 == 0   ? (void *)&o[i]
              : i % 4 == 1 ? (void *)&t
              : i % 4 == 2 ? (void *)&x
                           : (void *)0;
    o[i] = (to_global(p) == &o[i]) | (to_local(p) == &t) << 1 |
           (to_private(p) == &x) << 2;
}

// @kernel counted
// @grid 64 @local 32
// @out o i32 2
// @expect o = [32, 64]
kernel void
counted(global atomic_int *o)
{
    local atomic_int t;
    int i = get_global_id(0);
    if (get_local_id(0) == 0)
        atomic_init(&t, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_int *p = i % 2 ? (atomic_int *)&o[0] : (atomic_int *)&t;
    atomic_fetch_add(p, 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_fetch_add(&o[1], atomic_load(&t) / 16);
}

// @kernel copied
// @grid 32 @local 32
// @in a i32 [i * 5 + 1 for i in range(160)]
// @out o i32 160
// @expect o = [a[i] if i // 5 % 2 else -a[i] for i in range(160)]
struct five {
    int x[5];
};

kernel void
copied(global struct five *a, global struct five *o)
{
    int i = get_global_id(0);
    struct five mine = a[i], other;
    for (int k = 0; k < 5; k++)
        mine.x[k] = -mine.x[k];
    struct five *from = i % 2 ? (struct five *)&a[i] : &mine;
    struct five *to = i % 3 ? (struct five *)&o[i] : &other;
    *to = *from;
    if (i % 3 == 0)
        o[i] = other;
}

// memmove, memset and memcpy: the space is known, or only at run time.
// @def moved(m, to, start, n): return m[:to] + m[start:start + n] + m[to + n:]
// @kernel moved_known
// @grid 32 @local 32
// @inout x u32 [3 * i for i in range(32 * 200)]
// @expect x = [v for k in range(32) for v in moved(x[200 * k:200 * k + 200], 3, 0, 150)]
kernel void
moved_known(global uint *x)
{
    uint *p = x + get_global_id(0) * 200;
    __builtin_memmove(p + 3, p, 150 * sizeof *p);
}

// @kernel moved_bytes
// @grid 32 @local 32
// @inout x u8 [i * i % 251 for i in range(32 * 64)]
// @expect x = [v for k in range(32) for v in moved(moved(x[64 * k:64 * k + 64], 13, 12, 19), 40, 42, 15)]
kernel void
moved_bytes(global uchar *x)
{
    uchar *p = x + get_global_id(0) * 64;
    __builtin_memmove(p + 13, p + 12, 19);
    __builtin_memmove(p + 40, p + 42, 15);
}

// Global, private or local, in lanes side by side; up and down; with a loop.
// @def line(k, n): return [k * i + 7 for i in range(n)]
// @kernel moved_chosen
// @grid 64 @local 32
// @out up u32 64*20
// @out down u32 64*20
// @out x u32 64*20
// @expect up = [v for k in range(64) for v in moved(line(k, 20), 3, 0, 15)]
// @expect down = [v for k in range(64) for v in moved(moved(line(k, 20), 3, 0, 15), 0, 3, 17)]
kernel void
moved_chosen(global uint *up, global uint *down, global uint *x)
{
    local uint shared[32 * 20];
    uint mine[20];
    int i = get_global_id(0), l = get_local_id(0);
    uint *p = i % 3 == 0   ? (uint *)(x + i * 20)
              : i % 3 == 1 ? mine
                           : (uint *)(shared + l * 20);
    for (int k = 0; k < 20; k++)
        p[k] = i * k + 7;
    __builtin_memmove(p + 3, p, 15 * sizeof *p);
    for (int k = 0; k < 20; k++)
        up[i * 20 + k] = p[k];
    __builtin_memmove(p, p + 3, 17 * sizeof *p);
    for (int k = 0; k < 20; k++)
        down[i * 20 + k] = p[k];
}

// @kernel moved_far
// @grid 32 @local 32
// @out x u32 32*128
// @expect x = [v for k in range(32) for v in moved(line(k, 128), 5, 0, 100)]
kernel void
moved_far(global uint *x)
{
    uint mine[128];
    int i = get_global_id(0);
    uint *p = i % 3 ? mine : (uint *)(x + i * 128);
    for (int k = 0; k < 128; k++)
        p[k] = i * k + 7;
    __builtin_memmove(p + 5, p, 100 * sizeof *p);
    for (int k = 0; k < 128; k++)
        x[i * 128 + k] = p[k];
}

// @kernel set_chosen
// @grid 32 @local 32
// @out x u8 32*64
// @expect x = [90 if 5 <= k < 50 else k for i in range(32) for k in range(64)]
kernel void
set_chosen(global uchar *x)
{
    uchar mine[64];
    int i = get_global_id(0);
    uchar *p = i % 2 ? mine : (uchar *)(x + i * 64);
    for (int k = 0; k < 64; k++)
        p[k] = k;
    __builtin_memset(p + 5, 90, 45);
    for (int k = 0; k < 64; k++)
        x[i * 64 + k] = p[k];
}

// A struct of more than 256 bytes, from and to what is not known.
// @kernel assigned_chosen
// @grid 32 @local 32
// @out x u32 32*200
// @expect x = [v for i in range(32) for v in line(i, 100) * 2]
struct large {
    uint word[100];
};

kernel void
assigned_chosen(global struct large *x)
{
    struct large mine;
    int i = get_global_id(0);
    struct large *p = i % 2 ? &mine : (struct large *)&x[2 * i];
    struct large *q = i % 3 ? &mine : (struct large *)&x[2 * i + 1];
    for (int k = 0; k < 100; k++)
        p->word[k] = i * k + 7;
    if (p != q)
        *q = *p;
    for (int k = 0; k < 100; k++) {
        uint v = p->word[k] + q->word[k];
        x[2 * i].word[k] = v / 2;
        x[2 * i + 1].word[k] = v / 2;
    }
}

// Atomics of private memory, which no other work-item sees; an element that is
// chosen at run time keeps them in memory.
// @kernel own_atomics
// @grid 32 @local 32
// @inout o u32 [7] * 32 * 12
// @def op(k, i): return (7 + i, 7 - i, 7 & i, 7 | i, 7 ^ i, max(7, i - 9), min(7, i - 9), max(7, i), min(7, i), i, 20 if i == 7 else 7, 5)[k]
// @expect o = [op(k, i) for i in range(32) for k in range(12)]
kernel void
own_atomics(global uint *o)
{
    atomic_uint a[12];
    int i = get_global_id(0);
    uint seven = o[i * 12], e = i;
    for (int k = 0; k < 12; k++)
        atomic_init(a + (k + i) % 12, k == 11 - i % 12 ? seven : 7);
    atomic_fetch_add(a, i);
    atomic_fetch_sub(a + 1, i);
    atomic_fetch_and(a + 2, i);
    atomic_fetch_or(a + 3, i);
    atomic_fetch_xor(a + 4, i);
    atomic_fetch_max((atomic_int *)(a + 5), i - 9);
    atomic_fetch_min((atomic_int *)(a + 6), i - 9);
    atomic_fetch_max(a + 7, i);
    atomic_fetch_min(a + 8, i);
    atomic_exchange(a + 9, i);
    atomic_compare_exchange_strong(a + 10, &e, 20);
    if (i == 7 ? e != 7 : e != seven)
        atomic_store(a + 10, 99);
    atomic_store(a + 11, atomic_load(a + 11) - 2);
    for (int k = 0; k < 12; k++)
        o[i * 12 + k] = atomic_load(a + k);
}
