/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cl/object.h"

/*
 * The execution of a command.  Kinds of commands begin with this struct; they are made
 * before they are enqueued:
 *
 *     struct fill *f = command_new(sizeof *f, run_fill);
 *     if (f && command_use(&f->base, mem)) ...
 *     return queue_enqueue(q, CL_COMMAND_FILL_BUFFER, &f->base, ...);
 */
struct command {
    /* Executes the command on the worker, without locks; returns the final status. */
    cl_int (*run)(struct command *command, cl_event event);
    /* Or NULL; called whether the command ran or not. */
    void (*drop)(struct command *command);
    struct object **uses; /* owned references */
    size_t n_uses, capacity;
};

/* A wait list as the application passes it. */
struct wait {
    cl_uint n;
    const cl_event *list;
};

/* Makes a zeroed command; NULL: no memory. */
void *
command_new(size_t size, cl_int (*run)(struct command *, cl_event));

/* Keeps the object alive until the command has ended; false: no memory. */
bool
command_use(struct command *command, void *object);

/* Releases the objects of a command and frees it.  NULL does nothing. */
void
command_free(struct command *command);
