/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cl/context/context.h"

/* Memory at the same address on host and devices: shared virtual memory, and the
 * unified shared memory of cl_intel_unified_shared_memory, which differ in the calls
 * only.  An allocation has pages of this process of its own; each device of the
 * context that has CL_DEVICE_SVM_CAPABILITIES maps them at their address, so nothing
 * is ever copied.  The context lists its allocations. */
struct svm_allocation {
    char *at;
    size_t size, mapped_B; /* room: size on the host in whole pages */
    cl_unified_shared_memory_type_intel type;
    cl_device_id device; /* device that it belongs to; or NULL */
    cl_mem_alloc_flags_intel flags;
};

/* Whether a device of the context has shared memory. */
bool
svm_is_supported(cl_context c);

/* Whether a device has these capabilities, for kernels and host at the same time. */
bool
svm_has(cl_context c, cl_device_svm_capabilities wanted);

/* Whether kernels may use any memory of the process, on some device of the context. */
bool
svm_is_system(cl_context c);

/* Whether [at, at + size) is valid for commands of shared memory: in one allocation,
 * or, on devices with system memory, anywhere. */
bool
svm_is_usable(cl_context c, const void *at, size_t size);

/* Allocates zeroed memory as described in `wanted`, except address and room; alignment
 * 0 is that of the largest type.  NULL: *code says why. */
void *
svm_alloc(cl_context c, const struct svm_allocation *wanted, size_t alignment,
          cl_int *code);

/* Finds the allocation that contains [at, at + size); false: there is none. */
bool
svm_find(cl_context c, const void *at, size_t size,
         struct svm_allocation *found);

/* Whether [at, at + size) is entirely in one allocation, or entirely in none. */
bool
svm_is_whole(cl_context c, const void *at, size_t size);

/* Whether an allocation begins at the address. */
bool
svm_begins(cl_context c, const void *at);

/* Lock and unlock the pages of all allocations: between the two calls the answer of
 * svm_host_has does not change, unless the application unmaps memory of its own.
 * svm_free waits for the unlocking. */
void
svm_hold_pages(cl_context c);

void
svm_release_pages(cl_context c);

/* Whether [at, at + size) is mapped memory of this process, entirely in one allocation
 * or entirely in none.  Freed memory is not, until it is allocated again. */
bool
svm_host_has(cl_context c, const void *at, size_t size);

/* Whether it can also be read, or written if `write`, as far as host_pages.h can tell. */
bool
svm_host_permits(cl_context c, const void *at, size_t size, bool write);

/* Reports an invalid address to the application; the pages are not locked. */
void
svm_report_host(cl_context c, const char *what, const void *at, size_t size);

/* Reports to the application that no allocation begins at the address. */
void
svm_report_unknown(cl_context c, const char *what, const void *at);

/* Frees an allocation after the running kernels.  False: none begins at the address. */
bool
svm_free(cl_context c, void *at);
