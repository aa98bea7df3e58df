/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cl/object.h"

/*
 * What a command does when its time has come.  Kinds of commands begin with
 * this struct; they are made before they are enqueued:
 *
 *     struct fill *f = command_new(sizeof *f, run_fill);
 *     if (f && command_use(&f->base, mem)) ...
 *     return queue_enqueue(q, CL_COMMAND_FILL_BUFFER, &f->base, ...);
 */
struct command {
    /* On the worker, without locks; CL_SUCCESS or what becomes the status. */
    cl_int (*run)(struct command *command, cl_event event);
    void (*drop)(struct command *command); /* or NULL; whether it ran or not */
    struct object **uses;                  /* owned */
    size_t n_uses, room;
};

/* A wait list as the application passes it. */
struct wait {
    cl_uint n;
    const cl_event *list;
};

/* Zeroed; NULL: no memory. */
void *
command_new(size_t size, cl_int (*run)(struct command *, cl_event));

/* The object lives until the command has ended; false: no memory. */
bool
command_use(struct command *command, void *object);

/* Gives back what it owns.  NULL does nothing. */
void
command_free(struct command *command);
