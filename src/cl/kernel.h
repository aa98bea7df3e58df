/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/dev.h>

#include "cl/mem.h"
#include "cl/program.h"

/*
 * A kernel, with the arguments that were set last.  An enqueued launch has a
 * copy of them.
 */
struct kernel_value {
    bool set;
    struct object_weak mem; /* global and constant: all zero is NULL, */
    const void *svm;        /* or this; NULL: it is not */
    bool raw;               /* svm is any address, of a device */
    size_t local_B;         /* local */
    void *bytes;            /* values: of the size of the parameter */
};

struct _cl_kernel {
    struct object base;
    cl_program program;
    /* By device of the program; NULL: it was not built for it. */
    const struct ventus_dev_kernel **on;
    struct executable **executable; /* likewise, owned */
    bool released; /* by the application; under the lock of the program */
    const struct ventus_dev_kernel *info; /* one of them */
    pthread_mutex_t lock;                 /* of the arguments */
    struct kernel_value *args;            /* info->n_params */
};

static inline bool
kernel_is(cl_kernel k)
{
    return object_is(k, OBJECT_KERNEL);
}

/* As it is on a device; NULL if it was not built for it. */
const struct ventus_dev_kernel *
kernel_on(cl_kernel k, cl_device_id device);

/* An argument that is an address; false: the parameter is no pointer to
 * global or constant memory. */
bool
kernel_set_pointer(cl_kernel k, cl_uint i, const void *pointer, bool raw);

/* clSetKernelArgDevicePointerEXT of cl_ext_buffer_device_address. */
cl_int CL_API_CALL
kernel_set_device_pointer(cl_kernel k, cl_uint arg_index, cl_ulong arg_value);

/* Local memory of a work-group besides stacks: its own and its arguments'. */
uint64_t
kernel_local_B(cl_kernel k);

/* Work-items of the largest work-group that a device has room for. */
size_t
kernel_max_group(cl_kernel k, cl_device_id device);

/* ---- group.c ---- */

/*
 * Chooses a work-group size for a global size: each local[i] divides
 * global[i], and the product is at most `limit`.
 */
void
group_choose(size_t limit, size_t lanes, unsigned dims, const size_t *global,
             size_t local[3]);
