// SPDX-License-Identifier: Apache-2.0
// @options -cl-std=CL2.0
// Locks and flags between the work-items of one warp, in the forms in which programs
// have them.  Each launch ends only if a work-item that others wait for goes on.

#define FENCE() mem_fence(CLK_GLOBAL_MEM_FENCE)
// An update that is wrong if another work-item makes one at the same time.
#define ADD(p, x) (*(volatile global int *)(p) = *(volatile global int *)(p) + (x))

// @kernel flag_form
// @grid 128 @local 64
// @inout lock i32 [0]
// @inout sum i32 [0]
// @expect sum = [128]
// @expect lock = [0]
kernel void
flag_form(global int *lock, global int *sum)
{
    bool waiting = true;
    while (waiting) {
        if (atomic_cmpxchg(lock, 0, 1) == 0) {
            FENCE();
            ADD(sum, 1);
            FENCE();
            atomic_xchg(lock, 0);
            waiting = false;
        }
    }
}

// @kernel break_form
// @grid 128 @local 64
// @inout lock i32 [0]
// @inout sum i32 [0]
// @expect sum = [128]
kernel void
break_form(global int *lock, global int *sum)
{
    for (;;) {
        if (atomic_cmpxchg(lock, 0, 1) == 0) {
            ADD(sum, 1);
            FENCE();
            atomic_xchg(lock, 0);
            break;
        }
    }
}

// @kernel continue_form
// @grid 128 @local 64
// @inout lock i32 [0]
// @inout sum i32 [0]
// @expect sum = [128]
kernel void
continue_form(global int *lock, global int *sum)
{
    for (;;) {
        if (atomic_cmpxchg(lock, 0, 1) != 0)
            continue;
        ADD(sum, 1);
        FENCE();
        atomic_xchg(lock, 0);
        break;
    }
}

// @kernel return_form
// @grid 128 @local 64
// @inout lock i32 [0]
// @inout sum i32 [0]
// @expect sum = [128]
kernel void
return_form(global int *lock, global int *sum)
{
    for (;;) {
        if (atomic_cmpxchg(lock, 0, 1))
            continue;
        ADD(sum, 1);
        FENCE();
        atomic_xchg(lock, 0);
        return;
    }
}

// @kernel goto_form
// @grid 128 @local 64
// @inout lock i32 [0]
// @inout sum i32 [0]
// @expect sum = [128]
kernel void
goto_form(global int *lock, global int *sum)
{
again:
    if (atomic_cmpxchg(lock, 0, 1) != 0)
        goto again;
    ADD(sum, 1);
    FENCE();
    atomic_xchg(lock, 0);
}

// @kernel goto_out
// @grid 128 @local 64
// @inout lock i32 [0]
// @inout sum i32 [0, 0]
// @expect sum = [128, 128]
kernel void
goto_out(global int *lock, global int *sum)
{
    int tries = 0;
    while (true) {
        tries++;
        if (atomic_xchg(lock, 1) == 0)
            goto taken;
        if (tries < 0)
            goto out;
    }
taken:
    ADD(sum, 1);
    FENCE();
    atomic_xchg(lock, 0);
out:
    atomic_inc(sum + 1);
}

// @kernel switch_form
// @grid 128 @local 64
// @inout lock i32 [0]
// @inout sum i32 [0]
// @expect sum = [128]
kernel void
switch_form(global int *lock, global int *sum)
{
    int state = 0;
    while (state != 3) {
        switch (state) {
        case 0:
            if (atomic_cmpxchg(lock, 0, 1) == 0)
                state = 1;
            break;
        case 1:
            ADD(sum, 1);
            state = 2;
            break;
        case 2:
            FENCE();
            atomic_xchg(lock, 0);
            state = 3;
            break;
        }
    }
}

// @kernel behind_loop
// @grid 128 @local 64
// @inout lock i32 [0]
// @inout sum i32 [0]
// @out z i32 128
// @expect sum = [128]
// @expect z = [3 * i + 1 for i in range(128)]
kernel void
behind_loop(global int *lock, global int *sum, global int *z)
{
    int i = get_global_id(0);
    while (atomic_cmpxchg(lock, 0, 1) != 0)
        ;
    ADD(sum, 1);
    FENCE();
    atomic_xchg(lock, 0);
    z[i] = 3 * i + 1;
}

// @kernel plain_release
// @grid 64 @local 64
// @inout lock i32 [0]
// @inout sum i32 [0]
// @expect sum = [64]
kernel void
plain_release(volatile global int *lock, global int *sum)
{
    while (atomic_cmpxchg(lock, 0, 1) != 0)
        ;
    ADD(sum, 1);
    FENCE();
    *lock = 0;
}

// @kernel test_and_test
// @grid 128 @local 64
// @inout lock i32 [0]
// @inout sum i32 [0]
// @expect sum = [128]
kernel void
test_and_test(volatile global int *lock, global int *sum)
{
    do {
        while (*lock != 0)
            ;
    } while (atomic_xchg(lock, 1) != 0);
    ADD(sum, 1);
    FENCE();
    atomic_xchg(lock, 0);
}

