/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Accesses: bounds, and loads of bytes that were never written.  A word is unknown
 * if all of its loaded bytes are; a store copies the state of the register to
 * memory.
 */
#include <assert.h>

#include "base/debug_assert.h"
#include "sanitize/state.h"
#include "sim/lanes.h"

static bool
is_close(const struct sim_warp *w, uint64_t first, uint64_t last)
{
    uint64_t local = first - SIM_LOCAL_BASE;
    if (local < SIM_LOCAL_SIZE)
        return sanitize_group_of(w) &&
               last - SIM_LOCAL_BASE < sanitize_group_of(w)->local_B;
    return first / SHADOW_PAGE == last / SHADOW_PAGE;
}

static void
find_ends(struct sanitize_words *list)
{
    uint64_t odd = 0, first = UINT64_MAX, last = 0;
    for (unsigned i = 0; i < list->n; i++) {
        uint64_t at = list->at[i];
        odd |= at;
        first = at < first ? at : first;
        last = at > last ? at : last;
    }
    list->odd = odd;
    list->first = first;
    list->last = last;
}

static void
find_scalar(const struct sim_warp *w, const struct sim_op *op,
            struct sanitize_words *list)
{
    list->n = 1;
    list->at[0] = list->first = list->last = list->odd =
        w->x[op->s1] + (uint32_t)op->imm;
    list->bytes = mem_bytes(w, op);
}

static void
find_usual(const struct sanitize *c, const struct sim_warp *w,
           const struct sim_op *op, bool indexed, struct sanitize_words *list)
{
    const unsigned r = indexed ? op->s2 : op->s1;
    const uint32_t *v = w->v + (size_t)r * w->lanes;
    const uint32_t base = indexed ? w->x[op->s1] : (uint32_t)op->imm;
    const uint32_t mask = indexed ? (uint32_t)mem_index_mask(op) : UINT32_MAX;
    list->bytes = mem_bytes(w, op);
    const unsigned from =
        list->lanes ? (unsigned)__builtin_ctzll(list->lanes) : 0;
    const uint64_t lanes = list->lanes >> from;
    unsigned n = 0;
    list->from = from;
    list->dense = lanes && !(lanes & (lanes + 1));
    if (list->dense) {
        n = (unsigned)__builtin_popcountll(lanes);
        c->rows_of->find(list, v + from, n, mask, base);
        return;
    }
    for (uint64_t rest = list->lanes; rest; rest &= rest - 1)
        list->at[n++] = (v[__builtin_ctzll(rest)] & mask) + base;
    list->n = n;
    find_ends(list);
}

void
sanitize_find_words(const struct sanitize *c, struct sim_warp *w,
                    const struct sim_op *op, const struct sanitize_operands *o,
                    enum quick_shape shape, struct sanitize_words *list)
{
    bool scalar_amo = w->worker->sim->config.scalar_amo;
    list->scalar = o->atomic ? scalar_amo : !o->vector;
    list->lanes = list->scalar ? 1 : warp_op_lanes(w, op);
    list->words = op->width > 1 ? op->width : 1;
    list->private =
        shape == SHAPE_OTHER && (mem_mode_of(op->code) == MODE_PRIVATE ||
                                 op->space == VENTUS_ISA_SPACE_PRIVATE);
    list->dense = list->row = false;
    if (shape == SHAPE_SCALAR)
        find_scalar(w, op, list);
    else if (shape != SHAPE_OTHER)
        find_usual(c, w, op, shape == SHAPE_INDEXED, list);
    else {
        list->n = mem_words(w, op, list->lanes, list->at, &list->bytes);
        find_ends(list);
    }
    list->close = list->n && !(list->odd & (list->bytes - 1)) &&
                  is_close(w, list->first, list->last);
}

/* Memory of the host program, which writes there without a word. */
static bool
is_of_host(const struct sim_warp *w, uint64_t at)
{
    const struct ventus_sim_launch *l = &w->worker->run->launch;
    return l->own_hi && (at < l->own_lo || at >= l->own_hi);
}

/* The bits of the bytes at an address, and where they begin; NULL: known. */
static uint64_t *
bits_of(struct sanitize *c, const struct sim_warp *w, uint64_t at,
        unsigned *from, bool store_unknown)
{
    uint64_t local = at - SIM_LOCAL_BASE;
    if (local < SIM_LOCAL_SIZE) {
        struct sanitize_group *g = sanitize_group_of(w);
        *from = (unsigned)local;
        if (local >= g->local_B)
            return NULL;
        sanitize_touch_local(g, local);
        return g->local_unknown;
    }
    if (sanitize_is_in_gap(c, at, 1) || is_of_host(w, at))
        return NULL;
    struct shadow_page *p = shadow_page(&c->shadow, at);
    if (!p || (!p->any && !store_unknown))
        return NULL;
    p->any |= store_unknown;
    *from = (unsigned)(at % SHADOW_PAGE);
    return p->unknown;
}

