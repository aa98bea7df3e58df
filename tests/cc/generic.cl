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
