/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/model.h>

#include "model/ibuffer.h"

enum { MAX_WARPS = 64, NEVER = -1 };

struct warp {
    bool resident, active, ended;
    uint32_t next_pc, issued_pc; /* of the next issue and the last */
    uint64_t issued_at, age;     /* age: in order of launch */
    uint8_t issued_port;
    uint8_t shown; /* watch.c: the last cause, from 1 */
    uint64_t start_at;
    unsigned group, id; /* slot of its workgroup, number in it */
    uint32_t fetch_pc;
    uint8_t fetch_mask;
    struct pair buffer[8];
    struct fifo pairs;
    struct pair current;      /* the slow-down register */
    bool stale;               /* its first one is checked while it is empty */
    uint8_t busy[BUSY_COUNT]; /* by number, as decode.h has it */
    uint64_t jumped_at;
};

/* The instruction that a warp would issue; NULL: none. */
static inline const struct model_op *
ibuffer_head(const struct warp *w)
{
    const struct pair *p = &w->current;
    return p->mask ? p->op + !(p->mask & 1) : w->stale ? p->op : NULL;
}
