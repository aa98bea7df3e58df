/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "model/request.h"
#include "model/units.h"

/* Where an access goes, a sum: memory of the workgroup, of all. */
enum { SPACE_LOCAL = 1, SPACE_GLOBAL = 2 };

struct lsu_entry {
    uint64_t wanted; /* lanes that are not there */
    struct result r;
    uint8_t spaces; /* SPACE_* */
};

struct lsu {
    enum { ADDR_IDLE, ADDR_SAVE, ADDR_SEND } addr;
    enum { REPLY_IDLE, REPLY_ADD, REPLY_READ, REPLY_OUT } reply;
    uint64_t all, used, complete; /* bits of the table's entries */
    int reply_entry;
    uint8_t entry;
    uint8_t *outstanding; /* of each warp */
    /* The same of those in local memory; in memory that others may see. */
    uint8_t local[MAX_WARPS], global[MAX_WARPS];
    struct inflight *f;
    uint8_t warp; /* of f, and after it until idle_at */
    uint64_t idle_at, left;
    struct data_request next; /* of what is left */
    struct lsu_entry *table;
    bool shown_x, shown_v;    /* what the entry that it shows writes */
    struct lsu_entry pending; /* asked for in this cycle */
    struct fifo in;
    struct inflight *queue[FIFO_MAX];
};

bool
lsu_take(struct sm *s, struct inflight *f);

void
lsu_cycle(struct sm *s);

void
lsu_offer(struct sm *s);

bool
lsu_is_empty(const struct sm *s);
