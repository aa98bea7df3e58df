/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cl/callback.h"
#include "cl/device.h"
#include "cl/order.h"

/*
 * A context guards the graph of its commands: `lock` is for the states and the
 * lists of all its events and queues, and `changed` signals that one ended.
 */
struct _cl_context {
    struct object base;
    cl_uint n_devices;
    cl_device_id *devices;
    cl_context_properties *properties; /* as given, up to the 0; or NULL */
    size_t n_properties;
    void(CL_CALLBACK *notify)(const char *text, const void *private_info,
                              size_t size, void *user_data);
    void *user_data;
    struct ventus_dev_context *
        *memory;                     /* of each device: what its kernels see */
    struct callback *destructors;    /* under lock */
    struct svm_list *svm;            /* likewise, see svm.h; NULL: none */
    void (*close_svm)(cl_context c); /* with it: frees it all */
    pthread_rwlock_t pages;          /* to write: shared pages go, see svm.h */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t pending; /* commands that have not ended; under lock */
    /* While --check=api is on, under lock: the order of commands; what they accessed of
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

/* The place of a device in the context's list. */
cl_uint
context_device_index(cl_context c, cl_device_id d);

/* conflict.c: accesses of commands (conflict.h) go. */
void
conflict_end(struct access **list);

/* The program ends with the context, or ends: which reads has it never waited for? */
void
conflict_tell_reads(void *context);

/* Notifies the application, by its callback and on standard error. */
void
context_report(cl_context c, const char *text);
