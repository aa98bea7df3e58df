// SPDX-License-Identifier: Apache-2.0
// @options -cl-std=CL3.0
// Locks in kernels that call functions of sub-groups: work-items that have left a loop with
// the lock do not wait, before they free it, for those that want it.

#define ADD(p, x) (*(volatile global int *)(p) = *(volatile global int *)(p) + (x))

// @kernel break_form
// @grid 128 @local 64
// @inout lock i32 [0]
// @inout sum i32 [0]
// @out all i32 128
// @expect sum = [128]
// @expect all = [1] * 128
kernel void
break_form(global int *lock, global int *sum, global int *all)
{
    for (;;) {
        if (atomic_cmpxchg(lock, 0, 1) == 0) {
            ADD(sum, 1);
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            atomic_xchg(lock, 0);
            break;
        }
    }
    all[get_global_id(0)] = sub_group_non_uniform_reduce_add(1) == get_sub_group_size();
}

// @kernel inner_exit
// @grid 128 @local 64
// @inout lock i32 [0]
// @inout sum i32 [0]
// @out all i32 128
// @expect sum = [2 * 96]
// @expect all = [1] * 128
kernel void
inner_exit(global int *lock, global int *sum, global int *all)
{
    int i = get_global_id(0);
    for (int done = 0;;) {
        if (i % 4) {
            if (done == 2)
                break;
            if (atomic_cmpxchg(lock, 0, 1) != 0)
                continue;
            ADD(sum, 1);
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            atomic_xchg(lock, 0);
            done++;
        } else {
            break;
        }
    }
    all[i] = sub_group_non_uniform_reduce_add(1) == get_sub_group_size();
}

// @kernel turns
// @grid 64 @local 64
// @inout turn i32 [0]
// @out all i32 64
// @expect turn = [64]
// @expect all = [1] * 64
kernel void
turns(volatile global int *turn, global int *all)
{
    int i = get_global_id(0);
    while (true) {
        if (*turn == i) {
            *turn = i + 1;
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            if (i >= 0)
                break;
        }
    }
    all[i] = sub_group_non_uniform_reduce_add(1) == get_sub_group_size();
}
