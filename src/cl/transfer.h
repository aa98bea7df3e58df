/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cl/event.h"
#include "cl/mem.h"

/*
 * What the entries that move bytes share: checks at their top, and the one
 * kind of command behind all of them.
 */

/* A box of bytes in a buffer or in host memory, as the rect entries see it. */
struct box {
    size_t origin; /* of its first byte */
    size_t row_pitch, slice_pitch;
};

enum transfer_kind {
    TRANSFER_READ,  /* buffer to host */
    TRANSFER_WRITE, /* host to buffer */
    TRANSFER_COPY   /* buffer to buffer */
};

struct transfer {
    struct command base;
    enum transfer_kind kind;
    cl_mem from, to; /* NULL: the host */
    char *host;
    struct box source, target;
    size_t region[3]; /* bytes, rows, slices */
};

/* Queue, contexts, memory object, wait list; what every entry begins with. */
cl_int
transfer_check(cl_command_queue q, cl_mem m);

/* Makes the command and enqueues it. */
cl_int
transfer_enqueue(cl_command_queue q, cl_command_type type,
                 const struct transfer *t, const struct wait *wait,
                 bool blocking, cl_event *event);

/* A box with these bytes in one piece. */
static inline struct box
box_line(size_t offset)
{
    return (struct box){ offset, 0, 0 };
}
