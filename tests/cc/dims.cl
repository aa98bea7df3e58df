// SPDX-License-Identifier: Apache-2.0
// Local ids of the first dimensions in a launch that has more.
// @kernel first_dim
// @grid 6,4,4 @local 3,2,2
// @inout n u32 [0] * 6
// @expect n = [16] * 6
kernel void
first_dim(global uint *n)
{
    atomic_inc(&n[get_global_id(0)]);
}

// @kernel two_dims
// @grid 6,4,4 @local 3,2,2
// @inout n u32 [0] * 24
// @inout l u32 [0] * 6
// @expect n = [4] * 24
// @expect l = [16] * 6
kernel void
two_dims(global uint *n, global uint *l)
{
    atomic_inc(&n[get_global_id(1) * 6 + get_global_id(0)]);
    atomic_inc(&l[get_local_id(1) * 3 + get_local_id(0)]);
}

// @kernel last_dim
// @grid 6,4,4 @local 3,2,2
// @inout n u32 [0] * 4
// @inout m u32 [0] * 16
// @expect n = [24] * 4
// @expect m = [6] * 16
kernel void
last_dim(global uint *n, global uint *m)
{
    atomic_inc(&n[get_global_id(2)]);
    atomic_inc(&m[get_global_id(2) * 4 + get_global_id(1)]);
}

// The same kernel with fewer dimensions than it asks for.
// @kernel two_dims
// @grid 6 @local 3
// @inout n u32 [0] * 24
// @inout l u32 [0] * 6
// @expect n = [1] * 6 + [0] * 18
// @expect l = [2] * 3 + [0] * 3
