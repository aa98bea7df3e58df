/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "model/events.h"
#include "model/memory/l1d.h"
#include "model/memory/local.h"
#include "model/memory/tlb.h"
#include "model/pipeline/units.h"

enum { LSU_WORDS = 8 }; /* words of a lane's access */

/* Where an access goes, a sum: memory of the workgroup, of all. */
enum { SPACE_LOCAL = 1, SPACE_GLOBAL = 2 };

struct lsu_entry {
    uint64_t wanted; /* lanes that are not there */
    int parts;       /* requests without an answer that complete no lane */
    struct result r;
    uint8_t spaces; /* SPACE_* */
};

PORT(access_port, struct inflight *)

/* Persists between launches: what the entry that it showed last writes; or, of a
 * table that is not read before, entry 0. */
struct lsu_shown {
    bool x, v;
};

/* State of one run; bits are entries of the table. */
struct lsu_state {
    enum { ADDR_IDLE, ADDR_SAVE, ADDR_SEND } addr;
    enum { REPLY_IDLE, REPLY_ADD, REPLY_READ, REPLY_OUT } reply;
    uint64_t used, complete;
    int reply_entry;
    uint8_t entry;
    struct inflight *f;
    uint8_t warp; /* the warp of f, and after f until idle_at */
    uint64_t idle_at, left;
    uint64_t words[LSU_WORDS]; /* lanes whose word is in no request yet */
    bool offered;              /* `next` is on the wires to the L1D */
    struct data_request next;  /* request of those left */
    unsigned more; /* requests to local memory before those (ideal_access) */
    struct lsu_entry pending; /* asked for in this cycle */
    unsigned accesses;        /* under way, of all warps */
    uint8_t outstanding[MAX_WARPS];
    /* The same of those in local memory; in memory that others may see. */
    uint8_t local[MAX_WARPS], global[MAX_WARPS];
    uint8_t number[MAX_WARPS]; /* the warp's number in its workgroup */
    struct access_port in;
};

/* The components that the LSU asks, and those that take what it is done with. */
struct lsu_ports {
    struct dcache *dcache;
    struct local *local;
    struct tlb *tlb;
    struct inflight_pool *pool;
    const struct events *events;
};

/* The load/store unit of an SM. */
struct lsu {
    const struct ventus_model_config *config;
    struct ventus_model_stats *stats;
    struct lsu_ports port;
    unsigned lanes, line_shift;
    uint64_t all; /* bits of the table's entries */
    struct lsu_entry *table;
    struct lsu_shown shown;
    struct lsu_state state;
};

/* Write-back, in a cycle. */
struct lsu_wires {
    bool x_free, v_free; /* a scalar, a vector of the LSU would be taken */
    bool full;           /* the last result was not taken */
};

bool
lsu_create(struct lsu *l, const struct ventus_model_config *config,
           struct ventus_model_stats *stats, unsigned lanes,
           struct lsu_ports port);

void
lsu_destroy(struct lsu *l);

void
lsu_reset(struct lsu *l);

/* A warp begins in a slot: its number in its workgroup. */
void
lsu_start(struct lsu *l, unsigned warp, unsigned number);

/* Accesses of a warp: is there room for one, and that. */
static inline bool
lsu_can_send(const struct lsu *l, uint64_t now, unsigned warp)
{
    const struct lsu_state *t = &l->state;
    return t->outstanding[warp] != l->config->lsu_per_warp &&
           (access_port_can_send(&t->in, now) || t->addr == ADDR_IDLE);
}

void
lsu_send(struct lsu *l, uint64_t now, struct inflight *f);

/* Before write-back: may a result be due?  And that, if it is. */
static inline bool
lsu_may_offer(const struct lsu *l)
{
    return l->state.reply == REPLY_OUT;
}

bool
lsu_offers(const struct lsu *l, struct result *r);

/* Does a result that was not written stay before write-back, after the tick? */
static inline bool
lsu_is_offering(const struct lsu *l)
{
    return l->config->lsu_table_reads || l->state.reply == REPLY_OUT;
}

/* A cycle of the LSU, after write-back. */
void
lsu_tick(struct lsu *l, uint64_t now, const struct lsu_wires *wires);

/* When a tick can do something again: not while it waits for room in the L1D, or for
 * its TLB. */
uint64_t
lsu_next_event(const struct lsu *l, uint64_t now);

/* Does a tick in this cycle do anything? */
static inline bool
lsu_is_due(const struct lsu *l, uint64_t now)
{
    const struct lsu_state *t = &l->state;
    return t->addr != ADDR_IDLE || t->in.fifo.n || t->reply != REPLY_IDLE ||
           t->complete || local_memory_peek(l->port.local, now) ||
           dcache_peek(l->port.dcache, now);
}

/* Does the LSU wait for nothing but the L1D? */
static inline bool
lsu_is_idle(const struct lsu *l, uint64_t now)
{
    return !local_memory_is_busy(l->port.local) && !lsu_is_due(l, now);
}

/* Accesses under way: of none; of a warp; in some spaces (SPACE_*). */
static inline bool
lsu_is_empty(const struct lsu *l)
{
    return !l->state.accesses;
}

static inline bool
lsu_has_accesses(const struct lsu *l, unsigned warp)
{
    return l->state.outstanding[warp];
}

static inline bool
lsu_accesses(const struct lsu *l, unsigned warp, unsigned spaces)
{
    return (spaces & SPACE_LOCAL && l->state.local[warp]) ||
           (spaces & SPACE_GLOBAL && l->state.global[warp]);
}
