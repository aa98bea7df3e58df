// SPDX-License-Identifier: Apache-2.0
// @options -cl-std=CL2.0
// As locks.cl: tables of locks, several at once, under branches, in functions, in local memory.

#define FENCE() mem_fence(CLK_GLOBAL_MEM_FENCE)
#define ADD(p, x) (*(volatile global int *)(p) = *(volatile global int *)(p) + (x))

// @kernel buckets
// @grid 128 @local 64
// @inout lock i32 [0] * 8
// @inout sum i32 [0] * 8
// @expect sum = [16] * 8
kernel void
buckets(global int *lock, global int *sum)
{
    int b = get_global_id(0) * 5 % 8;
    while (atomic_cmpxchg(lock + b, 0, 1) != 0)
        ;
    ADD(sum + b, 1);
    FENCE();
    atomic_xchg(lock + b, 0);
}

// @kernel uneven_buckets
// @grid 64 @local 64
// @inout lock i32 [0] * 64
// @inout sum i32 [0] * 64
// @expect sum = [3 if i == 5 else 0 if i in (6, 7) else 1 for i in range(64)]
kernel void
uneven_buckets(global int *lock, global int *sum)
{
    int i = get_global_id(0), b = i == 6 || i == 7 ? 5 : i;
    while (atomic_cmpxchg(lock + b, 0, 1) != 0)
        ;
    ADD(sum + b, 1);
    FENCE();
    atomic_xchg(lock + b, 0);
}

// @kernel hash_table
// @grid 128 @local 64
// @inout lock i32 [0] * 4
// @inout head i32 [-1] * 4
// @out next i32 128
// @out count i32 4
// @expect count = [32] * 4
kernel void
hash_table(global int *lock, volatile global int *head, global int *next,
           global int *count)
{
    int i = get_global_id(0), b = i % 4;
    for (bool inserted = false; !inserted;) {
        if (atomic_cmpxchg(lock + b, 0, 1) == 0) {
            next[i] = head[b];
            head[b] = i;
            ADD(count + b, 1);
            FENCE();
            atomic_xchg(lock + b, 0);
            inserted = true;
        }
    }
}

// @kernel under_branch
// @grid 128 @local 64
// @inout lock i32 [0]
// @inout sum i32 [0, 0]
// @expect sum = [85, 43]
kernel void
under_branch(global int *lock, global int *sum)
{
    if (get_global_id(0) % 3) {
        while (atomic_cmpxchg(lock, 0, 1) != 0)
            ;
        ADD(sum, 1);
        FENCE();
        atomic_xchg(lock, 0);
    } else {
        atomic_inc(sum + 1);
    }
}

// @kernel on_both_sides
// @grid 128 @local 64
// @inout lock i32 [0]
// @inout sum i32 [0]
// @expect sum = [85 + 430]
kernel void
on_both_sides(global int *lock, global int *sum)
{
    if (get_global_id(0) % 3) {
        while (atomic_cmpxchg(lock, 0, 1) != 0)
            ;
        ADD(sum, 1);
        FENCE();
        atomic_xchg(lock, 0);
    } else {
        for (;;) {
            if (atomic_xchg(lock, 1) != 0)
                continue;
            ADD(sum, 10);
            FENCE();
            atomic_xchg(lock, 0);
            break;
        }
    }
}

// @kernel taken_in_branch
// @grid 128 @local 64
// @inout lock i32 [0]
// @inout sum i32 [0]
// @expect sum = [sum_(1 + i % 5 for i in range(128) if i % 4)]
kernel void
taken_in_branch(global int *lock, global int *sum)
{
    int i = get_global_id(0);
    if (i % 4)
        while (atomic_cmpxchg(lock, 0, 1) != 0)
            ;
    for (int k = 0; i % 4 && k <= i % 5; k++)
        ADD(sum, 1);
    FENCE();
    if (i % 4)
        atomic_xchg(lock, 0);
}

// @kernel one_for_others
// @grid 64 @local 64
// @inout flag i32 [0]
// @out z i32 64
// @expect z = [7] * 64
kernel void
one_for_others(volatile global int *flag, global int *z)
{
    if (get_local_id(0) != 0)
        while (flag[0] == 0)
            ;
    else
        flag[0] = 7;
    z[get_local_id(0)] = flag[0];
}

// @kernel one_afterwards
// @grid 64 @local 64
// @inout flag i32 [0]
// @expect flag = [1]
kernel void
one_afterwards(volatile global int *flag)
{
    if (get_local_id(0) != 0)
        while (flag[0] == 0)
            ;
    flag[0] = 1;
}

// @kernel chain
// @grid 64 @local 64
// @inout flag i32 [1] + [0] * 64
// @expect flag = list(range(1, 66))
kernel void
chain(volatile global int *flag)
{
    int i = get_global_id(0), x;
    while ((x = flag[i]) == 0)
        ;
    flag[i + 1] = x + 1;
}

