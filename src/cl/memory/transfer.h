/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cl/memory/mem.h"
#include "cl/queue/command_buffer.h"

/* The common part of the entries that move bytes: their first checks, and the one kind
 * of command that they enqueue. */

enum transfer_kind {
    TRANSFER_READ,  /* object to host */
    TRANSFER_WRITE, /* host to object */
    TRANSFER_COPY   /* object to object */
};

struct transfer {
    struct command base;
    enum transfer_kind kind;
    cl_mem from, to; /* NULL: host memory */
    char *host;
    struct box source, target;
    size_t region[3]; /* bytes, rows, slices */
    bool maps; /* a map or unmap: the host's side is the object's own memory */
    /* misuse.h: a reference owned by the command, or NULL. */
    struct snapshot *seen;
};

/* Checks queue, memory object and contexts, as every entry begins. */
cl_int
transfer_check(cl_command_queue q, cl_mem m);

/* Checks the same, and that the memory object is a buffer. */
cl_int
transfer_check_buffer(cl_command_queue q, cl_mem m);

/* Computes *sum += a * b; false on overflow. */
bool
transfer_mul_add(size_t a, size_t b, size_t *sum);

/* Whether two boxes of one object with the same pitches share a byte; a and b: their
 * first bytes. */
bool
transfer_boxes_overlap(size_t a, size_t b, const struct box *pitch,
                       const size_t *region);

/* Makes the command, and enqueues or records it. */
cl_int
transfer_submit(const struct submission *s, cl_command_type type,
                const struct transfer *t);

/* Makes the command and enqueues it. */
cl_int
transfer_enqueue(cl_command_queue q, cl_command_type type,
                 const struct transfer *t, const struct wait *wait,
                 bool blocking, cl_event *event);
