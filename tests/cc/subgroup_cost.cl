// SPDX-License-Identifier: Apache-2.0
// Functions of sub-groups and the same by hand, through local memory.
kernel void
none(global const float *x, global float *o)
{
    int i = get_global_id(0);
    o[i] = x[i];
}

#define SUB_GROUP(NAME, T)                                             \
    kernel void sub_##NAME##_##T(global const T *x, global T *o)       \
    {                                                                  \
        int i = get_global_id(0);                                      \
        o[i] = sub_group_##NAME##_add(x[i]);                           \
    }
#define REDUCE(T)                                                      \
    SUB_GROUP(reduce, T)                                               \
    kernel void local_reduce_##T(global const T *x, global T *o)       \
    {                                                                  \
        local T sum[32];                                               \
        int i = get_global_id(0), me = get_local_id(0);                \
        sum[me] = x[i];                                                \
        barrier(CLK_LOCAL_MEM_FENCE);                                  \
        for (int d = get_local_size(0) / 2; d > 0; d /= 2) {           \
            if (me < d)                                                \
                sum[me] += sum[me + d];                                \
            barrier(CLK_LOCAL_MEM_FENCE);                              \
        }                                                              \
        o[i] = sum[0];                                                 \
    }
#define SCAN(T)                                                        \
    SUB_GROUP(scan_inclusive, T)                                       \
    kernel void local_scan_inclusive_##T(global const T *x, global T *o) \
    {                                                                  \
        local T sum[32];                                               \
        int i = get_global_id(0), me = get_local_id(0);                \
        sum[me] = x[i];                                                \
        barrier(CLK_LOCAL_MEM_FENCE);                                  \
        for (int d = 1; d < get_local_size(0); d *= 2) {               \
            T y = me >= d ? sum[me - d] : 0;                           \
            barrier(CLK_LOCAL_MEM_FENCE);                              \
            sum[me] += y;                                              \
            barrier(CLK_LOCAL_MEM_FENCE);                              \
        }                                                              \
        o[i] = sum[me];                                                \
    }
REDUCE(int)
REDUCE(float)
SCAN(int)
SCAN(float)
