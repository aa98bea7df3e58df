/* SPDX-License-Identifier: Apache-2.0 */
/*
 * External memory of the measured set-up (cycle.md): a fixed latency, and a
 * limit of requests that are under way.
 */
#include "model/machine.h"

/* Room as it was when the cycle began. */
bool
memory_ready(const struct model *m)
{
    return m->memory.n + (m->memory.popped == m->now) <
           m->config.memory_requests;
}

void
memory_ask(struct model *m, bool write, unsigned mshr)
{
    struct memory *y = &m->memory;
    y->at[y->n].due = m->now + m->config.memory_cycles;
    y->at[y->n].write = write;
    y->at[y->n].mshr = mshr;
    y->n++;
    if (is_watched(m))
        watch_memory(m, MODEL_EVENT_REQUEST);
    if (write)
        m->stats.memory_writes++;
    else
        m->stats.memory_reads++;
}

/* One answer a cycle, in order; the L2 knows two cycles later. */
void
memory_cycle(struct model *m)
{
    struct memory *y = &m->memory;
    m->stats.memory_busy += y->n != 0;
    if (!y->n || y->at[0].due > m->now)
        return;
    if (!y->at[0].write) {
        struct l2_mshr *e = &m->l2.mshr[y->at[0].mshr];
        e->filled = true;
        e->fill_at = m->now + 2;
        e->write_tags = true;
    }
    y->n--;
    for (unsigned i = 0; i < y->n; i++)
        y->at[i] = y->at[i + 1];
    y->popped = m->now;
    if (is_watched(m))
        watch_memory(m, MODEL_EVENT_ANSWER);
}

double
model_peak(const struct model *m)
{
    const struct model_config *c = &m->config;
    double lines = (double)c->memory_requests / (c->memory_cycles + 1.0);
    return (lines < 1 ? lines : 1) * c->l2.line_B;
}
