/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels like those of mistakes.cl without the mistake: nothing is reported. */

kernel void
bounds(global int *out, int n)
{
    int i = get_global_id(0);
    if (i < n)
        out[i] = i;
}

kernel void
reduce(global int *in, global int *out)
{
    local int tile[64];
    int i = get_local_id(0);
    tile[i] = in[get_global_id(0)];
    for (int step = 32; step; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i < step)
            tile[i] += tile[i + step];
    }
    if (i == 0)
        out[get_group_id(0)] = tile[0];
}

kernel void
histogram(global int *in, global int *out)
{
    local int count[8];
    int i = get_local_id(0);
    if (i < 8)
        count[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&count[in[get_global_id(0)] & 7]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < 8)
        atomic_add(&out[i], count[i]);
}

kernel void
through_global(global int *data)
{
    int i = get_local_id(0), first = get_group_id(0) * 64;
    for (int turn = 0; turn < 4; turn++) {
        int other = data[first + (i + 7) % 64];
        barrier(CLK_GLOBAL_MEM_FENCE);
        data[first + i] = other;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}

/* One work-item passes a value to all others by release and acquire. */
kernel void
handover(global int *data, global atomic_int *ready, global int *out)
{
    int i = get_global_id(0);
    if (i == 0) {
        data[0] = 42;
        atomic_store_explicit(ready, 1, memory_order_release,
                              memory_scope_device);
    }
    if (atomic_load_explicit(ready, memory_order_acquire,
                             memory_scope_device) == 1)
        out[i] = data[0];
}

/* The same through local memory, where an atomic load is a load and a fence. */
kernel void
local_handover(global int *out)
{
    local int data;
    local atomic_int ready, count;
    int i = get_local_id(0);
    if (i == 0) {
        atomic_init(&ready, 0);
        atomic_init(&count, 0);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i == 63) {
        data = 42;
        atomic_store_explicit(&ready, 1, memory_order_release,
                              memory_scope_work_group);
    }
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed,
                              memory_scope_work_group);
    out[get_global_id(0)] = atomic_load_explicit(&count, memory_order_relaxed,
                                                 memory_scope_work_group);
    if (atomic_load_explicit(&ready, memory_order_acquire,
                             memory_scope_work_group) == 1)
        out[get_global_id(0)] = data;
}

/* Bytes of one word, each of a work-item of its own. */
kernel void
bytes(global uchar *out)
{
    int i = get_global_id(0);
    out[i] = i;
}

/* Private arrays, indices within; unwritten elements that are not used. */
kernel void
private_array(global int *out)
{
    int mine[8];
    int i = get_global_id(0);
    for (int k = 0; k < 4; k++)
        mine[(k + i) & 7] = k;
    out[i] = mine[i & 7];
}

/* A value that nothing wrote is moved and masked, and decides nothing. */
kernel void
unused(global int *never, global int *out)
{
    int i = get_global_id(0);
    out[i] = (never[i] & 0) + i;
}

/* The library exchanges values through local memory while the warp runs in step. */
kernel void
collectives(global int *out)
{
    local int before;
    int x = get_sub_group_local_id();
    int sum = sub_group_reduce_add(x) + sub_group_scan_exclusive_add(x);
    before = 7;
    sum += sub_group_broadcast(x + sum, 2) + sub_group_all(x < 5);
    sum += work_group_scan_inclusive_max(x) + sub_group_scan_inclusive_min(x);
    out[get_global_id(0)] = sum + before;
}

/* Operands of 32 bits with a result of 64: the register beside one is no operand. */
kernel void
widened(global float *in, global uchar *out)
{
    int i = get_global_id(0);
    double x = in[i];
    out[i] = convert_uchar_sat(x * 0.5);
}

/* On version 2 pages of code begin with accesses that have a prefix. */
kernel void
pages(global uint *out)
{
    local uint2 same[64];
    uint i = get_local_id(0), x = i;
    same[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int k = 0; k < 1000; k++) {
        uint2 y = same[x];
        x = y.x & y.y;
    }
    out[i] = x;
}

/* A lock that the work-items of a warp take one after the other, each inside the
 * loop. */
kernel void
lock_in_branch(global int *lock, global int *sum)
{
    for (int done = 0; !done;) {
        if (atomic_cmpxchg(lock, 0, 1) == 0) {
            atomic_add(sum, 1);
            atomic_xchg(lock, 0);
            done = 1;
        }
    }
}

