/* SPDX-License-Identifier: Apache-2.0 */
/*
 * External memory: a limit of requests that are under way, and a fixed latency
 * as in the measured set-up (microarchitecture.md, External memory), or DRAM
 * (dram.c).  Before and after it are memory_stages registers, a cycle each.
 */
#include "model/memory/memory.h"

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
    unsigned stages = y->config->memory_stages;
    y->state = (struct memory_state){ .popped = UINT64_MAX };
    memory_port_init(&y->state.before, stages, stages, false);
    memory_port_init(&y->state.after, stages + 1, stages, false);
    dram_reset(&y->dram);
}

/* When a request of now is answered; DRAM says so itself. */
static uint64_t
due_cycle(const struct ventus_model_config *c, uint64_t line, uint64_t now)
{
    uint64_t at = now + c->memory_cycles;
    if (c->memory_jitter)
        at += random_of(c->seed, now, line) % ((uint64_t)c->memory_jitter + 1);
    return c->dram ? UINT64_MAX : at;
}

/* Room as it was when the cycle began. */
static bool
has_room(const struct memory *y, uint64_t now)
{
    return y->state.n + (y->state.popped == now) < y->config->memory_requests;
}

/* A register that is full has room in the cycle in which memory takes from it. */
bool
memory_can_send(const struct memory *y, uint64_t now)
{
    unsigned stages = y->config->memory_stages;
    return stages ? y->state.before.fifo.n < stages : has_room(y, now);
}

static void
accept_request(struct memory *y, uint64_t now, struct memory_request r)
{
    struct memory_state *t = &y->state;
    assert(t->n < y->config->memory_requests &&
           "memory_can_send is asked before");
    r.due = due_cycle(y->config, r.line, now);
    t->at[t->n++] = r;
    if (events_on(y->hooks))
        events_memory(y->hooks, now,
                      (struct ventus_model_event){
                          .kind = VENTUS_MODEL_EVENT_REQUEST,
                          .number = t->n,
                          .address = (uint64_t)r.line * y->config->l2.line_B,
                          .write = r.write });
}

void
memory_send(struct memory *y, uint64_t now, bool write, unsigned mshr,
            uint64_t line)
{
    const struct memory_request r = { .write = write,
                                      .mshr = mshr,
                                      .line = line };
    y->stats->memory_B += y->config->l2.line_B;
    *(write ? &y->stats->memory_writes : &y->stats->memory_reads) += 1;
    if (y->config->memory_stages)
        memory_port_send(&y->state.before, now, r);
    else
        accept_request(y, now, r);
}

/* The request that is answered now: the oldest, or from DRAM and with memory_jitter
 * the one that was ready first. */
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

/* Memory gives one answer a cycle. */
static void
answer_one(struct memory *y, uint64_t now)
{
    struct memory_state *t = &y->state;
    int found = find_answer(y, now);
    t->answers = found >= 0;
    if (!t->answers)
        return;
    struct memory_request *r = &t->at[found];
    t->answer = *r;
    t->n--;
    memmove(r, r + 1, (t->n - (unsigned)found) * sizeof *r);
    t->popped = now;
    if (events_on(y->hooks))
        events_memory(y->hooks, now,
                      (struct ventus_model_event){
                          .kind = VENTUS_MODEL_EVENT_ANSWER, .number = t->n });
}

/* Moves requests through the registers before memory, and its answer through those
 * after it. */
static void
step_stages(struct memory *y, uint64_t now)
{
    struct memory_state *t = &y->state;
    if (memory_port_peek(&t->before, now) && has_room(y, now))
        accept_request(y, now, memory_port_take(&t->before, now));
    if (t->answers)
        memory_port_send(&t->after, now, t->answer);
    t->answers = memory_port_peek(&t->after, now);
    if (t->answers)
        t->answer = memory_port_take(&t->after, now);
}

void
memory_tick(struct memory *y, uint64_t now)
{
    struct memory_state *t = &y->state;
    assert(memory_busy(y) && "a tick of idle memory is skipped");
    y->stats->memory_busy += t->n != 0;
    if (y->config->dram && t->n)
        dram_tick(&y->dram, t->at, t->n, now);
    answer_one(y, now);
    if (y->config->memory_stages)
        step_stages(y, now);
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
    uint64_t alone =
        c->dram ? (uint64_t)c->dram_tcas + c->dram_tburst : c->memory_cycles;
    return alone + 2 * (uint64_t)c->memory_stages;
}

/* The cycle in which the request for an MSHR leaves a queue; UINT64_MAX: it is not in
 * it. */
static uint64_t
leaves_at(const struct memory_port *p, unsigned mshr)
{
    for (unsigned k = 0; k < p->fifo.n; k++) {
        unsigned i = (p->fifo.head + k) % FIFO_MAX;
        if (!p->at[i].write && p->at[i].mshr == mshr)
            return p->fifo.at[i];
    }
    return UINT64_MAX;
}

uint64_t
memory_lookahead(const struct memory *y, unsigned mshr, uint64_t now)
{
    const struct memory_state *t = &y->state;
    const unsigned stages = y->config->memory_stages;
    uint64_t before = leaves_at(&t->before, mshr);
    uint64_t after = leaves_at(&t->after, mshr);
    for (unsigned i = 0; i < t->n; i++)
        if (!t->at[i].write && t->at[i].mshr == mshr)
            return t->at[i].due == UINT64_MAX ? now + memory_latency(y) - stages
                                              : t->at[i].due + stages;
    return before != UINT64_MAX  ? before + memory_latency(y) - stages
           : after != UINT64_MAX ? after
                                 : now;
}

uint64_t
memory_next_event(const struct memory *y, uint64_t now)
{
    const struct memory_state *t = &y->state;
    uint64_t first = memory_port_next(&t->after);
    if (t->n < y->config->memory_requests &&
        memory_port_next(&t->before) < first)
        first = memory_port_next(&t->before);
    for (unsigned i = 0; i < t->n; i++) {
        if (t->at[i].due == UINT64_MAX)
            return now; /* DRAM may start it */
        first = t->at[i].due < first ? t->at[i].due : first;
    }
    return first;
}
