/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coherence by release consistency (coherence = rcc), as the slides of the
 * instruction set have it: L1 data caches are not kept coherent.  What an SM
 * sees is what its own L1D holds, and what it wrote stays there, until
 *
 *     .rl, FENCE W,W              global flush: dirty bytes go to the L2
 *     .aq, FENCE R,R, FENCE W,R   global invalidate: flush, invalidate all
 *     FENCE R,W                   its loads and stores are waited for
 *     barrier, scope device       global invalidate of each warp that comes
 *
 * .aq and .rl of local memory, which the L1D has no part in, only wait:
 * such an atomic is seen by its workgroup alone, on this SM.
 *
 * Values are those of the moment of issue, so the L1D that holds them here is
 * a shadow of the one that keeps time, of the same size, filled in order of
 * issue: a load that misses takes its line from the L2; a store that hits
 * stays, one that misses goes on to the L2; atomics are done there.  A line
 * that leaves gives back the bytes that were written, and no others: SMs may
 * write to different bytes of one line.
 *
 * Memory of the functional machine is what the L2 has.  Around an access the
 * lines that the L1D holds are put in its place.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "model/machine.h"

enum { FENCE_W = 1, FENCE_R = 2, FENCE_SUCC = 0, FENCE_PRED = 4 };

static struct rcc_line *
line_of(const struct rcc *r, const struct way *way)
{
    return &r->line[set_assoc_index(&r->lines, way)];
}

static uint8_t *
memory_of(const struct sm *s, uint64_t line)
{
    uint64_t size;
    return ventus_sim_pointer(s->m->sim, line << s->m->line_shift, &size);
}

static void
write_back(struct sm *s, struct way *way)
{
    unsigned n = s->m->config.dcache.line_B;
    struct rcc_line *l = line_of(&s->rcc, way);
    uint8_t *to = way->dirty ? memory_of(s, way->tag) : NULL;
    for (unsigned i = 0; to && i < n; i++)
        if (l->written[i]) {
            if (to[i] != l->data[i])
                livelock_changed(s);
            to[i] = l->data[i];
        }
    memset(l->written, 0, n);
    way->dirty = false;
}

/* The SM sees what memory has, which may be something else. */
static void
invalidate(struct sm *s, struct way *way)
{
    assert(way->valid);
    write_back(s, way);
    if (s->detects_livelock &&
        memcmp(line_of(&s->rcc, way)->data, memory_of(s, way->tag),
               s->m->config.dcache.line_B) != 0)
        livelock_changed(s);
    way->valid = false;
}

/* The ways of a line's set that are not in use by the access. */
static uint64_t
free_ways(const struct rcc *r, uint64_t line)
{
    const struct way *set = set_assoc_set(&r->lines, line);
    uint64_t found = 0;
    for (unsigned i = 0; i < r->lines.ways; i++)
        found |= (uint64_t)!line_of(r, &set[i])->swapped << i;
    return found;
}

/* An invalid way of a line's set, or the policy's victim among some. */
static struct way *
choose_way(struct rcc *r, uint64_t line, uint64_t among)
{
    struct way *set = set_assoc_set(&r->lines, line);
    for (unsigned i = 0; i < r->lines.ways; i++)
        if (!set[i].valid)
            return &set[i];
    return set_assoc_policy_victim(&r->lines, line, r->clock, among);
}

/*
 * Takes the line from the L2, in place of one that is not in use: a set may be too
 * small for all lines of an access.  NULL: all are, and the access goes to the L2.
 */
static struct way *
fill(struct sm *s, uint64_t line)
{
    struct rcc *r = &s->rcc;
    uint64_t among = free_ways(r, line);
    if (!among)
        return NULL;
    struct way *way = choose_way(r, line, among);
    struct rcc_line *l = line_of(r, way);
    assert(!l->swapped);
    if (way->valid)
        invalidate(s, way);
    set_assoc_fill(&r->lines, way, line, ++r->clock);
    l->filled = r->clock;
    l->depends = 0;
    memcpy(l->data, memory_of(s, line), s->m->config.dcache.line_B);
    return way;
}