/* ... and here behind it. */
kernel void
lock_behind_loop(global int *lock, global int *sum)
{
    while (atomic_cmpxchg(lock, 0, 1) != 0)
        ;
    atomic_add(sum, 1);
    atomic_xchg(lock, 0);
}

/* One work-item ends the wait of the others of its warp. */
kernel void
flag_in_branch(volatile global int *flag)
{
    if (get_local_id(0) != 0)
        while (flag[0] == 0)
            ;
    else
        atomic_xchg(flag, 1);
}

/* Work-groups that wait for the one before: each spins for long. */
kernel void
chain_of_groups(global int *at)
{
    global atomic_int *turn = (global atomic_int *)at;
    if (get_local_id(0) == 0) {
        while (atomic_load(turn) != (int)get_group_id(0))
            ;
        for (int volatile i = 0; i < 30000; i++)
            ;
        atomic_store(turn, (int)get_group_id(0) + 1);
    }
}

/* A long loop that changes registers alone. */
kernel void
counts_down(global int *out, int n)
{
    uint x = 1;
    for (int i = n; i; i--)
        x = x * 1664525 + i;
    out[get_global_id(0)] = x;
}

/* Sub-buffers that lie beside each other, or one and its whole buffer. */
kernel void
parts(global int *in, global int *out)
{
    int i = get_global_id(0);
    if (i == 0)
        in[64] = out[0];
}

/* Structures whose padding, bytes and whole words of it, nothing has written. */
struct inner {
    char a;
    int b;
    char c;
};

struct outer {
    int a;
    long b;
    char c;
    struct inner d;
};

kernel void
padding(global struct outer *out)
{
    struct outer x;
    x.a = x.b = x.c = 1;
    x.d.a = x.d.b = x.d.c = 2;
    out[get_global_id(0)] = x;
}

kernel void
padding_by_local(global struct outer *out, local struct outer *scratch)
{
    int i = get_local_id(0);
    struct outer x = { .c = 3 };
    x.d = (struct inner){ 4, 5, 6 };
    scratch[i] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = scratch[63 - i];
}

/* The address behind an array; an array of one element at the end, which has more. */
struct with_tail {
    int n;
    int tail[1];
};

kernel void
array_ends(global int *in, global int *out)
{
    int own[5];
    int i = get_local_id(0), sum = 0;
    for (int k = 0; k < 5; k++)
        own[(k + i) % 5] = k;
    for (const int *p = own; p != &own[5]; p++)
        sum += *p;
    global struct with_tail *x = (global struct with_tail *)in;
    out[i] = sum + x->tail[i];
}

/* Outside where the sampler says what that is, or by a layer's rules. */
kernel void
image_inside(read_only image2d_t from, global int *out)
{
    const sampler_t border = CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
    const sampler_t edge = CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
    const sampler_t open = CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
    int i = get_global_id(0);
    float4 sum = read_imagef(from, border, (int2)(i - 8, i));
    sum += read_imagef(from, edge, (float2)(i, -i));
    sum += read_imagef(from, open, (float2)(i / 8 + 0.9f, i % 8));
    out[i] = (int)(sum + read_imagef(from, (int2)(i % 8, i / 8))).x;
}

/* Work-group 0 hands data to others of its own, with the scope of a work-group, and one
 * of these to the other work-group, where again another work-item reads it. */
kernel void
handed_on(global atomic_int *flag, global int *data, global int *out)
{
    const memory_scope mine = memory_scope_work_group;
    local atomic_int inside;
    int first = get_local_id(0) == 0, last = get_local_id(0) == 63;
    if (first)
        atomic_init(&inside, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_group_id(0) == 0) {
        if (last) {
            data[0] = 7;
            atomic_store_explicit(&inside, 1, memory_order_release, mine);
        }
        if (first) {
            while (!atomic_load_explicit(&inside, memory_order_acquire, mine))
                ;
            atomic_store(flag, 1);
        }
    } else {
        if (first) {
            while (!atomic_load(flag))
                ;
            atomic_store_explicit(&inside, 1, memory_order_release, mine);
        }
        if (last) {
            while (!atomic_load_explicit(&inside, memory_order_acquire, mine))
                ;
            out[0] = data[0];
        }
    }
}

