// SPDX-License-Identifier: Apache-2.0
// One work-item of each warp of 32 lanes waits for those of other warps: the rounds of such a
// wait are as short as they can be.

// @kernel leaders
// @grid 256 @local 256
// @inout lock i32 [0]
// @inout sum i32 [0]
// @expect sum = [8]
kernel void
leaders(global int *lock, global int *sum)
{
    if (get_local_id(0) % 32)
        return;
    while (atomic_cmpxchg(lock, 0, 1) != 0)
        ;
    *(volatile global int *)sum = *(volatile global int *)sum + 1;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(lock, 0);
}

// The last warp goes first, which fetch serves last.
// @kernel turns
// @skip pocl (it runs one work-item after the other, and the first waits for the last)
// @grid 256 @local 256
// @inout turn i32 [0]
// @expect turn = [8]
kernel void
turns(volatile global int *turn)
{
    if (get_local_id(0) % 32)
        return;
    int mine = 7 - get_local_id(0) / 32;
    while (*turn != mine)
        ;
    *turn = mine + 1;
}
