/* SPDX-License-Identifier: Apache-2.0 */
/*
 * External memory: a limit of requests that are under way, and a fixed latency
 * as in the measured set-up (microarchitecture.md, External memory), or DRAM
 * (dram.c).
 */
#include "model/memory.h"

#include <string.h>

#include "base/debug_assert.h"
#include "model/bits.h"
#include "model/events.h"

void
memory_init(struct memory *y, const struct ventus_model_config *config,
            struct ventus_model_stats *stats)
{
    assert(config->memory_requests <= MEMORY_REQUESTS);
    y->config = config;
    y->stats = stats;
    dram_init(&y->dram, config, stats);
    memory_reset(y, NULL);
}

void
memory_reset(struct memory *y, const struct ventus_model_hooks *hooks)
{
    y->hooks = hooks;
    y->state = (struct memory_state){ .popped = UINT64_MAX };
    dram_reset(&y->dram);
}

/* When a request of now is answered; DRAM says so itself. */
static uint64_t
due(const struct ventus_model_config *c, uint64_t line, uint64_t now)
{
    uint64_t at = now + c->memory_cycles;
    if (c->memory_jitter)
        at += random_of(c->seed, now, line) % ((uint64_t)c->memory_jitter + 1);
    return c->dram ? UINT64_MAX : at;
}

/* Room as it was when the cycle began. */
bool
memory_ready(const struct memory *y, uint64_t now)
{
    return y->state.n + (y->state.popped == now) < y->config->memory_requests;
}

void
memory_ask(struct memory *y, uint64_t now, bool write, unsigned mshr,
           uint64_t line)
{
    struct memory_state *t = &y->state;
    assert(t->n < y->config->memory_requests);
    t->at[t->n++] = (struct memory_request){ .due = due(y->config, line, now),
                                             .write = write,
                                             .mshr = mshr,
                                             .line = line };
    if (events_on(y->hooks))
        events_memory(y->hooks, now,
                      (struct ventus_model_event){
                          .kind = VENTUS_MODEL_EVENT_REQUEST,
                          .number = t->n,
                          .address = (uint64_t)line * y->config->l2.line_B,
                          .write = write });
    y->stats->memory_B += y->config->l2.line_B;
    *(write ? &y->stats->memory_writes : &y->stats->memory_reads) += 1;
}

/* What is answered now: in order, from DRAM and with memory_jitter what was
 * ready first. */
static int
find_answer(const struct memory *y, uint64_t now)
{
    const struct memory_state *t = &y->state;
    unsigned first = 0;
    bool in_order = !y->config->dram && !y->config->memory_jitter;
    for (unsigned i = 1; !in_order && i < t->n; i++)
        if (t->at[i].due < t->at[first].due)
            first = i;
    return t->n && t->at[first].due <= now ? (int)first : NEVER;
}

/* One answer a cycle. */
bool
memory_tick(struct memory *y, uint64_t now, struct memory_request *answer)
{
    struct memory_state *t = &y->state;
    assert(t->n);
    y->stats->memory_busy++;
    if (y->config->dram)
        dram_tick(&y->dram, t->at, t->n, now);
    int found = find_answer(y, now);
    if (found < 0)
        return false;
    struct memory_request *r = &t->at[found];
    *answer = *r;
    t->n--;
    memmove(r, r + 1, (t->n - (unsigned)found) * sizeof *r);
    t->popped = now;
    if (events_on(y->hooks))
        events_memory(y->hooks, now,
                      (struct ventus_model_event){
                          .kind = VENTUS_MODEL_EVENT_ANSWER, .number = t->n });
    return true;
}

void
memory_skip(struct memory *y, uint64_t cycles)
{
    if (y->state.n)
        y->stats->memory_busy += cycles;
}

uint64_t
memory_latency(const struct memory *y)
{
    const struct ventus_model_config *c = y->config;
    return c->dram ? (uint64_t)c->dram_tcas + c->dram_tburst : c->memory_cycles;
}

uint64_t
memory_lookahead(const struct memory *y, unsigned mshr, uint64_t now)
{
    const struct memory_state *t = &y->state;
    for (unsigned i = 0; i < t->n; i++)
        if (!t->at[i].write && t->at[i].mshr == mshr)
            return t->at[i].due == UINT64_MAX ? now + memory_latency(y)
                                              : t->at[i].due;
    return now;
}

uint64_t
memory_next_event(const struct memory *y, uint64_t now)
{
    const struct memory_state *t = &y->state;
    uint64_t first = UINT64_MAX;
    for (unsigned i = 0; i < t->n; i++) {
        if (t->at[i].due == UINT64_MAX)
            return now; /* DRAM may start it */
        first = t->at[i].due < first ? t->at[i].due : first;
    }
    return first;
}
