/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a program must leave in memory.  Each thread interprets the tree for
 * itself: there are no masks, no stack and no lanes here, and nothing of
 * src/sim or src/isa.  Barriers are where all threads of a workgroup have to
 * be before any goes on, so the statements around them are taken one by one
 * for the whole workgroup.
 */
#include "reference.h"

#include <stdlib.h>
#include <string.h>

struct run {
    const struct program *p;
    uint32_t table[TABLE_WORDS];
    uint64_t left;         /* statements until it is given up */
    struct thread *thread; /* of the workgroup */
    unsigned n;
    uint32_t counter[COUNTERS];
    struct coverage *coverage;
};

static const struct place nowhere;

static void
record(struct thread *t, uint32_t value)
{
    struct record *r = &t->record;
    if (r->n == r->capacity) {
        r->capacity = r->capacity ? 2 * r->capacity : 64;
        r->at = realloc(r->at, r->capacity * sizeof *r->at);
    }
    r->at[r->n++] = value;
}

/* ---- memory ---- */

static unsigned
bytes_of(enum width w)
{
    return w == WIDTH_W ? 4 : w == WIDTH_H || w == WIDTH_HU ? 2 : 1;
}

static uint32_t
load(const uint8_t *from, enum width w)
{
    uint32_t x = from[0];
    for (unsigned i = 1; i < bytes_of(w); i++)
        x |= (uint32_t)from[i] << 8 * i;
    return w == WIDTH_H   ? (uint32_t)(int16_t)x
           : w == WIDTH_B ? (uint32_t)(int8_t)x
                          : x;
}

static void
store(uint8_t *to, uint32_t x, enum width w)
{
    for (unsigned i = 0; i < bytes_of(w); i++)
        to[i] = (uint8_t)(x >> 8 * i);
}

