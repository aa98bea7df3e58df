/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <CL/cl_ext.h>

#include "cl/context.h"

/*
 * Memory that host and devices address alike: shared virtual memory, and the
 * unified shared memory of cl_intel_unified_shared_memory, which differ in the
 * calls only.  It is memory of this process, of pages of its own; each device of
 * the context that has CL_DEVICE_SVM_CAPABILITIES maps it at its address, so
 * nothing is ever copied.  The context has the list of its allocations.
 */
struct svm_allocation {
    char *at;
    size_t size, room; /* room: mapped on the host, whole pages */
    cl_unified_shared_memory_type_intel type;
    cl_device_id device; /* that it is of; or NULL */
    cl_mem_alloc_flags_intel flags;
};

/* Has a device of the context shared memory? */
bool
svm_is_supported(cl_context c);

/* Are kernels and host to use it at once, with these capabilities? */
bool
svm_has(cl_context c, cl_device_svm_capabilities wanted);

/* May kernels use any memory of the process, on some device of the context? */
bool
svm_is_system(cl_context c);

/*
 * Is [at, at + size) for commands of shared memory: in one allocation, or on
 * such devices any memory of the process?
 */
bool
svm_is_usable(cl_context c, const void *at, size_t size);

/*
 * Zeroed memory, of what `wanted` says but where and how much room; alignment
 * 0 is that of the largest type.  NULL: *code says why.
 */
void *
svm_alloc(cl_context c, const struct svm_allocation *wanted, size_t alignment,
          cl_int *code);

/* The allocation with [at, at + size); false: there is none. */
bool
svm_find(cl_context c, const void *at, size_t size,
         struct svm_allocation *found);

/* Is [at, at + size) all in one allocation, or all of it in none? */
bool
svm_is_whole(cl_context c, const void *at, size_t size);

/* Does an allocation begin there? */
bool
svm_begins(cl_context c, const void *at);

/*
 * Holds and releases the pages of all allocations: between the two calls what
 * svm_host_has says stays so, unless the application unmaps memory of its own.
 * svm_free waits for it.
 */
void
svm_hold_pages(cl_context c);

void
svm_release_pages(cl_context c);

/*
 * Is [at, at + size) memory of this process, all in one allocation or all of
 * it in none?  Freed memory is not, as long as no other has its place.
 */
bool
svm_host_has(cl_context c, const void *at, size_t size);

/* And can it be read, or written if `write`, as far as host_pages.h says? */
bool
svm_host_permits(cl_context c, const void *at, size_t size, bool write);

/* Tells the application that it is none; the pages are not held. */
void
svm_report_host(cl_context c, const char *what, const void *at, size_t size);

/* Tells the application that no allocation begins there. */
void
svm_report_unknown(cl_context c, const char *what, const void *at);

/* Waits for the kernels that run.  False: no allocation begins there. */
bool
svm_free(cl_context c, void *at);