/* A flag in global memory for each work-group, and its scope. */
kernel void
scope_of_each(global atomic_int *flag, global int *data, global int *out)
{
    const memory_scope mine = memory_scope_work_group;
    int g = get_group_id(0);
    if (get_local_id(0) == 0) {
        data[g] = 42;
        atomic_store_explicit(&flag[g], 1, memory_order_release, mine);
    }
    if (get_local_id(0) == 63) {
        while (!atomic_load_explicit(&flag[g], memory_order_acquire, mine))
            ;
        out[g] = data[g];
    }
}

/* Vectors at any word by vload and vstore, and in packed structures; local memory. */
struct __attribute__((packed)) packed {
    int first;
    int4 rest;
};

kernel void
aligned(global int *in, global int *out, local int *scratch)
{
    global struct packed *p = (global struct packed *)in;
    local int4 own[8];
    int i = get_global_id(0);
    own[i] = vload4(i, in + 1) + p[i & 1].rest;
    vstore4(own[i], i, scratch + 3);
    local long *pairs = (local long *)(scratch + 36 + 2 * i);
    *pairs = 3;
    ((global int4 *)out)[i] = own[i] + vload4(i, scratch + 3) + (int)*pairs;
}

/* Private memory by generic pointers. */
kernel void
generic_private(global int *in, global int *out)
{
    int a = in[0], b = in[1], unwritten[2];
    int *p[2] = { &a, &b };
    int i = get_global_id(0);
    *p[i & 1] += 5;
    int *q = i & 2 ? &unwritten[0] : p[0];
    *q = i;
    out[i] = a + b;
}

kernel void
stores_in_write_only(global int *out)
{
    out[get_global_id(0)] = 1;
}

/* Guarded divisions; shifts take their counts modulo the width. */
kernel void
divides(global const int *in, global int *out)
{
    int i = get_global_id(0), x = in[i];
    int y = x ? 100 / x : 0;
    if (x > 1)
        y += (int)(1000L % (x - 1)) + x / 7;
    out[i] = y + (x << (x + 32));
}

kernel void
relaxed_local_atomics(global int *out)
{
    local atomic_int f;
    int l = get_local_id(0);
    if (l == 0)
        atomic_init(&f, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l % 7 == 3)
        atomic_store_explicit(&f, l, memory_order_relaxed,
                              memory_scope_work_group);
    out[l] = atomic_load_explicit(&f, memory_order_relaxed,
                                  memory_scope_work_group) >= 0;
}

/* The clock of races may start again while the lock is held or taken. */
kernel void
lock_many_times(global int *lock, global int *n, int times)
{
    global atomic_int *l = (global atomic_int *)lock;
    for (int k = 0; k < times; k++) {
        int e = 0;
        while (!atomic_compare_exchange_strong_explicit(
            l, &e, 1, memory_order_acquire, memory_order_relaxed,
            memory_scope_device))
            e = 0;
        *n += 1;
        atomic_store_explicit(l, 0, memory_order_release, memory_scope_device);
    }
}

/* Those of a sub-group read a word, then one of them writes it. */
kernel void
read_by_sub_group(global int *out)
{
    local int t[64];
    int l = get_local_id(0), first = l / 32 * 32;
    t[l] = l;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    int x = t[first];
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (l == first + 5)
        t[first] = x + 1;
    out[l] = x;
}

/* Another work-item's element is read where the condition holds, and nowhere else. */
kernel void
read_if_handed(global int *out)
{
    local int m[1];
    local atomic_int flag;
    int l = get_local_id(0), s = 0;
    if (l == 0) {
        m[0] = 0;
        atomic_init(&flag, 0);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        m[0] = 42;
    if (l == 0)
        atomic_store_explicit(&flag, 1, memory_order_release,
                              memory_scope_work_group);
    if (l == 34)
        while (!atomic_load_explicit(&flag, memory_order_acquire,
                                     memory_scope_work_group))
            ;
    if (l == 34)
        s += m[0];
    out[l] = s;
}

kernel void
reads_write_only(global int *a, global int *out)
{
    int i = get_global_id(0);
    out[i] = a[i];
}

kernel void
reads_far(global int *a, global int *out)
{
    int i = get_global_id(0);
    out[i] = a[i + 1048576];
}

kernel void
fences_of_all(global int *out)
{
    local int t[64];
    int l = get_local_id(0);
    t[l] = l;
    mem_fence(CLK_LOCAL_MEM_FENCE);
    barrier(CLK_GLOBAL_MEM_FENCE);
    mem_fence(CLK_LOCAL_MEM_FENCE);
    out[l] = t[63 - l];
}