/* Is it known at once that all bytes were written? */
static bool
are_known(struct sanitize *c, const struct sim_warp *w,
          const struct sanitize_words *list)
{
    unsigned from;
    if (!list->close)
        return false;
    const uint64_t *bits = bits_of(c, w, list->first, &from, false);
    unsigned end = from + (unsigned)(list->last - list->first);
    for (unsigned i = from / 64; bits && i <= end / 64; i++)
        if (bits[i])
            return false;
    return true;
}

/* Lanes of word number `word` whose memory is unknown. */
static uint64_t
loaded(struct sanitize *c, const struct sim_warp *w,
       const struct sanitize_words *list, unsigned word)
{
    uint64_t unknown = 0;
    unsigned i = word, from;
    if (are_known(c, w, list))
        return 0;
    for (uint64_t rest = list->lanes; rest; rest &= rest - 1) {
        uint64_t at = list->at[i];
        const uint64_t *bits = bits_of(c, w, at, &from, false);
        i += list->words;
        if (bits && !(at % list->bytes) &&
            shadow_is_unknown(bits, from, list->bytes) &&
            !sanitize_is_quiet(c, at))
            unknown |= rest & -rest;
    }
    return unknown;
}

static void
stored(struct sanitize *c, const struct sim_warp *w,
       const struct sanitize_words *list, unsigned word, uint64_t unknown)
{
    unsigned i = word, from;
    if (!unknown && are_known(c, w, list))
        return;
    for (uint64_t rest = list->lanes; rest; rest &= rest - 1) {
        uint64_t at = list->at[i];
        bool is_unknown = unknown & rest & -rest;
        uint64_t *bits = bits_of(c, w, at, &from, is_unknown);
        i += list->words;
        if (bits && !(at % list->bytes))
            shadow_put(bits, from, list->bytes, is_unknown);
    }
}

static bool
is_global(const struct sanitize_words *list)
{
    return !list->private && list->n &&
           list->at[0] - SIM_LOCAL_BASE >= SIM_LOCAL_SIZE;
}

/* Lanes that access a range. */
static uint64_t
lanes_in(const struct sanitize_range *range, const struct sanitize_words *list)
{
    uint64_t lanes = 0;
    unsigned i = 0;
    for (uint64_t rest = list->lanes; rest && i < list->n; rest &= rest - 1) {
        if (sanitize_is_in(range, list->at[i]))
            lanes |= rest & -rest;
        i += list->words;
    }
    return lanes;
}

/* Unwritten values that leave the work-item, to memory that all see or to be printed. */
static void
output(struct sanitize *c, const struct sim_warp *w, const struct sim_op *op,
       const struct sanitize_words *list, uint64_t unknown)
{
    unknown &= ~lanes_in(&c->quiet.nowhere, list);
    uint64_t printed = unknown & lanes_in(&c->quiet.print, list);
    if (printed)
        sanitize_uninit(c, w, op, SANITIZE_UNINIT_PRINT, printed);
    if (unknown & ~printed)
        sanitize_uninit(c, w, op, SANITIZE_UNINIT_OUTPUT, unknown & ~printed);
}

/* Follows a store: unwritten bytes of its register become unwritten bytes of memory. */
static void
follow_store(struct sanitize *c, struct sim_warp *w, const struct sim_op *op,
             const struct sanitize_operands *o,
             const struct sanitize_words *list)
{
    struct sanitize_warp *k = sanitize_warp_of(w);
    unsigned r = o->data ? op->d : op->s2;
    uint64_t any = 0;
    for (unsigned word = 0; word < list->words; word++) {
        uint64_t unknown = !list->scalar ? k->unknown[r + word] & list->lanes
                           : sanitize_x_is_unknown(k, r + word) ? 1
                                                                : 0;
        stored(c, w, list, word, unknown);
        any |= unknown;
    }
    if (any && is_global(list))
        output(c, w, op, list, any);
}

/* Lanes whose word of the result is unknown; the others of the access know it. */
static void
set_result(struct sim_warp *w, const struct sim_op *op,
           const struct sanitize_words *list, unsigned word, uint64_t unknown)
{
    struct sanitize_warp *k = sanitize_warp_of(w);
    if (list->scalar) {
        sanitize_set_x(k, op->d == X_SINK ? X_SINK : op->d + word, unknown);
        return;
    }
    uint64_t *d = &k->unknown[op->d + word];
    *d = (*d & ~list->lanes) | unknown;
    if (unknown)
        k->bit_0[op->d + word] &= ~unknown;
}

