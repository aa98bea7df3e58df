/* SPDX-License-Identifier: Apache-2.0 */
/*
 * External memory: a limit of requests that are under way, and a fixed latency
 * as in the measured set-up (cycle.md), or DRAM (dram.c).
 */
#include <string.h>

#include "model/machine.h"

/* When a request of now is answered; DRAM says so itself. */
static uint64_t
due(const struct model *m, uint32_t line)
{
    const struct model_config *c = &m->config;
    uint64_t at = m->now + c->memory_cycles;
    if (c->memory_jitter)
        at +=
            random_of(c->seed, m->now, line) % ((uint64_t)c->memory_jitter + 1);
    return c->dram ? UINT64_MAX : at;
}

/* Room as it was when the cycle began. */
bool
memory_ready(const struct model *m)
{
    return m->memory.n + (m->memory.popped == m->now) <
           m->config.memory_requests;
}

void
memory_ask(struct model *m, bool write, unsigned mshr, uint32_t line)
{
    struct memory *y = &m->memory;
    y->at[y->n++] = (struct memory_request){
        .due = due(m, line),
        .write = write,
        .mshr = mshr,
        .line = line,
    };
    if (is_watched(m))
        watch_memory(m, MODEL_EVENT_REQUEST);
    m->stats.memory_B += m->config.l2.line_B;
    if (write)
        m->stats.memory_writes++;
    else
        m->stats.memory_reads++;
}

/* What is answered now: in order, from DRAM and with memory_jitter what was
 * ready first. */
static int
find_answer(const struct model *m)
{
    const struct memory *y = &m->memory;
    unsigned first = 0;
    bool in_order = !m->config.dram && !m->config.memory_jitter;
    for (unsigned i = 1; !in_order && i < y->n; i++)
        if (y->at[i].due < y->at[first].due)
            first = i;
    return y->n && y->at[first].due <= m->now ? (int)first : NEVER;
}

/* One answer a cycle; the L2 knows two cycles later.  Not while it is empty. */
void
memory_cycle(struct model *m)
{
    struct memory *y = &m->memory;
    m->stats.memory_busy++;
    if (m->config.dram)
        dram_cycle(m);
    int answer = find_answer(m);
    if (answer < 0)
        return;
    struct memory_request *r = &y->at[answer];
    if (!r->write) {
        struct l2_mshr *e = &m->l2.mshr[r->mshr];
        e->filled = true;
        e->fill_at = m->now + 2;
        e->write_tags = e->get && !e->mixed;
    }
    y->n--;
    memmove(r, r + 1, (y->n - (unsigned)answer) * sizeof *r);
    y->popped = m->now;
    if (is_watched(m))
        watch_memory(m, MODEL_EVENT_ANSWER);
}

uint64_t
memory_takes(const struct model *m)
{
    const struct model_config *c = &m->config;
    return c->dram ? (uint64_t)c->dram_tcas + c->dram_tburst : c->memory_cycles;
}

uint64_t
memory_gives(const struct model *m, unsigned mshr)
{
    const struct memory *y = &m->memory;
    for (unsigned i = 0; i < y->n; i++)
        if (!y->at[i].write && y->at[i].mshr == mshr)
            return y->at[i].due == UINT64_MAX ? m->now + memory_takes(m)
                                              : y->at[i].due;
    return m->now;
}

uint64_t
memory_next(const struct model *m)
{
    const struct memory *y = &m->memory;
    uint64_t first = UINT64_MAX;
    for (unsigned i = 0; i < y->n; i++) {
        if (y->at[i].due == UINT64_MAX)
            return m->now; /* DRAM may start it */
        first = y->at[i].due < first ? y->at[i].due : first;
    }
    return first;
}

double
model_peak(const struct model *m)
{
    const struct model_config *c = &m->config;
    double lines = (double)c->memory_requests / (c->memory_cycles + 1.0);
    if (c->dram)
        lines = (double)c->dram_channels / c->dram_tburst;
    return (lines < 1 ? lines : 1) * c->l2.line_B;
}