// @kernel nested
// @grid 64 @local 64
// @inout lock i32 [0, 0]
// @inout sum i32 [0]
// @expect sum = [64]
kernel void
nested(global int *lock, global int *sum)
{
    while (atomic_cmpxchg(lock, 0, 1) != 0)
        ;
    while (atomic_cmpxchg(lock + 1, 0, 1) != 0)
        ;
    ADD(sum, 1);
    FENCE();
    atomic_xchg(lock + 1, 0);
    atomic_xchg(lock, 0);
}

// @kernel nested_apart
// @grid 64 @local 64
// @inout a i32 [0]
// @inout b i32 [0]
// @inout sum i32 [0, 0]
// @expect sum = [64, 64]
kernel void
nested_apart(global int *a, global int *b, global int *sum)
{
    while (atomic_cmpxchg(a, 0, 1) != 0)
        ;
    ADD(sum, 1);
    while (atomic_cmpxchg(b, 0, 1) != 0)
        ;
    FENCE();
    atomic_xchg(a, 0);
    ADD(sum + 1, 1);
    FENCE();
    atomic_xchg(b, 0);
}

// @kernel in_loop
// @grid 64 @local 64
// @inout lock i32 [0, 0, 0]
// @inout sum i32 [0, 0, 0]
// @expect sum = [sum_(1 for i in range(64) for k in range(i % 7) if (i + k) % 3 == b) for b in range(3)]
kernel void
in_loop(global int *lock, global int *sum)
{
    int i = get_global_id(0);
    for (int k = 0; k < i % 7; k++) {
        int b = (i + k) % 3;
        while (atomic_cmpxchg(lock + b, 0, 1) != 0)
            ;
        ADD(sum + b, 1);
        FENCE();
        atomic_xchg(lock + b, 0);
    }
}

// @kernel two_of_a_table
// @grid 64 @local 64
// @inout lock i32 [0] * 16
// @inout sum i32 [100] * 16
// @expect sum = [100 + 3 * (4 - 4) for k in range(16)]
kernel void
two_of_a_table(global int *lock, global int *sum)
{
    int i = get_global_id(0);
    for (int k = 0; k < 3; k++) {
        int from = (i + 5 * k) % 16, to = (from + 1) % 16;
        int first = min(from, to), second = max(from, to);
        while (atomic_cmpxchg(lock + first, 0, 1) != 0)
            ;
        while (atomic_cmpxchg(lock + second, 0, 1) != 0)
            ;
        ADD(sum + from, -1);
        ADD(sum + to, 1);
        FENCE();
        atomic_xchg(lock + second, 0);
        atomic_xchg(lock + first, 0);
    }
}

// @kernel hand_over_hand
// @grid 64 @local 64
// @inout lock i32 [0] * 9
// @inout sum i32 [0] * 9
// @expect sum = [64] + [sum_(1 for i in range(64) if i % 9 >= n) for n in range(1, 9)]
kernel void
hand_over_hand(global int *lock, global int *sum)
{
    int last = get_global_id(0) % 9, at = 0;
    while (atomic_cmpxchg(lock, 0, 1) != 0)
        ;
    ADD(sum, 1);
    while (at < last) {
        int next = at + 1;
        while (atomic_cmpxchg(lock + next, 0, 1) != 0)
            ;
        FENCE();
        atomic_xchg(lock + at, 0);
        at = next;
        ADD(sum + at, 1);
    }
    FENCE();
    atomic_xchg(lock + at, 0);
}

// @kernel some_hand_over_hand
// @grid 64 @local 64
// @inout lock i32 [0] * 9
// @inout sum i32 [0] * 9
// @expect sum = [64] + [sum_(1 for i in range(64) if i % 9 >= n) if n % 3 else 0 for n in range(1, 9)]
kernel void
some_hand_over_hand(global int *lock, global int *sum)
{
    int last = get_global_id(0) % 9, at = 0;
    while (atomic_cmpxchg(lock, 0, 1) != 0)
        ;
    ADD(sum, 1);
    for (int next = 1; next <= last; next++) {
        if (next % 3) {
            while (atomic_cmpxchg(lock + next, 0, 1) != 0)
                ;
            FENCE();
            atomic_xchg(lock + at, 0);
            at = next;
            ADD(sum + at, 1);
        }
    }
    FENCE();
    atomic_xchg(lock + at, 0);
}

static void
lock_it(volatile global int *lock)
{
    while (atomic_cmpxchg(lock, 0, 1) != 0)
        ;
    FENCE();
}

static void
unlock_it(volatile global int *lock)
{
    FENCE();
    atomic_xchg(lock, 0);
}

// @kernel helpers
// @grid 128 @local 64
// @inout lock i32 [0]
// @inout sum i32 [0]
// @expect sum = [256]
kernel void
helpers(global int *lock, global int *sum)
{
    for (int k = 0; k < 2; k++) {
        lock_it(lock);
        ADD(sum, 1);
        unlock_it(lock);
    }
}

