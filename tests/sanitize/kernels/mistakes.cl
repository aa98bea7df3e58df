/* SPDX-License-Identifier: Apache-2.0 */
/* A mistake a kernel.  The comment of a line is what is reported of it. */

kernel void
global_bounds(global int *out, int n)
{
    out[get_global_id(0)] = n; /* out-of-bounds */
}

kernel void
global_bounds_byte(global uchar *out)
{
    size_t i = get_global_id(0);
    out[i * 4 + (i == 63 ? 4 : 0)] = 1; /* out-of-bounds */
}

kernel void
local_bounds(global int *out)
{
    local int tile[64];
    int i = get_local_id(0);
    tile[i + 1] = i; /* local-bounds */
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[i ? i : 1];
}

kernel void
private_bounds(global int *out, int n)
{
    int mine[4] = { 1, 2, 3, 4 };
    int i = get_global_id(0);
    for (int k = 0; k < 4; k++)
        mine[k] += i;
    mine[n + (i & 3)] = 7; /* private-bounds */
    out[i] = mine[i & 3];
}

kernel void
uninitialised(global int *out, global int *never)
{
    int i = get_global_id(0);
    out[i] = never[i] + 1; /* uninitialised-output */
}

kernel void
uninitialised_branch(global int *out, global int *never)
{
    int i = get_global_id(0);
    if (never[i] > 3) /* uninitialised-branch */
        out[i] = i;
}

kernel void
uninitialised_local(global int *out)
{
    local int tile[64];
    int i = get_local_id(0);
    if (i != 5)
        tile[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[63 - i]; /* uninitialised-output */
}

kernel void
race_local(global int *out)
{
    local int tile[64];
    int i = get_local_id(0);
    tile[i] = i;
    out[get_global_id(0)] = tile[63 - i]; /* race */
}

kernel void
race_global(global int *sum)
{
    sum[0] += get_global_id(0); /* race */
}

kernel void
race_groups(global int *flag, global int *out)
{
    if (get_local_id(0) == 0)
        flag[0] = get_group_id(0); /* race */
    out[get_global_id(0)] = 1;
}

kernel void
missing_barrier(global int *out)
{
    local int tile[64];
    int i = get_local_id(0);
    tile[i] = i;
    for (int step = 32; step; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i < step)
            tile[i] += tile[i + step];
    }
    out[get_global_id(0)] = tile[0]; /* race */
}

kernel void
divergent_barrier(global int *out)
{
    local int tile[64];
    int i = get_local_id(0);
    tile[i] = i;
    if (i < 20)
        barrier(CLK_LOCAL_MEM_FENCE); /* divergent-barrier */
    out[get_global_id(0)] = tile[i];
}

kernel void
barrier_by_warp(global int *out)
{
    int i = get_local_id(0);
    if (i < 32)
        barrier(CLK_GLOBAL_MEM_FENCE); /* missing-barrier */
    out[get_global_id(0)] = i;
}

kernel void
misaligned(global uchar *in, global int *out)
{
    int i = get_global_id(0);
    out[i] = *(global int *)(in + 4 * i + 1); /* misaligned */
}

kernel void
null_pointer(global int *p, global int *out)
{
    int i = get_global_id(0);
    out[i] = p[i]; /* null */
}

kernel void
reads_only(global int *in, global int *out)
{
    int i = get_global_id(0);
    out[i] = in[i];
    in[i] = 0; /* permission */
}

kernel void
writes_only(global int *out, global int *log)
{
    int i = get_global_id(0);
    log[i] = out[i]; /* permission */
}

kernel void
endless(global int *out, int n)
{
    volatile global int *p = out;
    while (p[0] != n) /* endless-loop */
        ;
    out[1] = 1;
}

kernel void
no_way_out(global int *out)
{
    volatile global int *p = out;
    int i = 0;
    for (;;)
        p[i++ & 63] = i; /* endless-loop */
}

