/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/buf.h"
#include "cl/context/context.h"

/* A program has a state for each of its devices.  `lock` protects them, but not while
 * the compiler runs: then `building` excludes others.  A program whose kernels the
 * application has cannot be built again; kernels that only wait in a queue keep the
 * executable they were made from. */
/* A loaded executable, owned by the program until it is built again, and by kernels
 * that were made from it, which may wait in a queue. */
struct executable {
    unsigned refs; /* accessed atomically */
    cl_device_id device;
    struct ventus_dev_program *loaded;
};

struct program_device {
    cl_device_id device;
    struct ventus_dev_context *memory; /* context in which it is loaded */
    cl_build_status status;
    cl_program_binary_type type;
    char *options;                 /* options of the last build; or NULL */
    struct buf log;                /* a string; an empty buffer is "" */
    struct buf binary;             /* binary of `type` */
    struct executable *executable; /* the loaded executable; or NULL */
    bool arg_info;                 /* -cl-kernel-arg-info */
};

/* The name of a source in messages. */
#define PROGRAM_FILE   "input.cl"
#define PROGRAM_MODULE "input.spv"

struct _cl_program {
    struct object base;
    cl_context context;
    cl_uint n_devices;
    struct program_device *devices;
    cl_device_id *device_list; /* the same devices for queries */
    struct buf source;         /* a string; empty if made otherwise */
    bool has_source;
    struct buf il;     /* a SPIR-V module; empty if made otherwise */
    struct buf module; /* the same with its specialization constants set */

    pthread_mutex_t lock;
    pthread_cond_t built; /* signals that `building` became false */
    bool building;
    unsigned kernels; /* number of kernels that the application has */
};

static inline bool
program_is(cl_program p)
{
    return object_is(p, OBJECT_PROGRAM);
}

/* Whether the compiler makes the program from what it was created with. */
static inline bool
program_is_compiled(const struct _cl_program *p)
{
    return p->has_source || p->il.n;
}

/* Waits until no build is in progress; the lock is held. */
void
program_wait(cl_program p);

/* Makes a program with one handle and empty states. */
cl_program
program_new(cl_context context, cl_uint n, const cl_device_id *devices);

/* The state for a device; NULL if it is not the program's. */
struct program_device *
program_find(cl_program p, cl_device_id d);

/* Whether the state is compiled, but not linked to an executable. */
static inline bool
program_is_object(const struct program_device *d)
{
    return d->type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT ||
           d->type == CL_PROGRAM_BINARY_TYPE_LIBRARY;
}

/* Discards the build; the lock is held. */
void
program_clear(struct program_device *d);

enum program_loaded { PROGRAM_LOADED, PROGRAM_BAD, PROGRAM_NO_MEMORY };

/* Loads the executable; after a failure the log has the reason.  The lock is held. */
enum program_loaded
program_load(struct program_device *d);

struct executable *
executable_ref(struct executable *e);

/* Drops a reference.  NULL does nothing. */
void
executable_unref(struct executable *e);

/* Loads executables that the application brought, for applications that do not call
 * clBuildProgram; the lock is held. */
void
program_load_binaries(cl_program p);
