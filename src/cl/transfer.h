/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cl/event.h"
#include "cl/mem.h"

/*
 * What the entries that move bytes share: checks at their top, and the one
 * kind of command behind all of them.
 */

enum transfer_kind {
    TRANSFER_READ,  /* object to host */
    TRANSFER_WRITE, /* host to object */
    TRANSFER_COPY   /* object to object */
};

struct transfer {
    struct command base;
    enum transfer_kind kind;
    cl_mem from, to; /* NULL: the host */
    char *host;
    struct box source, target;
    size_t region[3]; /* bytes, rows, slices */
    bool maps; /* a map or its end: to or from memory of the object's own */
    struct snapshot *seen; /* misuse.h: a reference of the command's, or NULL */
};

/* Queue, memory object, contexts: what every entry begins with. */
cl_int
transfer_check(cl_command_queue q, cl_mem m);

/* The same for entries that take a buffer. */
cl_int
transfer_check_buffer(cl_command_queue q, cl_mem m);

/* *sum += a * b, false if it does not fit. */
bool
transfer_mul_add(size_t a, size_t b, size_t *sum);

/*
 * Do two boxes of one object with the same pitches share a byte?  a and b:
 * where they begin.
 */
bool
transfer_boxes_overlap(size_t a, size_t b, const struct box *pitch,
                       const size_t *region);

/* Makes the command and enqueues it. */
cl_int
transfer_enqueue(cl_command_queue q, cl_command_type type,
                 const struct transfer *t, const struct wait *wait,
                 bool blocking, cl_event *event);