/* The byte of the table at an offset below its size. */
static uint32_t
load_table(const struct run *r, uint32_t at, enum width w)
{
    uint8_t bytes[4];
    for (unsigned i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(r->table[(at + i) / 4 % TABLE_WORDS] >>
                             8 * ((at + i) % 4));
    return load(bytes, w);
}

/* ---- statements ---- */

static void
do_memory(struct run *r, struct thread *t, const struct node *n)
{
    bool private = n->kind == PRIVATE_STORE || n->kind == PRIVATE_LOAD;
    uint32_t *d = &t->v[n->d], a = t->v[n->a], b = private ? t->v[n->b] : 0;
    uint8_t local[4];
    unsigned bytes = bytes_of(n->op);
    switch ((int)n->kind) {
    case LOAD_TABLE:
        *d = load_table(r, a % (4 * TABLE_WORDS / bytes) * bytes, n->op);
        break;
    case LOAD_STRIDE:
        *d = load_table(r, n->imm + t->lane * n->b, WIDTH_W);
        break;
    case SLOT_STORE:
        store(t->slot + n->imm, a, n->op);
        break;
    case SLOT_LOAD:
        *d = load(t->slot + n->imm, n->op);
        break;
    case LOCAL_STORE:
    case LOCAL_LOAD:
        store(local, t->local, WIDTH_W);
        if (n->kind == LOCAL_LOAD)
            *d = load(local + n->imm, n->op);
        else
            store(local + n->imm, a, n->op);
        t->local = load(local, WIDTH_W);
        break;
    case PRIVATE_STORE:
        store(t->private + b % (PRIVATE_B / bytes) * bytes, a, n->op);
        break;
    case PRIVATE_LOAD:
        *d = load(t->private + b % (PRIVATE_B / bytes) * bytes, n->op);
        break;
    case ROW_STORE:
        t->row = a;
        break;
    case ROW_LOAD:
        *d = t->row;
        break;
    case ATOMIC:
        *d = t->atomic;
        t->atomic = operation_atomic(n->op, t->atomic, a);
        break;
    case ATOMIC_ADD:
        r->counter[n->imm] += a;
        break;
    }
}

static void
do_arith(struct thread *t, const struct node *n)
{
    uint32_t b = n->form == FORM_VV   ? t->v[n->b]
                 : n->form == FORM_VU ? t->u[n->b]
                                      : n->imm;
    t->v[n->d] = operation_arith(n->op, t->v[n->a], b, t->v[n->d], t->v[0]);
}

/* Those statements that have no others in them. */
static void
do_simple(struct run *r, struct thread *t, const struct node *n)
{
    if (n->kind == ORDER) {
        if (n->op != ORDER_STEP)
            record(t, t->v[n->a]);
        return;
    }
    if (n->kind == UNIFORM)
        t->u[n->d] = operation_arith(n->op, t->u[n->a], n->imm, 0, 0);
    else if (n->masked && !(t->v[0] & 1))
        return;
    else if (n->kind == ARITH)
        do_arith(t, n);
    else
        do_memory(r, t, n);
}

static struct place
do_list(struct run *r, struct thread *t, unsigned first);

static unsigned
uniform_rounds(const struct thread *t, const struct node *n)
{
    return n->imm + (n->form == 1   ? t->group & 1
                     : n->form == 2 ? t->u[n->a] & 3
                                    : 0);
}

/* The place that the threads of the body leave for, unless it is the loop. */
static struct place
do_loop(struct run *r, struct thread *t, unsigned node)
{
    const struct node *n = &r->p->node[node];
    bool uniform = n->kind == UNIFORM_LOOP;
    uint32_t left = uniform ? uniform_rounds(t, n) : (t->v[n->a] & 3) + n->imm;
    if (uniform)
        record(t, left);
    for (;;) {
        if (n->tested_first && !uniform) {
            record(t, left == 0);
            if (!left)
                return nowhere;
        }
        struct place to = do_list(r, t, n->body);
        if (to.node && (to.node != node || to.phase == JOIN))
            return to.node == node ? nowhere : to;
        left--;
        if (!n->tested_first && !uniform)
            record(t, left != 0);
        if (!n->tested_first && !left)
            return nowhere;
    }
}

static struct place
do_node(struct run *r, struct thread *t, unsigned node)
{
    const struct node *n = &r->p->node[node];
    struct place to;
    bool is_taken;
    if (!r->left)
        return (struct place){ 1, JOIN };
    r->left--;
    switch ((enum kind)n->kind) {
    case IF:
        is_taken =
            operation_taken(n->op, t->v[n->a] & n->imm, t->v[n->b] & n->imm);
        record(t, is_taken);
        return do_list(r, t, is_taken ? n->other : n->body);
    case LENGTH:
        return t->lane < n->imm ? do_list(r, t, n->body) : nowhere;
    case LOOP:
    case UNIFORM_LOOP:
        return do_loop(r, t, node);
    case ESCAPE:
        return (struct place){ n->target, n->phase };
    case CALL:
        to = do_list(r, t, r->p->node[r->p->function[n->target]].body);
        return to.node == r->p->function[n->target] ? nowhere : to;
    case END_WARP:
        record(t, t->warp == n->imm);
        return t->warp == n->imm ? (struct place){ 1, JOIN } : nowhere;
    default:
        do_simple(r, t, n);
        return nowhere;
    }
}

static struct place
do_list(struct run *r, struct thread *t, unsigned first)
{
    for (unsigned k = first; k; k = r->p->node[k].next) {
        struct place to = do_node(r, t, k);
        if (to.node)
            return to;
    }
    return nowhere;
}

/* ---- a workgroup ---- */

static void
group_exchange(struct run *r, const struct node *n)
{
    for (unsigned i = 0; i < r->n; i++)
        if (!r->thread[i].skips_to.node)
            r->thread[i].local = r->thread[i].v[n->a];
    for (unsigned i = 0; i < r->n; i++)
        if (!r->thread[i].skips_to.node)
            r->thread[i].v[n->d] = r->thread[(i + n->imm) % r->n].local;
}

static void
group_list(struct run *r, unsigned first, bool in_loop);

/* A loop with barriers: of all threads as often. */
static void
group_loop(struct run *r, unsigned node)
{
    const struct node *n = &r->p->node[node];
    unsigned rounds = uniform_rounds(&r->thread[0], n);
    for (unsigned i = 0; i < r->n; i++)
        if (!r->thread[i].skips_to.node)
            record(&r->thread[i], rounds);
    for (unsigned k = 0; k < rounds; k++) {
        group_list(r, n->body, true);
        for (unsigned i = 0; i < r->n; i++)
            if (r->thread[i].skips_to.node == node)
                r->thread[i].skips_to = nowhere;
    }
}

static void
group_list(struct run *r, unsigned first, bool in_loop)
{
    const struct program *p = r->p;
    for (unsigned k = first; k; k = p->node[k].next) {
        const struct node *n = &p->node[k];
        bool waits = program_has(p, k, BARRIER) || program_has(p, k, EXCHANGE);
        if (waits && n->kind == UNIFORM_LOOP) {
            group_loop(r, k);
            continue;
        }
        if (waits && in_loop)
            r->coverage->loop_barriers++;
        if (n->kind == EXCHANGE)
            group_exchange(r, n);
        for (unsigned i = 0; !waits && i < r->n; i++)
            if (!r->thread[i].skips_to.node)
                r->thread[i].skips_to = do_node(r, &r->thread[i], k);
    }
}

static void
thread_begin(const struct run *r, struct thread *t, unsigned group,
             unsigned number)
{
    const struct geometry *g = &r->p->at;
    uint32_t id = group * g->threads + number;
    *t = (struct thread){ .lane = number % g->lanes,
                          .number = number,
                          .group = group,
                          .warp = number / g->lanes };
    for (unsigned k = 0; k < VARS; k++)
        t->v[k] = r->table[(id * (2 * k + 1) + 67 * k) % TABLE_WORDS];
    t->u[0] = t->warp;
    t->u[1] = group;
    t->u[2] = (uint32_t)r->p->seed;
    t->u[3] = r->table[t->warp];
}

/* ---- what is left of it ---- */

static void
put_word(struct expected *e, uint32_t at, uint32_t word)
{
    store(e->image + at, word, WIDTH_W);
}

static void
put_thread(const struct run *r, const struct thread *t, struct expected *e)
{
    const struct geometry *g = &r->p->at;
    unsigned whole = g->warps * g->lanes, id = t->group * whole + t->number;
    uint32_t at = e->layout.threads + id * THREAD_B;
    memcpy(e->image + at, t->slot, SLOT_B);
    for (unsigned k = 0; k < VARS; k++)
        put_word(e, at + THREAD_VARS + 4 * k, t->v[k]);
    put_word(e, at + THREAD_ATOMIC, t->atomic);
    put_word(e,
             e->layout.warps + (t->group * g->warps + t->warp) * WARP_B +
                 4 * t->lane,
             t->row);
    at = e->layout.private + t->group * whole * PRIVATE_B;
    for (unsigned k = 0; k < PRIVATE_B; k++)
        e->image[at + (k & ~3u) * whole + 4 * t->number + k % 4] =
            t->private[k];
}

static void
put_warp(const struct run *r, struct thread *first, unsigned n,
         struct expected *e)
{
    const struct geometry *g = &r->p->at;
    uint32_t orders[ORDERS];
    uint32_t at =
        e->layout.warps + (first->group * g->warps + first->warp) * WARP_B;
    bool dead = true;
    order_run(r->p, first, n, orders, r->coverage);
    for (unsigned k = 0; k < ORDERS; k++)
        put_word(e, at + WARP_ORDERS + 4 * k, orders[k]);
    for (unsigned k = 0; k < UNIFORMS; k++)
        put_word(e, at + WARP_UNIFORMS + 4 * k, first->u[k]);
    for (unsigned i = 0; i < n; i++)
        dead = dead && first[i].ended;
    r->coverage->dead_warps += dead;
    r->coverage->partial_warps += n < g->lanes;
}

static bool
run_group(struct run *r, unsigned group, struct expected *e)
{
    const struct geometry *g = &r->p->at;
    r->n = geometry_group_threads(g, group);
    memset(r->counter, 0, sizeof r->counter);
    for (unsigned i = 0; i < r->n; i++)
        thread_begin(r, &r->thread[i], group, i);
    group_list(r, r->p->node[1].body, false);
    for (unsigned i = 0; r->left && i < r->n; i++)
        put_thread(r, &r->thread[i], e);
    for (unsigned i = 0; r->left && i < r->n; i += g->lanes)
        put_warp(r, &r->thread[i], r->n - i < g->lanes ? r->n - i : g->lanes,
                 e);
    for (unsigned k = 0; k < COUNTERS; k++)
        put_word(e, e->layout.groups + group * GROUP_B + 4 * k, r->counter[k]);
    for (unsigned i = 0; i < r->n; i++)
        free(r->thread[i].record.at);
    return r->left != 0;
}

bool
reference_run(const struct program *p, uint64_t limit, struct expected *e)
{
    struct run r = { .p = p, .left = limit, .coverage = &e->coverage };
    *e = (struct expected){ .layout = layout_of(&p->at) };
    e->image = calloc(1, e->layout.size);
    r.thread = calloc(p->at.threads, sizeof *r.thread);
    table_fill(r.table, p->seed);
    bool ok = true;
    for (unsigned i = 0; ok && i < geometry_groups(&p->at); i++)
        ok = run_group(&r, i, e);
    free(r.thread);
    if (!ok)
        free(e->image);
    return ok;
}