/* ---- what is asked of the caches ---- */

/* What atomics of local memory order, all in the workgroup see through one L1D. */
static bool
is_all_local(const struct step_access *a)
{
    for (unsigned i = 0; i < a->n; i++)
        if (!local_has(a->at[i]))
            return false;
    return true;
}

static enum rcc_effect
effect_of_atomic(const struct model_op *op, const struct step_access *a)
{
    if (!op->aqrl)
        return RCC_NOTHING;
    return is_all_local(a)          ? RCC_DRAIN
           : op->aqrl & RCC_ACQUIRE ? RCC_INVALIDATE
                                    : RCC_FLUSH;
}

static enum rcc_effect
effect_of_fence(const struct model_op *op)
{
    unsigned pred = op->order >> FENCE_PRED, succ = op->order >> FENCE_SUCC;
    if (succ & FENCE_R && pred & (FENCE_R | FENCE_W))
        return RCC_INVALIDATE;
    return pred & FENCE_W && succ & FENCE_W ? RCC_FLUSH : RCC_DRAIN;
}

/* ---- one access ---- */

/* The line of physical memory that a word is in; false: none. */
static bool
find_word(struct sm *s, uint64_t at, bool write, uint64_t *physical)
{
    const struct ventus_sim_launch *l = s->m->launch;
    if (local_has(at))
        return false; /* local memory is the workgroup's own */
    return ventus_sim_translate(s->m->sim, l->ptbr, at,
                                write ? VENTUS_SIM_WRITE : VENTUS_SIM_READ,
                                physical) == VENTUS_SIM_FAULT_NONE &&
           memory_of(s, *physical >> s->m->line_shift);
}

/* Puts a line that the L1D holds in the place of the L2's. */
static void
swap_in(struct sm *s, struct way *way)
{
    struct rcc *r = &s->rcc;
    unsigned n = s->m->config.dcache.line_B;
    struct rcc_line *l = line_of(r, way);
    set_assoc_touch(&r->lines, way, ++r->clock);
    if (l->swapped)
        return;
    assert(r->swaps < RCC_SWAPS && way->valid);
    l->swapped = true;
    uint8_t *host = memory_of(s, way->tag);
    memcpy(r->saved + (size_t)r->swaps * n, host, n);
    memcpy(host, l->data, n);
    r->swap[r->swaps++] = way;
}

/* What a load reads: of the line, or now from the L2. */
static void
note_age(struct sm *s, const struct way *way)
{
    uint64_t age = ++s->rcc.clock;
    if (way) {
        const struct rcc_line *l = line_of(&s->rcc, way);
        age = l->filled > l->depends ? l->filled : l->depends;
    }
    if (age > s->depend.read)
        s->depend.read = age;
}

/* A line that is older than the address of the load must not be seen by it. */
static struct way *
find_fresh(struct sm *s, uint64_t line, bool write)
{
    struct way *way = set_assoc_find(&s->rcc.lines, line);
    if (!way || write)
        return way;
    const struct rcc_line *l = line_of(&s->rcc, way);
    if (l->swapped || l->filled >= s->depend.address)
        return way;
    invalidate(s, way);
    s->stats.refetches++;
    return NULL;
}

static void
prepare_word(struct sm *s, const struct model_op *op, uint64_t physical)
{
    uint64_t line = physical >> s->m->line_shift;
    struct way *way = find_fresh(s, line, op->write || op->atomic);
    if (op->atomic) {
        note_age(s, NULL);
        if (way)
            invalidate(s, way);
        return;
    }
    if (!way && !op->write && s->rcc.swaps < RCC_SWAPS)
        way = fill(s, line);
    if (!op->write)
        note_age(s, way);
    if (way && s->rcc.swaps < RCC_SWAPS)
        swap_in(s, way);
}

