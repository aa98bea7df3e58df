/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The resource tables of the Chisel design's CTA scheduler (microarchitecture.md, Launch;
 * resource_table.scala): lists of the workgroups that an SM holds, in the order of their
 * registers and local memory, and a handler for the lists of table_sms SMs.  The handler
 * takes a workgroup into a list (ALLOC: finds a place, writes it) or out of it (DEALLOC),
 * then scans the list for what is free (SCAN) and tells the allocator (OUTPUT).  From the
 * end of the first step on it takes the next request, if that is for the same SM; one for
 * another SM waits until all is done.  sGPRs, vGPRs and local memory have a handler each,
 * which work alike.
 */
#include <assert.h>

#include "model/cta.h"

enum {
    FINDS =
        3, /* a place in a list, and a cycle more for each workgroup in it */
    TAKES_OUT = 2, /* a workgroup */
    SCANS = 3,     /* from the end of the first step to the result, likewise */
    CLOSES = 2     /* from the result to the end */
};

static struct cta_table *
table_of(const struct cta *c, unsigned sm)
{
    unsigned n = c->config->table_sms, handlers = (c->sms + n - 1) / n;
    return &c->sm[sm % handlers].table;
}

static bool
takes(const struct cta_table *t, unsigned sm, uint64_t now)
{
    return now >= t->idle_at ||
           (t->connected && t->sm == sm && now >= t->takes_at);
}

/* Cycles to connect the lists of an SM, if those of another are. */
static unsigned
connect(struct cta_table *t, unsigned sm)
{
    unsigned cycles = !(t->connected && t->sm == sm);
    t->connected = true;
    t->sm = sm;
    return cycles;
}

/* The first step ends, with so many workgroups in the list. */
static void
scan(struct cta_table *t, uint64_t ends, unsigned listed)
{
    t->takes_at = ends;
    t->output_at = ends + SCANS + listed;
    t->idle_at = t->output_at + CLOSES;
}

bool
cta_tables_allocate(struct cta *c, uint64_t now)
{
    struct cta_placed *p = &c->state.placed;
    struct cta_table *t = table_of(c, p->sm);
    struct cta_sm *s = &c->sm[p->sm];
    if (!takes(t, p->sm, now))
        return false;
    p->at = now + connect(t, p->sm) + FINDS + s->listed;
    scan(t, p->at + 1, ++s->listed);
    return true;
}

/* An idle handler prefers a workgroup that comes to one that goes; a busy one does so for
 * its SM, and takes none out while it gives its result. */
bool
cta_tables_release(struct cta *c, unsigned sm, int comes, uint64_t now)
{
    struct cta_table *t = table_of(c, sm);
    bool idle = now >= t->idle_at;
    bool preempted = comes >= 0 && table_of(c, (unsigned)comes) == t &&
                     (idle || (unsigned)comes == t->sm);
    if (!takes(t, sm, now) || preempted || (!idle && now >= t->output_at))
        return false;
    assert(c->sm[sm].listed);
    uint64_t ends = now + connect(t, sm) + TAKES_OUT;
    scan(t, ends, --c->sm[sm].listed);
    return true;
}

bool
cta_tables_are_idle(const struct cta *c, uint64_t now)
{
    bool idle = true;
    for (unsigned i = 0; i < c->sms; i++)
        idle &= c->sm[i].table.idle_at <= now;
    return idle;
}
