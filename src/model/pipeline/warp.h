/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/model.h>

#include "base/recurrence.h"
#include "model/bits.h"
#include "model/pipeline/decode.h"

/* Livelock detection: states of a warp after its issues.  The one that later states
 * are compared with: */
struct warp_livelock {
    struct recurrence state;
    uint32_t pc;
    uint64_t x;       /* hash of its scalar registers */
    uint64_t kept_at; /* in this cycle */
    bool repeats;     /* the state recurred */
};

struct warp {
    uint8_t issued_port;
    uint8_t emitted;             /* events.c: the last cause, from 1 */
    uint32_t next_pc, issued_pc; /* pc of the next issue and the last */
    uint64_t issued_at;
    struct warp_livelock livelock;
};

/* Where a warp is: the slot of its workgroup, its number in it. */
struct warp_place {
    unsigned group, id;
};
