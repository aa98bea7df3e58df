/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cl/checks/order.h"
#include "cl/context/callback.h"
#include "cl/platform/device.h"

/* A context guards the graph of its commands: `lock` protects the states and the lists
 * of all its events and queues, and `changed` signals that an event ended. */
struct _cl_context {
    struct object base;
    cl_uint n_devices;
    cl_device_id *devices;
    cl_context_properties *properties; /* as given, including the 0; or NULL */
    size_t n_properties;
    void(CL_CALLBACK *notify)(const char *text, const void *private_info,
                              size_t size, void *user_data);
    void *user_data;
    struct ventus_dev_context *
        *memory; /* by device: the memory that kernels access */
    struct callback *destructors; /* protected by lock */
    struct svm_list *svm;         /* protected by lock, see svm.h; NULL: none */
    void (*close_svm)(cl_context c); /* set with svm: frees all allocations */
    /* Locked for writing to unmap shared pages, see svm.h. */
    pthread_rwlock_t pages;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t pending; /* commands that have not ended; protected by lock */
    /* With --check=api, protected by lock: the order of commands; their accesses to
     * the program's memory. */
    struct order order;
    struct access *accesses;
};

static inline bool
context_is(cl_context c)
{
    return object_is(c, OBJECT_CONTEXT);
}

bool
context_has_device(cl_context c, cl_device_id d);

/* The index of a device in the context's list. */
cl_uint
context_device_index(cl_context c, cl_device_id d);

/* Frees a list of accesses (conflict.c, conflict.h). */
void
conflict_end(struct access **list);

/* Reports the reads that the program never waited for, at the end of the context or
 * program. */
void
conflict_tell_reads(void *context);

/* Notifies the application, by its callback and on standard error. */
void
context_report(cl_context c, const char *text);
