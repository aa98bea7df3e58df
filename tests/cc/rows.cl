// SPDX-License-Identifier: Apache-2.0
// @options -cl-std=CL3.0
// Sub-groups of kernels that take rows of 8 or 16 work-items for granted and require no
// size: such a kernel of OpenCV, a product of matrices, had wrong values.

// @kernel eight
// @grid 8,4 @local 8,4
// @out to u32 64
// @expect to = [8 * (i // 8) + 3 if i < 32 else 8 for i in range(64)]
__attribute__((reqd_work_group_size(8, 4, 1))) kernel void
eight(global uint *to)
{
    uint i = get_local_id(1) * 8 + get_local_id(0);
    to[i] = intel_sub_group_shuffle(i, 3);
    to[32 + i] = get_sub_group_size();
}

uint
neighbour(uint x)
{
    return intel_sub_group_shuffle_xor(x, 1);
}

// @kernel sixteen
// @grid 16,2 @local 16,2
// @out to u32 64
// @expect to = [i ^ 1 if i < 32 else (i - 32) // 16 for i in range(64)]
__attribute__((reqd_work_group_size(16, 2, 1))) kernel void
sixteen(global uint *to)
{
    uint i = get_local_id(1) * 16 + get_local_id(0);
    to[i] = neighbour(i);
    to[32 + i] = get_sub_group_id();
}

// A single row is no reason, nor are functions of other extensions.
// @kernel one_row
// @grid 16 @local 16
// @out to u32 16
// @expect to = [16] * 16
__attribute__((reqd_work_group_size(16, 1, 1))) kernel void
one_row(global uint *to)
{
    uint i = get_local_id(0);
    to[i] = intel_sub_group_shuffle(get_sub_group_size(), i);
}

// @kernel others
// @grid 8,2 @local 8,2
// @out to u32 16
// @expect to = [16] * 16
__attribute__((reqd_work_group_size(8, 2, 1))) kernel void
others(global uint *to)
{
    to[get_local_id(1) * 8 + get_local_id(0)] = sub_group_reduce_add(1u);
}