static void
follow_load(struct sanitize *c, struct sim_warp *w, const struct sim_op *op,
            const struct sanitize_words *list)
{
    for (unsigned word = 0; word < list->words; word++)
        set_result(w, op, list, word, loaded(c, w, list, word));
}

/*
 * The result is what was there; what is there then depends on that.  In global memory it
 * is output: reported, and known from then on.  Local memory stays unknown, as does the
 * result, unless lr read it: a lock, whose words are known by now.
 */
static void
follow_atomic(struct sanitize *c, struct sim_warp *w, const struct sim_op *op,
              const struct sanitize_operands *o,
              const struct sanitize_words *list)
{
    /* An sc writes its answer only, a word. */
    unsigned results = o->load ? list->words : 1;
    uint64_t unknown[MEM_LANE_WORDS] = { 0 }, any = 0;
    for (unsigned word = 0; o->load && word < list->words; word++)
        any |= unknown[word] = loaded(c, w, list, word);
    if (any && o->store && !o->swap && is_global(list))
        sanitize_uninit(c, w, op, SANITIZE_UNINIT_OUTPUT, any);
    bool stays = o->store && !o->swap && !is_global(list);
    for (unsigned word = 0; o->store && word < list->words; word++)
        stored(c, w, list, word, stays ? unknown[word] : 0);
    for (unsigned word = 0; word < results; word++)
        set_result(w, op, list, word, o->swap || stays ? unknown[word] : 0);
}

/* An address depends on a register; it is known then: the mistake is reported once. */
static void
address_part(struct sanitize *c, struct sim_warp *w, const struct sim_op *op,
             const struct sanitize_words *list, bool vector, unsigned r)
{
    struct sanitize_warp *k = sanitize_warp_of(w);
    uint64_t unknown = vector ? k->unknown[r] & list->lanes
                       : sanitize_x_is_unknown(k, r) ? list->lanes
                                                     : 0;
    if (!unknown)
        return;
    sanitize_uninit(c, w, op, SANITIZE_UNINIT_ADDRESS, unknown);
    if (vector)
        k->unknown[r] &= ~unknown;
    else
        sanitize_set_x(k, r, false);
}

static void
address(struct sanitize *c, struct sim_warp *w, const struct sim_op *op,
        const struct sanitize_operands *o, const struct sanitize_words *list)
{
    address_part(c, w, op, list, o->v1 || (o->atomic && !list->scalar), op->s1);
    /* Vector accesses: slot 2 has the offsets of the lanes, or the stride. */
    bool indexed = !o->atomic && !list->scalar && (o->load || o->data);
    if (indexed && (o->v2 || o->x2))
        address_part(c, w, op, list, o->v2, op->s2);
}

const struct sim_op *
sanitize_access(struct sanitize *c, struct sim_warp *w, const struct sim_op *op,
                const struct sanitize_operands *o, enum quick_shape shape)
{
    struct sanitize_words list;
    struct infinite_loop_words before;
    bool init = c->options.kinds & SANITIZE_INIT;
    if (o->store)
        w->group->livelock.stored = true;
    if (w->grouped) { /* two a lane: not followed */
        c->loops.changes += o->store;
        return sanitize_call_access(c, w, op);
    }
    sanitize_find_words(c, w, op, o, shape, &list);
    debug_assert(list.n ==
                 list.words * (unsigned)__builtin_popcountll(list.lanes));
    if (sanitize_has_object(w, op))
        sanitize_object(c, w, op, &list);
    if (init)
        address(c, w, op, o, &list);
    if (c->options.kinds & SANITIZE_RACE && !list.private) {
        if (sanitize_group_of(w)->copies.pending)
            async_copies_access(c, w, op, o, &list);
        sanitize_races(c, w, op, o, &list);
    }
    bool sync = c->options.kinds & SANITIZE_SYNC;
    if (sync)
        infinite_loop_before(c, w, op, &list, &before);
    const struct sim_op *next = sanitize_call_access(c, w, op);
    if (sync && next)
        infinite_loop_after(c, w, op, &list, &before);
    if (!next || !init)
        return next;
    if (o->atomic)
        follow_atomic(c, w, op, o, &list);
    else if (o->store)
        follow_store(c, w, op, o, &list);
    else
        follow_load(c, w, op, &list);
    return next;
}

void
sanitize_object_alone(struct sanitize *c, struct sim_warp *w,
                      const struct sim_op *op,
                      const struct sanitize_operands *o)
{
    struct sanitize_words list;
    const enum quick_shape shape = sanitize_shape(op, o);
    if (w->grouped || sanitize_is_in_object(c, w, op, shape))
        return;
    sanitize_find_words(c, w, op, o, shape, &list);
    sanitize_object(c, w, op, &list);
}