/* The lane that has the lock waits for the others at a barrier. */
kernel void
lock_of_warp(global int *lock, global int *sum)
{
    while (atomic_cmpxchg(lock, 0, 1) != 0) /* simt-deadlock */
        ;
    barrier(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(lock, 0);
}

kernel void
flag_of_warp(volatile global int *flag)
{
    if (get_local_id(0) != 0)
        while (flag[0] == 0) /* endless-loop */
            ;
    barrier(CLK_GLOBAL_MEM_FENCE);
    flag[0] = 1;
}

kernel void
endless_before_barrier(global int *out, int n)
{
    volatile global int *p = out;
    if (get_local_id(0) < 32)
        while (p[0] != n) /* endless-loop */
            ;
    barrier(CLK_GLOBAL_MEM_FENCE); /* endless-loop */
}

/* What a sub-group function does for itself orders nothing of the kernel's. */
kernel void
race_beside_collective(global int *out)
{
    local int tile[64];
    int i = get_local_id(0);
    int sum = sub_group_reduce_add(i);
    tile[i] = sum;                     /* race */
    out[get_global_id(0)] = tile[i ^ 1]; /* race */
}

/* A store that is refused is left out: it has no race with anything. */
kernel void
refused(global int *in, global int *out)
{
    int i = get_global_id(0);
    out[i] = in[0];
    in[0] = i; /* permission */
}

void
put(global int *to, int i, int x)
{
    to[i] = x; /* out-of-bounds */
}

void
put_both(global int *to, int i)
{
    put(to, i, 1);
    put(to, i + 64, 2);
}

kernel void
inlined_bounds(global int *out)
{
    put_both(out, get_global_id(0));
}

/* The work-item that writes is the first to update, too. */
kernel void
race_before_atomic(global int *sum)
{
    if (get_global_id(0) == 0)
        sum[0] = 0;
    atomic_dec(sum); /* race */
}

/* Of a sub-buffer: the buffer goes on there. */
kernel void
part_bounds(global int *out)
{
    int i = get_global_id(0);
    out[i + 1] = i; /* out-of-bounds */
}

kernel void
part_bounds_scalar(global int *in, global int *out)
{
    int before = in[-1]; /* out-of-bounds */
    out[get_global_id(0)] = before;
}

kernel void
part_bounds_atomic(global int *sum)
{
    atomic_inc(&sum[get_global_id(0) + 1]); /* out-of-bounds */
}

/* The host writes the shared memory again before the next launch. */
kernel void
shared_written(global int *shared, global int *never)
{
    int i = get_global_id(0);
    if (shared[i] < 0)
        never[i] = 1;
    shared[i] = never[i]; /* uninitialised-output */
}

/* The member is none of the padding beside it. */
struct with_padding {
    char first;
    int second;
    long third;
    char last;
};

kernel void
member_unwritten(global struct with_padding *out, global int *in)
{
    struct with_padding x[2];
    int i = get_global_id(0);
    x[in[i] & 1].first = 1;
    x[in[i] & 1].third = 3;
    x[in[i] & 1].last = 4;
    out[i] = x[in[i] & 1]; /* uninitialised-output */
}

/* Arrays that other bytes follow, in a structure, in local memory, in a buffer. */
struct with_array {
    int first;
    char bytes[2];
    short last;
};

kernel void
array_in_struct(global char *out)
{
    volatile struct with_array s = { 1, { 2, 3 }, 4 };
    int i = get_global_id(0);
    s.bytes[i] = i; /* array-bounds */
    out[i] = s.last;
}

kernel void
array_in_local(global int *out)
{
    local int tile[64], more[64];
    int i = get_local_id(0);
    more[i] = i;
    tile[i + 1] = i; /* array-bounds */
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[i ? i : 1] + more[i];
}

kernel void
array_in_buffer(global int (*rows)[4])
{
    rows[0][get_global_id(0)] = 1; /* array-bounds */
}

/* A counter of the work-group that nothing sets to 0. */
kernel void
uninitialised_counter(global int *out)
{
    local int n;
    atomic_add(&n, 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = n; /* uninitialised-output */
}

/* 64 pixels in a row of 8. */
kernel void
image_written_outside(write_only image2d_t to)
{
    write_imagef(to, (int2)(get_global_id(0), 0), 1.0f); /* image-bounds */
}

kernel void
image_read_outside(read_only image2d_t from, global int *out)
{
    int i = get_global_id(0);
    out[i] = (int)read_imagef(from, (int2)(i + 1, 0)).x; /* image-bounds */
}

kernel void
image_sampled_outside(read_only image2d_t from, global int *out)
{
    const sampler_t open = CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
    int i = get_global_id(0);
    out[i] = (int)read_imagef(from, open, (float2)(0.5f, i + 1.5f)).x; /* image-bounds */
}

/* The other work-group is not in the scope of the release. */
kernel void
scope_of_group(global atomic_int *flag, global int *data, global int *out)
{
    const memory_scope mine = memory_scope_work_group;
    if (get_local_id(0))
        return;
    if (get_group_id(0) == 0) {
        data[0] = 42;
        atomic_store_explicit(flag, 1, memory_order_release, mine);
    } else {
        while (!atomic_load_explicit(flag, memory_order_acquire, mine))
            ;
        out[0] = data[0]; /* race */
    }
}

/* The fences order local memory only. */
kernel void
fence_of_local(global atomic_int *flag, global int *data, global int *out)
{
    const memory_scope all = memory_scope_device;
    if (get_local_id(0))
        return;
    if (get_group_id(0) == 0) {
        data[0] = 42;
        atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_release, all);
        atomic_store_explicit(flag, 1, memory_order_relaxed, all);
    } else {
        while (!atomic_load_explicit(flag, memory_order_relaxed, all))
            ;
        atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acquire, all);
        out[0] = data[0]; /* race */
    }
}