// @kernel try_lock
// @grid 128 @local 64
// @inout lock i32 [0]
// @inout sum i32 [0]
// @inout done i32 [0]
// @expect sum = [128]
// @expect done = [128]
kernel void
try_lock(global int *lock, global int *sum, global int *done)
{
    int work = 0;
    while (true) {
        if (atomic_cmpxchg(lock, 0, 1) == 0)
            break;
        work = work * 3 + 1;
    }
    ADD(sum, 1);
    FENCE();
    atomic_xchg(lock, 0);
    if (work >= 0 || work < 0)
        atomic_inc(done);
}

// @kernel ticket
// @grid 128 @local 64
// @inout next i32 [0]
// @inout now i32 [0]
// @inout sum i32 [0]
// @expect sum = [128]
// @expect now = [128]
kernel void
ticket(global int *next, volatile global int *now, global int *sum)
{
    int mine = atomic_inc(next);
    while (*now != mine)
        ;
    ADD(sum, 1);
    FENCE();
    *now = mine + 1;
}

// @kernel bit_lock
// @grid 64 @local 64
// @inout word i32 [6]
// @inout sum i32 [0]
// @expect sum = [64]
// @expect word = [6]
kernel void
bit_lock(volatile global int *word, global int *sum)
{
    int old;
    do {
        old = *word;
    } while (old & 1 || atomic_cmpxchg(word, old, old | 1) != old);
    ADD(sum, 1);
    FENCE();
    atomic_and(word, ~1);
}

// A pointer that comes from private memory may be any: the lock was taken for another one
// than that which is given back.
struct guard {
    volatile global int *lock;
    volatile global int *data;
};

void
guard_take(struct guard *g)
{
    while (atomic_cmpxchg(g->lock, 0, 1) != 0)
        ;
}

void
guard_give(struct guard *g)
{
    FENCE();
    atomic_xchg(g->lock, 0);
}

// @kernel lock_in_a_struct
// @grid 128 @local 64
// @inout lock i32 [0]
// @inout sum i32 [0]
// @expect sum = [128]
kernel void
lock_in_a_struct(global int *lock, global int *sum)
{
    struct guard g = { lock, sum };
    guard_take(&g);
    g.data[0]++;
    guard_give(&g);
}

// @kernel lock_of_a_struct_given_back_by_name
// @grid 128 @local 64
// @inout lock i32 [0]
// @inout sum i32 [0]
// @expect sum = [128]
kernel void
lock_of_a_struct_given_back_by_name(global int *lock, global int *sum)
{
    struct guard g = { lock, sum };
    guard_take(&g);
    g.data[0]++;
    FENCE();
    atomic_xchg(lock, 0);
}

// @kernel lock_of_an_array_of_pointers
// @grid 128 @local 64
// @inout lock i32 [0]
// @inout sum i32 [0]
// @in one i32 [1]
// @expect sum = [128]
kernel void
lock_of_an_array_of_pointers(global int *lock, global int *sum, global const int *one)
{
    volatile global int *which[2] = { lock, sum };
    while (atomic_cmpxchg(which[*one - 1], 0, 1) != 0)
        ;
    which[*one & 1][0]++;
    FENCE();
    atomic_xchg(which[*one ^ 1], 0);
}

// Neither is it known what an address is that is computed as a number.
// @kernel flag_at_a_computed_address
// @grid 64 @local 64
// @inout flag i32 [0] * 32
// @in zero i32 [0]
// @out done i32 64
// @expect done = [1] * 64
kernel void
flag_at_a_computed_address(volatile global int *flag, global const int *zero,
                           global int *done)
{
    int g = get_global_id(0);
    volatile global int *same = (volatile global int *)((uintptr_t)flag ^ (uintptr_t)*zero);
    if (g & 1)
        while (flag[g / 2] == 0)
            ;
    else
        same[g / 2] = 1;
    done[g] = 1;
}

// A result that goes through private memory decides the loop as well.
// @kernel result_in_a_volatile_variable
// @grid 128 @local 64
// @inout lock i32 [0]
// @inout sum i32 [0]
// @expect sum = [128]
kernel void
result_in_a_volatile_variable(global int *lock, global int *sum)
{
    volatile int got = 0;
    while (!got)
        got = atomic_cmpxchg(lock, 0, 1) == 0;
    ADD(sum, 1);
    FENCE();
    atomic_xchg(lock, 0);
}

// @kernel result_in_an_array
// @grid 128 @local 64
// @inout lock i32 [0]
// @inout sum i32 [0]
// @in three i32 [3]
// @expect sum = [128]
kernel void
result_in_an_array(global int *lock, global int *sum, global const int *three)
{
    int state[4] = { 1, 1, 1, 1 }, k = *three & 3;
    while (state[k])
        state[k] = atomic_cmpxchg(lock, 0, 1);
    state[(k + 1) & 3] = 2;
    ADD(sum, state[*three & 1] != 5);
    FENCE();
    atomic_xchg(lock, 0);
}

struct attempts {
    int done, n;
};

int
attempt(struct attempts *a, global int *lock)
{
    a->n++;
    if (atomic_cmpxchg(lock, 0, 1) == 0)
        a->done = 1;
    return a->done;
}

// @kernel result_in_a_struct
// @grid 128 @local 64
// @inout lock i32 [0]
// @inout sum i32 [0]
// @expect sum = [128]
kernel void
result_in_a_struct(global int *lock, global int *sum)
{
    struct attempts a = { 0, 0 };
    while (!attempt(&a, lock))
        ;
    ADD(sum, a.n > 0);
    FENCE();
    atomic_xchg(lock, 0);
}
