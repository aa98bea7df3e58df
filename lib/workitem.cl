/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a work-item is in its NDRange.
 *
 * The hardware knows the number of a work-item in its workgroup and the
 * coordinates of the workgroup; sizes are in the kernel's metadata.  Global
 * sizes need not be multiples of local sizes since OpenCL 2.0: the last
 * workgroup of a row is smaller, and its work-items are numbered densely.
 */
#include "ventus.h"

/* offset + 4 d of the metadata, or `other` where there is no dimension d.
 * knl_word takes constants only; of a constant d one arm remains. */
static uint
knl_dim(uint offset, uint d, uint other)
{
    switch (d) {
    case 0:
        return __ventus_knl_word(offset);
    case 1:
        return __ventus_knl_word(offset + 4);
    case 2:
        return __ventus_knl_word(offset + 8);
    }
    return other;
}

PURE uint
get_work_dim(void)
{
    return __ventus_knl_word(KNL_WORK_DIM);
}

PURE size_t
get_global_size(uint d)
{
    return knl_dim(KNL_GLOBAL_SIZE, d, 1);
}

PURE size_t
get_global_offset(uint d)
{
    return knl_dim(KNL_GLOBAL_OFFSET, d, 0);
}

PURE size_t
get_enqueued_local_size(uint d)
{
    return knl_dim(KNL_LOCAL_SIZE, d, 1);
}

PURE size_t
get_group_id(uint d)
{
    switch (d) {
    case 0:
        return __ventus_csr_gidx();
    case 1:
        return __ventus_csr_gidy();
    case 2:
        return __ventus_csr_gidz();
    }
    return 0;
}

PURE size_t
get_local_size(uint d)
{
    uint size = get_enqueued_local_size(d);
    if (__ventus_uniform_groups() || d > 2)
        return size;
    uint left = get_global_size(d) - get_group_id(d) * size;
    return left < size ? left : size;
}

PURE size_t
get_num_groups(uint d)
{
    if (d > 2)
        return 1;
    uint size = get_enqueued_local_size(d);
    uint items = get_global_size(d);
    if (__ventus_uniform_groups())
        return items / size;
    return (items - 1) / size + 1;
}

/* The branches are uniform: dividing costs more than not taking them. */
PURE size_t
get_local_id(uint d)
{
    uint linear = __ventus_local_linear();
    switch (d) {
    case 0:
        if (__ventus_local_dims(0) == 1)
            return linear;
        return linear % (uint)get_local_size(0);
    case 1:
        linear /= (uint)get_local_size(0);
        if (__ventus_local_dims(1) != 3)
            return linear;
        return linear % (uint)get_local_size(1);
    case 2:
        if (__ventus_local_dims(2) != 3)
            return 0;
        return linear / ((uint)get_local_size(0) * (uint)get_local_size(1));
    }
    return 0;
}

PURE size_t
get_global_id(uint d)
{
    /* First what the whole warp shares. */
    uint first =
        get_group_id(d) * get_enqueued_local_size(d) + get_global_offset(d);
    return d > 2 ? 0 : get_local_id(d) + first;
}

PURE size_t
get_local_linear_id(void)
{
    return __ventus_local_linear();
}

PURE size_t
get_global_linear_id(void)
{
    size_t x = get_global_id(0) - get_global_offset(0);
    size_t y = get_global_id(1) - get_global_offset(1);
    size_t z = get_global_id(2) - get_global_offset(2);
    return (z * get_global_size(1) + y) * get_global_size(0) + x;
}
