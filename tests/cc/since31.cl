// SPDX-License-Identifier: Apache-2.0
// @options -cl-std=CL3.1
// Functions of OpenCL C 3.1 without an extension; each has tests in all versions elsewhere.
// @skip pocl (knows no OpenCL C 3.1)

// @kernel versions
// @out o i32 6
// @expect o = [310, 310, 300, 1, 1, 1]
kernel void
versions(global int *o)
{
    o[0] = __OPENCL_C_VERSION__;
    o[1] = CL_VERSION_3_1;
    o[2] = CL_VERSION_3_0;
    o[3] = __OPENCL_C_VERSION__ >= CL_VERSION_3_1;
    o[4] = __OPENCL_VERSION__ == 310;
#if defined(__opencl_c_int64) && defined(__opencl_c_subgroups) && \
    defined(__opencl_c_integer_dot_product_input_4x8bit) && \
    defined(__opencl_c_integer_dot_product_input_4x8bit_packed) && \
    defined(__opencl_c_atomic_scope_device) && \
    defined(__opencl_c_work_group_collective_functions)
    o[5] = 1;
#else
    o[5] = 0;
#endif
}

// @kernel integers
// @out o u32 5
// @expect o = [0xff5678ff & 0xffff00ff | 0xab00, 0xfffffff7, 7, 0x80000000, 300 - 2]
kernel void
integers(global uint *o)
{
    o[0] = bitfield_insert(0xff5678ffu, 0xabu, 8, 8);
    o[1] = bitfield_extract_signed(0x70u, 4, 4) - 16;
    o[2] = bitfield_extract_unsigned(0x70u, 4, 4);
    o[3] = bit_reverse(1u);
    o[4] = dot((uchar4)(10, 20, 0, 0), (char4)(30, 0, 0, 0)) +
           dot_4x8packed_ss_int(0x1ffu, 0x2u);
}

// @kernel sub_groups
// @grid 64 @local 64
// @out o u32 64
// @expect o = [0] * 64
kernel void
sub_groups(global uint *o)
{
    uint me = get_sub_group_local_id(), n = get_sub_group_size(), wrong = 0;
    wrong += sub_group_shuffle(me, (me * 3 + 1) % n) != (me * 3 + 1) % n;
    wrong += sub_group_shuffle_xor((ushort)me, 1) != (me ^ 1);
    wrong += me && sub_group_shuffle_up(me, 1) != me - 1;
    wrong += me + 1 < n && sub_group_shuffle_down(me, 1) != me + 1;
    wrong += sub_group_rotate((char)me, 1) != (char)((me + 1) % n);
    wrong += sub_group_clustered_rotate(me, 1, 2) != (me ^ 1);
    wrong += sub_group_broadcast((short2)(me, 5), 3).x != 3;
    wrong += sub_group_reduce_max((uchar)me) != n - 1;
    o[get_global_id(0)] = wrong;
}
