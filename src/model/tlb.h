/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model/set_assoc.h"

struct sm;

enum { TLB_DATA, TLB_FETCH, TLBS };

/* Of an SM, with the miss that is under way. */
struct tlb {
    struct set_assoc pages; /* none with no entries */
    unsigned entries;
    enum {
        TLB_READY,
        TLB_LOOKS,  /* in the shared one, until `at` */
        TLB_QUEUES, /* for a walker */
        TLB_ASKS,   /* for an entry of a table */
        TLB_WAITS,
        TLB_ANSWERED
    } state;
    bool filled; /* the look-up that missed comes again */
    unsigned level;
    uint64_t page, table, at;
};

bool
tlb_create(struct sm *s);

void
tlb_destroy(struct sm *s);

void
tlb_reset(struct sm *s);

/* Is the page of a line translated?  If not, it will be. */
bool
tlb_ready(struct sm *s, uint32_t line);

bool
tlb_ready_fetch(struct sm *s, uint32_t pc);

void
tlb_cycle(struct sm *s);

/* Sends the request of a walk to the L2, if there is one; and its answer. */
bool
tlb_send(struct sm *s);

void
tlb_answer(struct sm *s, unsigned which);
