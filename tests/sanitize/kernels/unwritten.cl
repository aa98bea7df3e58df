/* Variables of the source that are read before they are written: -fcheck-init. */

struct pair_of {
    int a, b;
};

/* Written in one branch only; the other takes what is there. */
kernel void
half_written(global int *out, global int *in)
{
    int i = get_global_id(0), x;
    if (in[i] & 1)
        x = i;
    out[i] = x; /* uninitialised-output */
}

kernel void
never_written(global int *out)
{
    float x;
    out[get_global_id(0)] = (int)(x * 2); /* uninitialised-output */
}

kernel void
branch_on_it(global int *out)
{
    int i = get_global_id(0), x;
    if (x > 3) /* uninitialised-branch */
        out[i] = i;
}

/* The optimiser makes these (i < 100) | (x == 4): the 1 of the one decides. */
kernel void
condition_decides(global int *out)
{
    int i = get_global_id(0), x;
    if (i < 100)
        x = 4;
    out[i] = x == 4 ? 1 : 2;
}

kernel void
either_decides(global int *out)
{
    int i = get_global_id(0), x, c = i < 100;
    if (c || x == 4)
        out[i] = 7;
}

/* No condition: 31 bits are still unknown. */
kernel void
one_bit_is_set(global int *out)
{
    int i = get_global_id(0), flags;
    flags |= 1;
    out[i] = flags; /* uninitialised-output */
}

kernel void
condition_of_some(global int *out)
{
    int i = get_global_id(0), x;
    if (i < 5)
        x = 4;
    out[i] = x == 4 ? 1 : 2; /* uninitialised-output */
}

kernel void
switch_on_it(global int *out)
{
    int i = get_global_id(0), x;
    switch (x) { /* uninitialised-branch */
    case 1: out[i] = 1; break;
    case 2: out[i] = 7; break;
    case 3: out[i] = 9; break;
    default: out[i] = 2; break;
    }
}

kernel void
switch_of_some(global int *out, global int *in)
{
    int i = get_global_id(0), x;
    if (i & 1)
        x = in[i];
    switch (x) { /* uninitialised-branch */
    case 1: out[i] = 1; break;
    case 2: out[i] = 7; break;
    case 3: out[i] = 9; break;
    default: out[i] = 2; break;
    }
}

kernel void
count_without_start(global int *out, global int *in)
{
    int i = get_global_id(0), sum;
    for (int k = 0; k < 4; k++)
        sum += in[(i + k) % 64];
    out[i] = sum; /* uninitialised-output */
}

kernel void
index_of_it(global int *out, global int *in)
{
    int i = get_global_id(0), x;
    if (in[i] > 70)
        x = 3;
    out[i] = in[x & 15]; /* uninitialised-address */
}

kernel void
one_member(global int *out, global int *in)
{
    int i = get_global_id(0);
    struct pair_of p;
    p.a = i;
    if (in[i] > 10)
        p.b = i;
    out[i] = p.a + p.b; /* uninitialised-output */
}

kernel void
last_component(global int4 *out)
{
    int i = get_global_id(0);
    int4 v;
    v.xyz = (int3)(i, 1, 2);
    out[i] = v; /* uninitialised-output */
}

kernel void
half_of_union(global long *out)
{
    int i = get_global_id(0);
    union {
        long whole;
        int low;
    } u;
    u.low = i;
    out[i] = u.whole; /* uninitialised-output */
}

kernel void
last_of_array(global int *out)
{
    int i = get_global_id(0), own[4];
    for (int k = 0; k < 3; k++)
        own[k] = i + k;
    out[i] = own[i & 3]; /* uninitialised-output */
}

kernel void
wide(global long *out, global int *in)
{
    int i = get_global_id(0);
    long x;
    if (in[i] < 50)
        x = 7;
    out[i] = x; /* uninitialised-output */
}

static int
may_set(int *x, int if_so)
{
    if (if_so)
        *x = 5;
    return if_so;
}

kernel void
ignores_the_answer(global int *out, global int *in)
{
    int i = get_global_id(0), x;
    may_set(&x, in[i] > 20);
    out[i] = x; /* uninitialised-output */
}

kernel void
through_a_builtin(global float4 *out)
{
    int i = get_global_id(0);
    float4 v, whole;
    v.xyw = 0.5f;
    out[i] = fract(v, &whole); /* uninitialised-output */
}

/* ---- without a mistake ---- */

kernel void
same_condition(global int *out, global int *in)
{
    int i = get_global_id(0), x;
    if (in[i] & 1)
        x = i;
    out[i] = in[i] & 1 ? x : -1;
}

kernel void
asks_the_answer(global int *out, global int *in)
{
    int i = get_global_id(0), x;
    if (may_set(&x, in[i] > 20))
        out[i] = x;
}

kernel void
in_each_round(global int *out, global int *in)
{
    int i = get_global_id(0), sum = 0;
    for (int k = 0; k < 8; k++) {
        int x;
        if (k & 1)
            x = in[(i + k) % 64];
        else
            x = k;
        sum += x;
    }
    out[i] = sum;
}

kernel void
three_of_four(global int *out)
{
    int i = get_global_id(0);
    float3 v;
    v.x = i;
    v.y = 1;
    v.z = 2;
    vstore3(v, i, (global float *)out);
}

