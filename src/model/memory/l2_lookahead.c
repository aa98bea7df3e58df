/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The next event of the L2, and the lookahead of its answers for each SM: a cycle before
 * which it has none.  The machine sleeps until the first; SMs run ahead until the second.
 */
#include "model/memory/l2.h"

#include "model/bits.h"

static void
earliest(uint64_t *first, uint64_t at)
{
    *first = at < *first ? at : *first;
}

/* ---- lookahead: an answer comes at least so many cycles after ... ---- */

enum {
    AFTER_HIT = 1,    /* a hit that is ready */
    AFTER_FILL = 1,   /* an MSHR's line that is known */
    AFTER_MEMORY = 3, /* an answer of memory: known two cycles later */
    AFTER_LOOK = 2    /* a look at the directory that meets an MSHR, or hits */
};

static uint64_t
not_before(uint64_t at, uint64_t now)
{
    return at < now ? now : at;
}

/* The answer of a request that reads the directory in a cycle: memory is asked one
 * cycle later. */
static uint64_t
look_answers(const struct l2 *l, uint64_t line, uint64_t at)
{
    const struct l2_state *t = l->state;
    for (uint64_t left = t->valid; left; left &= left - 1)
        if (t->mshr[lowest(left)].line == line)
            return at + AFTER_LOOK;
    for (unsigned i = 0; i < t->lates; i++) /* a hit after the walk */
        if (t->late[i].line == line)
            return at + AFTER_LOOK;
    if (l->config->l2_hits && set_assoc_find(&l->lines, line))
        return at + AFTER_LOOK;
    return at + 1 + memory_latency(l->memory) + AFTER_MEMORY;
}

static uint64_t
mshr_answers(const struct l2 *l, const struct l2_mshr *e, uint64_t now)
{
    if (e->filled)
        return not_before(e->fill_at, now) + AFTER_FILL;
    if (e->ask)
        return not_before(e->ask_at, now) + memory_latency(l->memory) +
               AFTER_MEMORY;
    uint64_t at = memory_lookahead(l->memory, l2_mshr_index(l, e), now);
    return not_before(at, now) + AFTER_MEMORY;
}

static bool
is_for(const struct l2_mshr *e, unsigned sm)
{
    bool found = false;
    for (unsigned i = 0; i < e->n; i++)
        found |= e->list[i].sm == sm;
    return found;
}

/* Does one of the first n requests of the port, or the one that reads the directory,
 * ask for a line?  The line may come during a walk that follows: then a later request
 * hits. */
static bool
is_asked_for(const struct l2_state *t, uint64_t line, unsigned n)
{
    bool found = t->looked && t->look.line == line;
    for (unsigned k = 0; k < n; k++) {
        const struct mem_request *r =
            &t->in.at[(t->in.fifo.head + k) % FIFO_MAX];
        found |= r->op != MEM_FLUSH && r->line == line;
    }
    return found;
}

/* The answer of a request that is at the head of the port in a cycle, after n others,
 * the first of them from `now` on, and perhaps walks of them.  The MSHR of one of them
 * for the same line may be answered earlier by that time. */
static uint64_t
request_answers(const struct l2 *l, const struct mem_request *r, uint64_t now,
                uint64_t at, unsigned n, unsigned walks)
{
    if (r->op == MEM_FLUSH)
        return at + l2_walk_cycles(l, l->persistent.walked || walks);
    if (!is_asked_for(l->state, r->line, n))
        return look_answers(l, r->line, at + 1);
    if (walks)
        return at + 1 + AFTER_LOOK;
    return not_before(look_answers(l, r->line, now), at + 1 + AFTER_LOOK);
}

/* The first answer of requests before the L2: they come in order, and none while it
 * walks its lines. */
static uint64_t
waiting_answers(const struct l2 *l, unsigned sm, uint64_t now,
                const struct mem_request *next, uint64_t next_at)
{
    const struct l2_state *t = l->state;
    uint64_t first = UINT64_MAX, at = now;
    unsigned walks = 0;
    if (t->flushing)
        at = not_before(t->flushed_at, at);
    for (unsigned k = 0; k < t->in.fifo.n; k++) {
        unsigned i = (t->in.fifo.head + k) % FIFO_MAX;
        const struct mem_request *r = &t->in.at[i];
        at = not_before(t->in.fifo.at[i], at);
        if (r->sm == sm)
            earliest(&first, request_answers(l, r, now, at, k, walks));
        if (r->op == MEM_FLUSH) {
            at += l2_walk_cycles(l, l->persistent.walked || walks);
            walks++;
        }
    }
    if (next)
        earliest(&first, request_answers(l, next, now, not_before(next_at, at),
                                         t->in.fifo.n, walks));
    return first;
}

/* The first answer of requests that read the directory, or have hit. */
static uint64_t
looking_answers(const struct l2 *l, unsigned sm, uint64_t now)
{
    const struct l2_state *t = l->state;
    uint64_t first = UINT64_MAX;
    for (unsigned k = 0; k < t->hits.fifo.n; k++) {
        unsigned i = (t->hits.fifo.head + k) % FIFO_MAX;
        if (t->hits.at[i].sm == sm)
            earliest(&first, not_before(t->hits.fifo.at[i], now) + AFTER_HIT);
    }
    if (t->looked && t->look.sm == sm)
        earliest(&first,
                 look_answers(l, t->look.line, not_before(t->look_at, now)));
    return first;
}

uint64_t
l2_lookahead(const struct l2 *l, unsigned sm, uint64_t now,
             const struct mem_request *next, uint64_t at)
{
    const struct l2_state *t = l->state;
    uint64_t first = waiting_answers(l, sm, now, next, at);
    earliest(&first, looking_answers(l, sm, now));
    if (t->answering && t->answer.sm == sm)
        earliest(&first, not_before(t->answer_at, now));
    if (t->flushing && t->flush.sm == sm)
        earliest(&first, not_before(t->flushed_at, now));
    for (uint64_t left = t->valid; left; left &= left - 1) {
        const struct l2_mshr *e = &t->mshr[lowest(left)];
        if (is_for(e, sm))
            earliest(&first, mshr_answers(l, e, now));
    }
    return first;
}

/* A request that leaves the port makes room for the next one. */
uint64_t
l2_opens(const struct l2 *l, uint64_t now)
{
    const struct l2_state *t = l->state;
    if (!l2_is_full(l))
        return now;
    uint64_t at = not_before(mem_port_next(&t->in), now);
    at = not_before(t->opens_at, at);
    if (t->flushing)
        at = not_before(t->flushed_at, at);
    return at + 1;
}

uint64_t
l2_next_event(const struct l2 *l)
{
    const struct l2_state *t = l->state;
    uint64_t first = UINT64_MAX;
    bool memory = memory_has_room(l->memory);
    if (t->answering)
        earliest(&first, t->answer_at);
    if (t->flushing)
        earliest(&first, t->flushed_at);
    if (t->looked)
        earliest(&first, t->look_at);
    if (!t->flushing)
        earliest(&first, not_before(mem_port_next(&t->in), t->opens_at));
    if (memory)
        earliest(&first, line_port_next(&t->writes));
    earliest(&first, mem_port_next(&t->hits));
    for (uint64_t left = t->valid; left; left &= left - 1) {
        const struct l2_mshr *e = &t->mshr[lowest(left)];
        if (e->ask && memory)
            earliest(&first, e->ask_at);
        if (e->filled)
            earliest(&first, e->fill_at);
    }
    return first;
}
