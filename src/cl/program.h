/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/buf.h"
#include "cl/context.h"

/*
 * A program has a state for each of its devices.  `lock` guards them, but not
 * while the compiler runs: then `building` keeps others away.  A program whose
 * kernels the application has cannot be built again; kernels that only wait in
 * a queue have the executable they were made from.
 */
/* A loaded executable: of the program until it is built again, and of kernels
 * that were made from it, which may wait in a queue. */
struct executable {
    unsigned refs; /* atomic */
    cl_device_id device;
    struct ventus_dev_program *loaded;
};

struct program_device {
    cl_device_id device;
    struct ventus_dev_context *memory; /* where it is loaded */
    cl_build_status status;
    cl_program_binary_type type;
    char *options;                 /* of the last build; or NULL */
    struct buf log;                /* a string; nothing is the empty one */
    struct buf binary;             /* of that type */
    struct executable *executable; /* loaded; or NULL */
    bool arg_info;                 /* -cl-kernel-arg-info */
};

/* The name in front of messages about a source, whatever it was called. */
#define PROGRAM_FILE "input.cl"

struct _cl_program {
    struct object base;
    cl_context context;
    cl_uint n_devices;
    struct program_device *devices;
    cl_device_id *device_list; /* the same, as queries answer */
    struct buf source;         /* a string; nothing if made from binaries */
    bool has_source;

    pthread_mutex_t lock;
    pthread_cond_t built; /* building became false */
    bool building;
    unsigned kernels; /* that the application has */
};

static inline bool
program_is(cl_program p)
{
    return object_is(p, OBJECT_PROGRAM);
}

/* Lock held: until no build is in progress. */
void
program_wait(cl_program p);

/* With one handle, all states empty. */
cl_program
program_new(cl_context context, cl_uint n, const cl_device_id *devices);

/* The state for a device, or NULL if it is none of the program's. */
struct program_device *
program_find(cl_program p, cl_device_id d);

/* Compiled, but not linked to an executable. */
static inline bool
program_is_object(const struct program_device *d)
{
    return d->type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT ||
           d->type == CL_PROGRAM_BINARY_TYPE_LIBRARY;
}

/* Lock held: discards the build. */
void
program_clear(struct program_device *d);

enum program_loaded { PROGRAM_LOADED, PROGRAM_BAD, PROGRAM_NO_MEMORY };

/* Lock held: loads the executable; if not, there is more in the log. */
enum program_loaded
program_load(struct program_device *d);

struct executable *
executable_ref(struct executable *e);

/* NULL does nothing. */
void
executable_unref(struct executable *e);

/* Lock held: executables that the application brought are as good as built,
 * for applications that do not call clBuildProgram. */
void
program_load_binaries(cl_program p);
