/* SPDX-License-Identifier: Apache-2.0 */
/*
 * In which order the lanes of a warp do what each has done (semantics.md,
 * Vector branches): of the sides of a branch the one with fewer lanes comes
 * first, on a tie that which takes the branch, and both run until they meet.
 * Written as a recursion over sets of lanes, with what the branches gave as
 * each thread recorded it.
 */
#include "reference.h"

#include <string.h>

struct walk {
    const struct program *p;
    struct thread *thread;
    uint64_t all; /* lanes of the warp */
    uint32_t *orders;
    struct coverage *coverage;
    uint64_t entered[NODES_MAX]; /* lanes that came into a loop last */
    unsigned depth, deepest;
    bool over; /* the warp ended, in whatever loop that was */
};

static uint32_t
next_record(struct walk *w, unsigned lane)
{
    struct record *r = &w->thread[lane].record;
    return r->read < r->n ? r->at[r->read++] : 0;
}

/* The lanes whose next record is not 0. */
static uint64_t
next_lanes(struct walk *w, uint64_t set)
{
    uint64_t those = 0;
    for (uint64_t rest = set; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        if (next_record(w, lane))
            those |= UINT64_C(1) << lane;
    }
    return those;
}

static void
do_order(struct walk *w, const struct node *n, uint64_t set)
{
    uint32_t *x = &w->orders[n->d], count = 0, first = UINT32_MAX, last = 0;
    uint32_t by = n->imm;
    for (uint64_t rest = n->op == ORDER_STEP ? 0 : set; rest;
         rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        last = next_record(w, lane);
        count += last & 1;
        if (first == UINT32_MAX && (last & 1))
            first = lane;
    }
    if (n->op == ORDER_COUNT)
        by = count;
    if (n->op == ORDER_FIRST)
        by = first;
    if (n->op == ORDER_LAST)
        by = last;
    *x = *x * ORDER_FACTOR + by;
}

static void
walk(struct walk *w, uint64_t set, struct place at, struct place stop);

/* Where the lanes of `set` go on together after a branch at `node`. */
static struct place
split(struct walk *w, unsigned node, uint64_t set, struct place to_taken,
      struct place to_rest)
{
    uint64_t those = next_lanes(w, set), rest = set & ~those;
    if (!rest)
        return to_taken;
    if (!those)
        return to_rest;
    struct place meet = place_meet(w->p, node);
    bool rest_first = __builtin_popcountll(rest) < __builtin_popcountll(those);
    if (++w->depth > w->deepest)
        w->deepest = w->depth;
    walk(w, rest_first ? rest : those, rest_first ? to_rest : to_taken, meet);
    walk(w, rest_first ? those : rest, rest_first ? to_taken : to_rest, meet);
    w->depth--;
    return meet;
}

/* All lanes as often, and they stay together. */
static void
uniform_loop(struct walk *w, unsigned node, uint64_t set)
{
    uint32_t rounds = 0;
    for (uint64_t rest = set; rest; rest &= rest - 1)
        rounds = next_record(w, (unsigned)__builtin_ctzll(rest));
    struct place latch = { (uint16_t)node, LATCH };
    for (uint32_t i = 0; i < rounds && !w->over; i++)
        walk(w, set, place_side(w->p, node, w->p->node[node].body), latch);
}

static void
note_escape(struct walk *w, const struct node *n, uint64_t set)
{
    const struct node *target = &w->p->node[n->target];
    if (target->kind == LOOP && n->phase == JOIN)
        w->coverage->partial_breaks += set != w->entered[n->target];
    if (n->target == 1)
        for (unsigned i = 0; i < LANES_MAX; i++)
            if (set >> i & 1)
                w->thread[i].ended = true;
    if (target->kind == FUNCTION && n->target != 1)
        w->coverage->returns += set != w->entered[n->target];
}

static void
call(struct walk *w, const struct node *n, uint64_t set)
{
    uint16_t f = w->p->function[n->target];
    w->coverage->divergent_calls += set != w->all;
    w->entered[f] = set;
    walk(w, set, place_side(w->p, f, w->p->node[f].body),
         (struct place){ f, JOIN });
}

/* Lanes beyond vl take no part, as if the warp had fewer. */
static void
shortened(struct walk *w, unsigned node, uint64_t set)
{
    const struct node *n = &w->p->node[node];
    uint64_t all = w->all, first = UINT64_MAX >> (64 - n->imm);
    w->all &= first;
    walk(w, set & first, place_side(w->p, node, n->body),
         (struct place){ (uint16_t)node, JOIN });
    w->all = all;
}

static struct place
enter(struct walk *w, unsigned node, uint64_t set)
{
    const struct node *n = &w->p->node[node];
    struct place after = place_after(w->p, node);
    struct place end = { 1, JOIN };
    switch ((enum kind)n->kind) {
    case IF:
        return split(w, node, set, place_side(w->p, node, n->other),
                     place_side(w->p, node, n->body));
    case LOOP:
        w->entered[node] = set;
        if (n->tested_first)
            return split(w, node, set, (struct place){ (uint16_t)node, JOIN },
                         place_side(w->p, node, n->body));
        return place_side(w->p, node, n->body);
    case UNIFORM_LOOP:
        uniform_loop(w, node, set);
        return after;
    case LENGTH:
        shortened(w, node, set);
        return after;
    case CALL:
        call(w, n, set);
        return after;
    case ESCAPE:
        note_escape(w, n, set);
        return (struct place){ n->target, n->phase };
    case END_WARP:
        if (!next_lanes(w, set))
            return after;
        w->coverage->ended_warps++;
        w->over = true;
        return end;
    case ORDER:
        do_order(w, n, set);
        return after;
    default:
        return after;
    }
}

static struct place
latch(struct walk *w, unsigned node, uint64_t set)
{
    const struct node *n = &w->p->node[node];
    struct place body = place_side(w->p, node, n->body);
    struct place leave = { (uint16_t)node, JOIN };
    if (n->tested_first)
        return split(w, node, set, leave, body);
    return split(w, node, set, body, leave);
}

static void
walk(struct walk *w, uint64_t set, struct place at, struct place stop)
{
    while (!w->over && !same_place(at, stop)) {
        if (at.phase == ENTER)
            at = enter(w, at.node, set);
        else if (at.phase == LATCH)
            at = latch(w, at.node, set);
        else
            at = place_after(w->p, at.node);
    }
}

void
order_run(const struct program *p, struct thread *threads, unsigned n,
          uint32_t orders[ORDERS], struct coverage *c)
{
    struct walk w = { .p = p,
                      .thread = threads,
                      .all = UINT64_MAX >> (64 - n),
                      .orders = orders,
                      .coverage = c };
    struct place end = { 1, JOIN };
    for (unsigned i = 0; i < n; i++)
        threads[i].ended = false;
    memset(orders, 0, ORDERS * sizeof *orders);
    walk(&w, w.all, place_side(p, 1, p->node[1].body), end);
    c->depth4 += w.deepest >= 4;
    if (w.deepest > c->deepest)
        c->deepest = w.deepest;
}