void
rcc_before(struct sm *s, const struct warp *w, const struct model_op *op)
{
    struct step_access *a = &s->rcc.access;
    bool write = op && (op->write || op->atomic);
    a->n = 0;
    s->rcc.now = RCC_NOTHING;
    if (op && op->orders & ORDERS_DEVICE)
        s->rcc.now = RCC_INVALIDATE;
    if (op && op->fence)
        s->rcc.now = (uint8_t)effect_of_fence(op);
    if (!op || !op->memory || op->fence)
        return;
    step_peek(s->stepper, w->group, w->id, a);
    if (op->atomic)
        s->rcc.now = (uint8_t)effect_of_atomic(op, a);
    if (op->aqrl & RCC_RELEASE && s->rcc.now >= RCC_FLUSH)
        rcc_flush(s);
    for (unsigned i = 0; i < a->n; i++)
        if (find_word(s, a->at[i], write, &a->at[i]))
            prepare_word(s, op, a->at[i]);
        else
            a->at[i] = UINT64_MAX;
}

/* What a store wrote into lines that the L1D holds. */
static void
mark_written(struct sm *s)
{
    const struct step_access *a = &s->rcc.access;
    uint64_t mask = s->m->config.dcache.line_B - 1;
    for (unsigned i = 0; i < a->n; i++) {
        struct way *way =
            a->at[i] == UINT64_MAX
                ? NULL
                : set_assoc_find(&s->rcc.lines, a->at[i] >> s->m->line_shift);
        struct rcc_line *l = way ? line_of(&s->rcc, way) : NULL;
        if (!l || !l->swapped)
            continue;
        memset(l->written + (a->at[i] & mask), 1, a->bytes);
        way->dirty = true;
        if (l->depends < s->depend.address)
            l->depends = s->depend.address;
    }
}

void
rcc_after(struct sm *s, const struct model_op *op)
{
    struct rcc *r = &s->rcc;
    unsigned n = s->m->config.dcache.line_B;
    if (op && op->write)
        mark_written(s);
    while (r->swaps) {
        const struct way *way = r->swap[--r->swaps];
        struct rcc_line *l = line_of(r, way);
        uint8_t *host = memory_of(s, way->tag);
        memcpy(l->data, host, n);
        memcpy(host, r->saved + (size_t)r->swaps * n, n);
        assert(l->swapped);
        l->swapped = false;
    }
    if (r->now == RCC_INVALIDATE)
        rcc_invalidate(s);
    else if (r->now == RCC_FLUSH && op->fence)
        rcc_flush(s);
}

/* ---- all of a cache ---- */

static unsigned
lines_of(const struct sm *s)
{
    return s->m->config.dcache.sets * s->m->config.dcache.ways;
}

void
rcc_flush(struct sm *s)
{
    for (unsigned i = 0; i < lines_of(s); i++)
        if (s->rcc.lines.way[i].valid && s->rcc.lines.way[i].dirty)
            write_back(s, &s->rcc.lines.way[i]);
}

void
rcc_invalidate(struct sm *s)
{
    for (unsigned i = 0; i < lines_of(s); i++)
        if (s->rcc.lines.way[i].valid)
            invalidate(s, &s->rcc.lines.way[i]);
}

/* ---- the time it takes, in the cache that keeps time ---- */

void
rcc_issued(struct sm *s, unsigned warp)
{
    assert(s->rcc.issued[warp] == RCC_NOTHING);
    s->rcc.issued[warp] = s->rcc.now;
    if (s->rcc.now)
        scoreboard_fence(&s->scoreboard, warp);
}

void
rcc_arrived(struct sm *s, unsigned warp)
{
    struct rcc *r = &s->rcc;
    uint8_t effect = r->issued[warp];
    if (!effect)
        return;
    r->issued[warp] = RCC_NOTHING;
    r->arrived |= bit_of(warp);
    if (effect > r->effect[warp])
        r->effect[warp] = effect;
}

static void
finish(struct sm *s)
{
    struct rcc *r = &s->rcc;
    assert(r->arrived >> r->warp & 1 && r->effect[r->warp] >= r->doing);
    r->state = RCC_IDLE;
    if (r->effect[r->warp] != r->doing)
        return; /* a stronger one has come */
    r->arrived &= ~bit_of(r->warp);
    r->effect[r->warp] = RCC_NOTHING;
    warp_changed(s, r->warp);
}