__attribute__((noinline)) void
lock_called(volatile global int *lock)
{
    while (atomic_cmpxchg(lock, 0, 1) != 0)
        ;
    FENCE();
}

__attribute__((noinline)) void
unlock_called(volatile global int *lock)
{
    FENCE();
    atomic_xchg(lock, 0);
}

__attribute__((noinline)) bool
try_called(volatile global int *lock)
{
    return atomic_cmpxchg(lock, 0, 1) == 0;
}

// @kernel called
// @grid 128 @local 64
// @inout lock i32 [0]
// @inout sum i32 [0]
// @expect sum = [256]
kernel void
called(global int *lock, global int *sum)
{
    for (int k = 0; k < 2; k++) {
        lock_called(lock);
        ADD(sum, 1);
        unlock_called(lock);
    }
}

// @kernel try_is_called
// @grid 128 @local 64
// @inout lock i32 [0]
// @inout sum i32 [0]
// @expect sum = [128]
kernel void
try_is_called(global int *lock, global int *sum)
{
    while (!try_called(lock))
        ;
    ADD(sum, 1);
    unlock_called(lock);
}

// @kernel local_lock
// @grid 128 @local 64
// @out z i32 2
// @expect z = [64, 64]
kernel void
local_lock(global int *z)
{
    local int lock, sum;
    if (get_local_id(0) == 0)
        lock = sum = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    while (atomic_cmpxchg(&lock, 0, 1) != 0)
        ;
    *(volatile local int *)&sum = *(volatile local int *)&sum + 1;
    mem_fence(CLK_LOCAL_MEM_FENCE);
    atomic_xchg(&lock, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        z[get_group_id(0)] = sum;
}

// @kernel local_table
// @grid 64 @local 64
// @localmem lock 64
// @out z i32 16
// @expect z = [4] * 16
kernel void
local_table(volatile local int *lock, global int *z)
{
    local int sum[16];
    int i = get_local_id(0), b = i % 16;
    if (i < 16)
        lock[i] = sum[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (;;) {
        if (atomic_xchg(lock + b, 1))
            continue;
        sum[b]++;
        mem_fence(CLK_LOCAL_MEM_FENCE);
        lock[b] = 0;
        break;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < 16)
        z[i] = sum[i];
}

// @kernel before_barrier
// @skip pocl (its work-items meet in each round of a loop in a loop with a barrier)
// @grid 128 @local 64
// @inout lock i32 [0]
// @inout sum i32 [0]
// @out z i32 128
// @expect sum = [3 * 128]
// @expect z = [3] * 128
kernel void
before_barrier(global int *lock, global int *sum, global int *z)
{
    local int rounds;
    for (int k = 0; k < 3; k++) {
        while (atomic_cmpxchg(lock, 0, 1) != 0)
            ;
        ADD(sum, 1);
        FENCE();
        atomic_xchg(lock, 0);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (get_local_id(0) == 0)
            rounds = k + 1;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    z[get_global_id(0)] = rounds;
}

struct node {
    volatile int lock;
    int sum;
    int next;
};

// @kernel nodes
// @grid 64 @local 64
// @inout n i32 [0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, -1]
// @expect n = [0, 64, 1, 0, 64, 2, 0, 64, 3, 0, 64, -1]
kernel void
nodes(global struct node *n)
{
    global struct node *at = n;
    lock_it(&at->lock);
    for (;;) {
        ADD(&at->sum, 1);
        if (at->next < 0)
            break;
        global struct node *next = n + at->next;
        lock_it(&next->lock);
        unlock_it(&at->lock);
        at = next;
    }
    unlock_it(&at->lock);
}

// @kernel readers
// @grid 64 @local 64
// @inout l i32 [0]
// @inout x i32 [0]
// @inout seen i32 [0]
// @expect x = [16]
// @expect seen = [48]
kernel void
readers(volatile global int *l, global int *x, global int *seen)
{
    if (get_global_id(0) % 4 == 0) { /* writes: nobody else is there */
        while (atomic_cmpxchg(l, 0, -1) != 0)
            ;
        ADD(x, 1);
        FENCE();
        atomic_xchg(l, 0);
    } else {
        int n;
        do {
            n = *l;
        } while (n < 0 || atomic_cmpxchg(l, n, n + 1) != n);
        if (*(volatile global int *)x <= 16)
            atomic_inc(seen);
        atomic_dec(l);
    }
}

// @kernel added_floats
// @grid 64 @local 64
// @inout x i32 [0, 0]
// @expect x = [struct.unpack('<i', struct.pack('<f', 64.0))[0], struct.unpack('<i', struct.pack('<f', 128.0))[0]]
kernel void
added_floats(volatile global int *x)
{
    for (int k = 0; k < 2; k++) {
        int old = x[k], before;
        do {
            before = old;
            old = atomic_cmpxchg(x + k, before,
                                 as_int(as_float(before) + 1.0f + k));
        } while (old != before);
    }
}
