/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/model.h>

#include "model/bits.h"
#include "model/fifo.h"

/*
 * The CTA scheduler: takes workgroups from the host, finds an SM for each, gives the
 * SM its warps, and receives their ends (microarchitecture.md, Launch and End of a
 * workgroup).  That of the Verilog design asks the host when an SM has room; with
 * wg_buffer it is that of the Chisel design.
 */
enum { CTA_ENTRIES = 32, CTA_FIFO = 2 };

/* The scheduler's ports to SMs and to the host. */
struct cta_ports {
    void *ctx;
    /* Is the SM ahead, so that none of its state may be read? */
    bool (*is_away)(void *ctx, unsigned sm);
    /* The host has given a workgroup; it was told in a cycle that one is done. */
    void (*taken)(void *ctx, uint64_t group, uint64_t cycle);
    void (*done)(void *ctx, unsigned sm, uint64_t group, uint64_t cycle);
    /* A workgroup comes into a slot of an SM, then its warps, which run from a
     * cycle on; false: the workgroup has no such warp. */
    void (*start_group)(void *ctx, unsigned sm, unsigned slot, uint64_t group);
    bool (*start_warp)(void *ctx, unsigned sm, unsigned slot, unsigned warp,
                       uint64_t at);
};

/* A launch: its workgroups, their warps, and how many workgroups an SM holds. */
struct cta_launch {
    uint64_t first, groups;
    unsigned warps, slots;
};

/* A warp that ended: the port of an SM to the scheduler. */
struct cta_end {
    uint64_t at;
    uint8_t slot; /* slot of the workgroup */
    bool last;    /* the SM is empty and drains */
};

/* The handler of the resource tables of table_sms SMs. */
struct cta_table {
    bool connected;
    unsigned sm;        /* whose lists it works on: */
    uint64_t takes_at;  /* another request for this SM is taken from here on, */
    uint64_t output_at; /* and has a result, if none came; */
    uint64_t idle_at;   /* a request for any of its SMs is taken */
};

/* The scheduler's view of an SM. */
struct cta_sm {
    /* Atomic: when no workgroup is left they change while the SM is ahead, which asks
     * in vain whether one may come (cta_wants). */
    _Atomic uint64_t used;    /* workgroup slots: bits */
    _Atomic unsigned warps;   /* warp slots that are free */
    _Atomic unsigned leaving; /* workgroups that are released, */
    unsigned coming;          /* or placed */
    unsigned groups;          /* workgroups that it holds */
    unsigned listed;          /* in the lists of its tables */
    bool closed;              /* the SM drains */
    struct cta_table table;   /* handler of the SMs that this one stands for */
    uint64_t number[MAX_WARPS];    /* workgroup of a slot, */
    uint8_t live[MAX_WARPS];       /* and its warps that have not ended */
    struct cta_end end[MAX_WARPS]; /* a ring */
    unsigned first, ends;
};

/* Slots of a workgroup that is done, on their way to the allocator. */
struct cta_release {
    uint64_t at; /* when it can use them */
    unsigned sm;
    uint8_t slot;
};

enum cta_allocator {
    CTA_IDLE,
    CTA_PREFERS,
    CTA_CHECKS,
    CTA_ALLOCATES,
    CTA_REJECTS
};

/* Registers of buffer and allocator that polling goes round in. */
struct cta_poll {
    uint32_t valid, asked;  /* entries: wgram_valid, wgram_alloc */
    unsigned written, read; /* entries that had their turn */
    unsigned offer, entry;  /* before the allocator, and in it */
    unsigned sm, checked;   /* SM that is asked, and how many were */
    unsigned allocator;     /* enum cta_allocator */
    unsigned offered;       /* is there an offer?  No padding: it is compared */
};

/* A workgroup between allocator and its last warp. */
struct cta_placed {
    uint64_t at; /* not before */
    unsigned sm, slot;
};

/* State of one run. */
struct cta_state {
    uint64_t next, end, done; /* workgroups: the host's next, the last, done */
    uint64_t started;         /* workgroups that came to an SM */
    uint64_t ask_at;          /* RTL reference: when the host is asked */
    unsigned prefers;         /* the SM that it asks first */
    struct cta_poll poll;
    uint64_t at;     /* the next cycle of the buffer and the allocator */
    bool only_polls; /* nothing else changes until an end or a release */
    uint64_t number[CTA_ENTRIES];
    bool allocating; /* `placed` waits for the tables, */
    bool in_tables;  /* which have `table` */
    struct cta_placed placed, table, fifo[CTA_FIFO];
    unsigned queued,
        left; /* in the fifo; warps of its first that are to come */
    unsigned
        taken; /* kinds of `placed` that the tables have taken in; and out, of */
    unsigned given;
    bool releases_one; /* this one, whose end was reported: */
    struct cta_placed released;
    uint64_t serves_at; /* when the next end can be counted */
    unsigned served;    /* SM that had its turn */
    struct cta_release release[MAX_WARPS];
    unsigned releases;
};

struct cta {
    const struct ventus_model_config *config;
    struct cta_ports port;
    unsigned sms, warps;
    struct cta_launch launch;
    struct cta_sm *sm;
    struct cta_state state;
};

/* An SM has so many warp slots.  False: no memory. */
bool
cta_create(struct cta *c, const struct ventus_model_config *config,
           unsigned sms, unsigned warps, const struct cta_ports *port);

void
cta_destroy(struct cta *c);

/* Before the first cycle of a launch. */
void
cta_reset(struct cta *c, const struct cta_launch *launch);

void
cta_tick(struct cta *c, uint64_t now);

/* When it can do something again, of SMs that are not away. */
uint64_t
cta_next_event(const struct cta *c);

/* A warp of an SM has ended; last: no other is left on it, and the SM says when it
 * has drained, unless ends are counted (wg_buffer). */
void
cta_warp_ended(struct cta *c, unsigned sm, unsigned slot, bool last,
               uint64_t now);

void
cta_drained(struct cta *c, unsigned sm, uint64_t now);

/* Has an end of the SM not been counted? */
static inline bool
cta_awaits(const struct cta *c, unsigned sm)
{
    return c->sm[sm].ends;
}

/* May a workgroup come to an SM, without one of it being done? */
bool
cta_wants(const struct cta *c, unsigned sm);

/* Will none come to any? */
bool
cta_is_settled(const struct cta *c);

static inline bool
cta_is_over(const struct cta *c)
{
    return c->state.done == c->launch.groups;
}

/* Workgroups that came to an SM. */
static inline uint64_t
cta_started(const struct cta *c)
{
    return c->state.started;
}