static void
begin(struct sm *s)
{
    struct rcc *r = &s->rcc;
    if (!r->arrived)
        return;
    uint64_t behind = r->arrived & UINT64_MAX << r->warp << 1;
    r->warp = lowest(behind ? behind : r->arrived);
    r->next = 0;
    r->doing = r->effect[r->warp];
    assert(r->doing != RCC_NOTHING);
    r->state = r->doing == RCC_DRAIN ? RCC_DRAINS : RCC_WAITS;
}

/* Stores have been answered, so the L2 has them. */
static bool
is_settled(const struct sm *s)
{
    return dcache_is_settled(&s->dcache) && !bus_is_full(&s->m->bus, s->id);
}

void
rcc_cycle(struct sm *s)
{
    struct rcc *r = &s->rcc;
    struct dcache *d = &s->dcache;
    switch (r->state) {
    case RCC_IDLE:
        begin(s);
        return;
    case RCC_DRAINS:
        if (!lsu_has_accesses(&s->lsu, r->warp))
            finish(s);
        return;
    case RCC_WAITS:
        if (lsu_is_empty(&s->lsu) && !dcache_misses(d))
            r->state = RCC_WRITES;
        return;
    case RCC_WRITES:
        if (!dcache_write_next(d, s->now, &r->next, true))
            r->state = RCC_SETTLES;
        return;
    case RCC_SETTLES:
        if (!is_settled(s))
            return;
        if (r->doing == RCC_INVALIDATE)
            dcache_invalidate(d);
        s->stats.cache_flushes++;
        finish(s);
        return;
    }
}

/* Everything as at the start of a launch. */
void
rcc_reset(struct sm *s)
{
    struct rcc *r = &s->rcc;
    r->state = RCC_IDLE;
    r->arrived = 0;
    memset(r->effect, 0, sizeof r->effect);
    memset(r->issued, 0, sizeof r->issued);
}

bool
rcc_create(struct sm *s)
{
    const struct ventus_model_cache *c = &s->m->config.dcache;
    struct rcc *r = &s->rcc;
    size_t n = lines_of(s);
    if (!s->m->config.rcc)
        return true;
    if (!set_assoc_create(&r->lines, c->replacement, c->sets, c->ways,
                          random_of(s->m->config.seed, s->id, SEED_RCC)))
        return false;
    r->line = calloc(n, sizeof *r->line);
    r->bytes = calloc(n, 2 * c->line_B);
    r->saved = malloc((size_t)RCC_SWAPS * c->line_B);
    if (!r->line || !r->bytes || !r->saved)
        return false;
    for (size_t i = 0; i < n; i++) {
        r->line[i].data = r->bytes + 2 * i * c->line_B;
        r->line[i].written = r->line[i].data + c->line_B;
    }
    return true;
}

void
rcc_destroy(struct sm *s)
{
    set_assoc_destroy(&s->rcc.lines);
    free(s->rcc.line);
    free(s->rcc.bytes);
    free(s->rcc.saved);
}

/* ---- what the host sees ---- */

void
rcc_end(struct ventus_model *m)
{
    for (unsigned i = 0; m->config.rcc && i < m->sms; i++)
        if (m->sm[i].stepper)
            rcc_invalidate(&m->sm[i]);
}

static void
on_print(void *ctx, uint64_t group, unsigned warp, uint32_t value)
{
    struct ventus_model *m = ctx;
    rcc_end(m);
    m->host->print(m->host->ctx, group, warp, value);
}

void
rcc_wrap(struct ventus_model *m, struct ventus_sim_launch *launch,
         struct ventus_sim_hooks *hooks)
{
    *hooks = (struct ventus_sim_hooks){ .ctx = m };
    if (m->host && m->host->print)
        hooks->print = on_print;
    launch->hooks = hooks;
}