kernel void
copied_only(global int *out)
{
    int i = get_global_id(0);
    struct pair_of p, q;
    p.a = i;
    q = p;
    out[i] = q.a;
}

kernel void
by_switch(global int *out, global int *in)
{
    int i = get_global_id(0), x;
    switch (in[i] % 3) {
    case 0: x = 1; break;
    case 1: x = i; break;
    default: x = 2; break;
    }
    out[i] = x;
}

kernel void
masked(global int *out)
{
    int i = get_global_id(0);
    uint x;
    x = (x & 0) | i;
    out[i] = x * 2;
}


/* Padding behind `a` is copied with it, word by word. */
struct padded {
    char a;
    int b[3];
    ushort c;
    long d;
    uchar4 e;
};

struct padded_pair {
    struct padded s;
    int first;
};

static struct padded_pair
by_value(struct padded s, int x, int y)
{
    struct padded both[2] = { s, s };
    int a = x;
    if ((x ^ y) & 3) {
        a |= both[x & 1].a;
        s.b[0] = y;
    }
    struct padded_pair p = { both[y & 1], a ^ s.c };
    return p;
}

kernel void
padding_in_copies(global int *out, global int *in)
{
    int i = get_global_id(0), x = in[i];
    struct padded s = { 1, { 2, i, 4 }, 5, i, (uchar4)(i) };
    struct padded list[2] = { s, s };
    for (int k = 0; k < (i & 3); k++)
        x += list[x / ((in[i] & 7) | 1) & 1].b[2];
    out[i] = by_value(list[0], x, 2).first;
}

/* The array of an iteration that is over. */
kernel void
scope_is_over(global int *out, global const int *in)
{
    int i = get_global_id(0), *p = 0;
    for (int k = 0; k < 2; k++) {
        int mine[2] = { in[k], in[k + 1] };
        if (k == 0)
            p = mine;
    }
    out[i] = p[i & 1]; /* uninitialised-output */
}

/* The value is in the scope, the pointer is used in it. */
kernel void
scope_lasts(global int *out, global const int *in)
{
    int i = get_global_id(0), sum = 0;
    for (int k = 0; k < 2; k++) {
        int mine[2] = { in[k], in[k + 1] };
        int *p = mine;
        sum += p[i & 1];
    }
    out[i] = sum;
}

__attribute__((noinline)) int *
make_array(int n)
{
    int mine[4] = { n, n, n, n };
    int *volatile p = mine;
    return p;
}

__attribute__((noinline)) int
use_array(int n)
{
    int mine[8];
    for (int k = 0; k < 8; k++)
        mine[k] = n * k;
    return mine[n & 7];
}

/* The memory of a function that has returned, and of the next one. */
kernel void
frame_is_over(global int *out, global const int *in)
{
    int n = in[3], *p = make_array(n), other = use_array(n);
    out[get_global_id(0)] = other + p[2]; /* uninitialised-output */
}

__attribute__((noinline)) void
fill_array(int *to, int n)
{
    char bytes[3] = { n, n + 1, n + 2 };
    for (int k = 0; k < 4; k++)
        to[k] = use_array(n) + bytes[k % 3];
}

kernel void
frame_of_caller(global int *out, global const int *in)
{
    int mine[4];
    fill_array(mine, in[3]);
    out[get_global_id(0)] = mine[1] + use_array(2);
}

kernel void
shuffled_by_it(global int *out, global const int *in)
{
    int i = get_global_id(0);
    uint4 mask;
    mask.s012 = (uint3)(3, 2, 1);
    vstore4(shuffle(vload4(0, in), mask), i, out); /* uninitialised-output */
}

/* What a check of an index compares is an address. */
kernel void
index_with_bounds(global int *out)
{
    int list[] = { 1, 2, 3 };
    volatile int i, j;
    list[i] = 4;                        /* uninitialised-address */
    out[get_global_id(0)] = list[j]; /* uninitialised-address */
}

kernel void
printed(global int *out)
{
    int x, i = get_global_id(0);
    if (i)
        return;
    printf("%d %d\n", i, x); /* uninitialised-output */
    printf("%s %d\n", "nothing is unwritten", i);
}

kernel void
byte_of_word(global int *out)
{
    int i = get_global_id(0);
    uchar c[4];
    c[0] = i;
    c[1] = 1;
    c[3] = 2;
    out[i] = *(int *)c; /* uninitialised-output */
}

kernel void
half_of_long(global long *out)
{
    int i = get_global_id(0);
    struct { ushort a[2]; ushort b, c; } s;
    s.a[0] = i;
    s.a[1] = s.b = 1;
    out[i] = *(long *)&s; /* uninitialised-output */
}

kernel void
all_bytes_of_word(global int *out)
{
    int i = get_global_id(0);
    uchar c[8];
    for (int k = 0; k < 4; k++)
        c[k] = i + k;
    out[i] = *(int *)c;
}

struct apart { char c; int i; };

kernel void
padding_of_copy(global struct apart *out)
{
    int i = get_global_id(0);
    struct apart a;
    a.c = 1;
    a.i = i;
    out[i] = a;
}

kernel void
padding_compared(global int *out)
{
    int i = get_global_id(0);
    struct apart a, b;
    a.c = b.c = 1;
    a.i = b.i = i;
    uint *x = (uint *)&a, *y = (uint *)&b;
    out[i] = x[0] == y[0] ? 1 : 2; /* uninitialised-output */
}