/* Not at multiples of 16 bytes. */
kernel void
misaligned_vector(global int *in, global int *out)
{
    global const int4 *from = (global const int4 *)(in + 1);
    int i = get_global_id(0);
    out[i] = from[i].x; /* misaligned */
}

kernel void
misaligned_double(global int *in, global int *out)
{
    int i = get_global_id(0);
    *(global double *)&out[4 * i + (i & 1)] = 1.0; /* misaligned */
    out[63] = in[0];
}

kernel void
divergent_sub_group(global int *in, global int *out)
{
    int i = get_global_id(0);
    if (in[i] & 1) {
        sub_group_barrier(CLK_LOCAL_MEM_FENCE); /* divergent-barrier */
        out[i] = 1;
    }
}

kernel void
counts_in_write_only(global int *out)
{
    atomic_inc(out + get_global_id(0)); /* permission */
}

kernel void
divides_by_zero(global const int *in, global int *out)
{
    int i = get_global_id(0);
    out[i] = 7 / in[i]; /* division-by-zero */
    out[i] += 7u % (uint)(in[i] & 1 ? 1 : in[i] - 2); /* division-by-zero */
    out[i] += (int)(7L / (in[i] - 3));                /* division-by-zero */
}

/* One behind the end of h has an address, and is in the next array. */
kernel void
atomic_in_next_array(global int *out, int n)
{
    local int h[16], guard[16];
    int l = get_local_id(0);
    if (l < 16) {
        h[l] = 0; /* it lies before what is used later */
        guard[l] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&h[l % (16 + n)]); /* array-bounds */
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 16)
        out[l] = h[l] + guard[l];
}

kernel void
vector_in_next_array(global int *out)
{
    local int t[16], u[16];
    int l = get_local_id(0);
    t[l] = l;
    u[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 3)
        vstore4((int4)(9), 0, t + 14); /* array-bounds */
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l] + u[l];
}

kernel void
pointer_in_next_private_array(global int *out, int n)
{
    int x[8], y[8], i = get_global_id(0), s = 0;
    for (int k = 0; k < 8; k++) {
        x[k] = i + k;
        y[k] = k;
    }
    int *p = x;
    p[n + (i & 3)] = 77; /* array-bounds */
    for (int k = 0; k < 8; k++)
        s += x[(k + i) & 7] + y[(k * i) & 7];
    out[i] = s;
}

kernel void
in_next_local_argument(local int *a, local int *b, global int *out)
{
    int l = get_local_id(0);
    b[l] = 7;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[l] = l;
    if (l == 63)
        a[l + 1] = 99; /* local-bounds */
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = a[l] + b[l];
}

/* A page lies between the two. */
kernel void
in_other_buffer(global int *a, global int *b, int n)
{
    int i = get_global_id(0);
    b[i] = 1;
    a[i + n] = i; /* out-of-bounds */
}

kernel void
local_atomic_and_plain(global int *out)
{
    local int n;
    int l = get_local_id(0);
    if (l == 0)
        n = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&n);
    out[l] = n; /* race */
}

kernel void
barrier_of_nothing(global int *out)
{
    local int t[64];
    int l = get_local_id(0);
    t[l] = l;
    barrier(0);
    out[l] = t[63 - l]; /* race */
}

kernel void
sub_group_barrier_of_local(global int *a, global int *out)
{
    int l = get_local_id(0);
    a[l] = l;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = a[31 - l]; /* race */
}

/* The group that wrote reads before the other one does. */
kernel void
read_by_writers_first(global int *a, global int *out)
{
    int l = get_local_id(0), i = get_global_id(0);
    int g = get_group_id(0);
    if (g == 0)
        a[l] = l + 5;
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[i] = g == 0 ? a[63 - l] : 0;
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (g == 1)
        out[i] = a[l]; /* race */
}

kernel void
written_after_own_read(global int *out)
{
    local int t[64];
    int l = get_local_id(0);
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l] * 2;
    t[(l + 7) % 64] = l + 3; /* race */
}

/* Only one work-item takes the lock: the others have no order of it. */
kernel void
lock_of_another(global int *out)
{
    local int t[64], lock, held;
    int l = get_local_id(0);
    if (l == 0)
        lock = held = 0;
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l] = l + 1;
    for (int done = l % 8; !done;)
        if (atomic_cmpxchg(&lock, 0, 1) == 0) {
            atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acquire,
                                   memory_scope_work_group);
            held++;
            atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_release,
                                   memory_scope_work_group);
            atomic_xchg(&lock, 0);
            done = 1;
        }
    out[l] = t[63 - l]; /* race */
}

kernel void
fences_of_others(global int *out)
{
    local int t[64];
    int l = get_local_id(0);
    if (l == 5)
        t[l] = l;
    if (l % 32 == 9)
        mem_fence(CLK_LOCAL_MEM_FENCE);
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[l] = l == 40 ? t[5] : 0; /* race */
}
