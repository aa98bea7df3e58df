/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/dev.h>

#include "cl/memory/mem.h"
#include "cl/program/program.h"

/* A kernel with its current arguments, of which an enqueued launch has a copy. */
struct kernel_value {
    bool set;
    /* Global and constant arguments: the object, or the address of shared memory; all
     * zero and NULL is the null pointer. */
    struct object_weak mem;
    const void *svm;
    bool raw;       /* svm is an arbitrary device address */
    size_t local_B; /* local: the size */
    void *bytes;    /* values: bytes, of the size of the parameter */
};

struct _cl_kernel {
    struct object base;
    cl_program program;
    /* The kernel by device of the program; NULL: not built for the device. */
    const struct ventus_dev_kernel **on;
    struct executable **executable; /* by device, owned */
    /* By the application; protected by the lock of the program. */
    bool released;
    const struct ventus_dev_kernel *info; /* an element of `on`, for queries */
    pthread_mutex_t lock;                 /* protects the arguments */
    struct kernel_value *args;            /* info->n_params arguments */
};

static inline bool
kernel_is(cl_kernel k)
{
    return object_is(k, OBJECT_KERNEL);
}

/* The kernel on a device; NULL if it was not built for it. */
const struct ventus_dev_kernel *
kernel_on(cl_kernel k, cl_device_id device);

/* Sets an argument to an address; false: the parameter is no pointer to global or
 * constant memory. */
bool
kernel_set_pointer(cl_kernel k, cl_uint i, const void *pointer, bool raw);

/* The entry clSetKernelArgDevicePointerEXT of cl_ext_buffer_device_address. */
cl_int CL_API_CALL
kernel_set_device_pointer(cl_kernel k, cl_uint arg_index, cl_ulong arg_value);

/* The entry of OpenCL 3.1 and of cl_khr_suggested_local_work_size: exactly the size that
 * clEnqueueNDRangeKernel uses if it is given none.  Headers of 3.0 do not declare it. */
CL_API_ENTRY cl_int CL_API_CALL
clGetKernelSuggestedLocalWorkSize(cl_command_queue q, cl_kernel k,
                                  cl_uint work_dim,
                                  const size_t *global_work_offset,
                                  const size_t *global_work_size,
                                  size_t *suggested_local_work_size);

/* Local memory per work-group without stacks: the kernel's own and its arguments'. */
uint64_t
kernel_local_B(cl_kernel k);

/* Work-items of the largest work-group of the kernel that fits on a device. */
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
