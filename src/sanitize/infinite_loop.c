/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that never end, and the work-items of a warp that wait for each other. */
#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/oom.h"
#include "base/vec.h"
#include "sanitize/state.h"
#include "sim/lanes.h"

enum {
    FIRST_TURNS = 8, /* of each warp, before the first window */
    WINDOW_TURNS = 4,
    SURE_TURNS = 2, /* of a warp in the same state, for others to change it */
    MAX_LOOKS = 64,
    MAX_CODE = 1 << 16
};

/* ---- windows ---- */

void
infinite_loop_start(struct sanitize *c)
{
    memset(&c->loops, 0, sizeof c->loops);
}

static uint64_t
count_warps(const struct sanitize *c)
{
    uint64_t n = 0;
    for (const struct sanitize_group *g = c->groups; g; g = g->next)
        n += g->busy ? g->warps : 0;
    return n;
}

static void
open_window(struct sanitize *c, uint64_t warps)
{
    struct infinite_loops *e = &c->loops;
    e->watches = true;
    e->until = e->turns + WINDOW_TURNS * warps;
    e->next = 2 * e->until;
    for (struct sanitize_group *g = c->groups; g; g = g->next)
        for (unsigned i = 0; g->busy && i < g->warps; i++)
            g->warp[i].loops.saved = g->warp[i].loops.stuck = false;
}

/*
 * The machine itself finds warps that wait at a barrier for others that loop, and
 * says less about them: not before the search here.
 */
void
infinite_loop_begin_turn(struct sanitize *c, struct sim_warp *w)
{
    struct infinite_loops *e = &c->loops;
    e->turns++;
    w->group->livelock.stored |= !e->until || e->watches;
    if (e->watches)
        e->watches = e->turns <= e->until;
    if (e->watches || e->turns < e->next)
        return;
    uint64_t warps = count_warps(c);
    if (e->turns >= FIRST_TURNS * warps)
        open_window(c, warps);
    else
        e->next = FIRST_TURNS * warps;
}

void
infinite_loop_look(struct sanitize *c, struct sim_warp *w,
                   const struct sim_op *op)
{
    struct infinite_loop_warp *k = &sanitize_warp_of(w)->loops;
    uint64_t now[2];
    if (!k->saved || k->stuck || k->looked == MAX_LOOKS ||
        warp_retired(w) == k->retired) /* it was saved right here */
        return;
    k->looked++;
    w->next = op;
    warp_hash(w, now);
    if (now[0] != k->hash[0] || now[1] != k->hash[1])
        return;
    k->stuck = !k->counted && k->changes == c->loops.changes;
}

static void
save(struct sanitize *c, struct sim_warp *w, const struct sim_op *op)
{
    struct infinite_loop_warp *k = &sanitize_warp_of(w)->loops;
    w->next = op;
    warp_hash(w, k->hash);
    k->pc = op->pc;
    k->retired = warp_retired(w);
    k->changes = c->loops.changes;
    k->saved = true;
    k->stuck = k->counted = k->has_at = false;
    k->looked = k->sure = 0;
}

/* ---- memory ---- */

static uint32_t
word_at(const struct sim_warp *w, uint64_t at)
{
    const uint8_t *host = mmu_at(w->mmu, at & ~UINT64_C(3), 4, MMU_READ);
    uint32_t x = 0;
    if (host)
        memcpy(&x, host, sizeof x);
    return x;
}

void
infinite_loop_before(const struct sanitize *c, struct sim_warp *w,
                     const struct sim_op *op, const struct sanitize_words *list,
                     struct infinite_loop_words *before)
{
    const struct sanitize_operands *o = &sanitize_operands[op->code];
    before->follows = o->store && (o->atomic || c->loops.watches);
    for (unsigned i = 0; before->follows && i < list->n; i++)
        before->value[i] = word_at(w, list->at[i]);
}

static struct infinite_loop_writer *
writer_of(struct sanitize *c, uint64_t at)
{
    return &c->loops.writer[hash_u64(at) % INFINITE_LOOP_WRITERS];
}

/* Is a lane before it at the same address, which changed it then? */
static bool
comes_later(const struct sanitize_words *list, unsigned i)
{
    for (unsigned k = 0; k < i; k++)
        if (list->at[k] == list->at[i])
            return true;
    return false;
}

static void
set_writer(struct sanitize *c, const struct sim_warp *w,
           const struct sim_op *op, uint64_t at, unsigned lane)
{
    *writer_of(c, at) =
        (struct infinite_loop_writer){ .at = at,
                                       .group = w->group->number,
                                       .pc = op->pc,
                                       .warp = (uint16_t)w->id,
                                       .lane = (uint8_t)lane,
                                       .known = true };
}

/* An sc that failed leaves something else than 0. */
static bool
has_failed(const struct sim_warp *w, const struct sim_op *op, unsigned lane)
{
    return strncmp(ventus_isa_info[op->code].meaning, "sc", 2) == 0 &&
           w->v[(size_t)op->d * w->lanes + lane] != 0;
}

void
infinite_loop_after(struct sanitize *c, struct sim_warp *w,
                    const struct sim_op *op, const struct sanitize_words *list,
                    const struct infinite_loop_words *before)
{
    const struct sanitize_operands *o = &sanitize_operands[op->code];
    uint64_t lanes = list->lanes;
    if (c->loops.watches && list->n && !list->private) {
        struct infinite_loop_warp *k = &sanitize_warp_of(w)->loops;
        k->at = list->at[0];
        k->at_pc = op->pc;
        k->has_at = true;
    }
    for (unsigned i = 0; before->follows && i < list->n; i++) {
        unsigned lane = lanes ? (unsigned)__builtin_ctzll(lanes) : 0;
        if ((i + 1) % list->words == 0)
            lanes &= lanes - 1;
        if (word_at(w, list->at[i]) == before->value[i])
            continue;
        c->loops.changes++;
        if (o->atomic && (list->scalar || !has_failed(w, op, lane)) &&
            !comes_later(list, i))
            set_writer(c, w, op, list->at[i], lane);
    }
}

/* ---- the way to the end ---- */

struct walk {
    struct sim_warp *warp;
    struct arena arena;
    struct map seen;
    vec(uint32_t) left;
    bool ends;
};

static void
go_to(struct walk *walk, uint32_t pc)
{
    if (map_find_number(&walk->seen, pc))
        return;
    map_put_number(&walk->arena, &walk->seen, pc);
    vec_push(&walk->arena, &walk->left, pc);
}

/* Adds what may follow the instruction at pc.  True: the end, or not known. */
static bool
step(struct walk *walk, struct sim_warp *w, uint32_t pc)
{
    enum ventus_sim_fault_kind why;
    const struct sim_code_page *p = code_page(w->worker, pc, &why);
    struct ventus_isa_insn in;
    size_t i = p ? (pc - p->base) / 4 : 0;
    if (!p || i >= p->n)
        return true;
    const struct sim_op *op = &p->ops[i];
    const unsigned format = ventus_isa_info[op->code].format;
    if (!op->code || op->code == VENTUS_ISA_ENDPRG ||
        op->code == VENTUS_ISA_JALR || op->words < 1)
        return true;
    bool jumps = op->code == VENTUS_ISA_JAL && op->d == X_SINK;
    if (jumps || format == VENTUS_ISA_FORMAT_B ||
        format == VENTUS_ISA_FORMAT_VB) {
        ventus_isa_decode_word(w->worker->sim->config.isa,
                               p->words[i + op->words - 1u], &in);
        go_to(walk, op->pc + (uint32_t)in.imm);
    }
    if (!jumps)
        go_to(walk, pc + 4u * op->words);
    return false;
}

static void
walk_on(void *ctx)
{
    struct walk *walk = ctx;
    while (walk->left.n && !walk->ends)
        walk->ends = walk->seen.n > MAX_CODE ||
                     step(walk, walk->warp, walk->left.at[--walk->left.n]);
}

static void
begin_walk(void *ctx)
{
    struct walk *walk = ctx;
    go_to(walk, walk->warp->next->pc);
}

/* True, too, if the host has no memory for the walk. */
static bool
can_end(struct sim_warp *w)
{
    struct walk walk = { .warp = w };
    bool ok = oom_call(begin_walk, &walk) && oom_call(walk_on, &walk);
    arena_free(&walk.arena);
    return !ok || walk.ends;
}

/* ---- findings ---- */

static bool
all_are_stuck(const struct sanitize *c)
{
    for (const struct sanitize_group *g = c->groups; g; g = g->next)
        for (unsigned i = 0; g->busy && i < g->warps; i++) {
            const struct infinite_loop_warp *k = &g->warp[i].loops;
            bool stuck = k->stuck && k->changes == c->loops.changes &&
                         k->sure >= SURE_TURNS;
            if (!k->over && !g->warp[i].waits && !stuck)
                return false;
        }
    return true;
}

/* Where a lane that has left the path continues. */
static uint32_t
waits_at(const struct sim_warp *w, unsigned lane)
{
    for (unsigned i = w->depth; i-- > 0;)
        if (w->stack[i].mask >> lane & 1)
            return w->stack[i].pc;
    return 0;
}

static struct sanitize_party
party(const struct sim_warp *w, unsigned warp, int lane, uint64_t pc)
{
    return (struct sanitize_party){ .known = true,
                                    .pc = pc,
                                    .group = w->group->number,
                                    .warp = warp,
                                    .lane = lane };
}

/* A warp of the group that waits at a barrier. */
static bool
find_waiting(const struct sim_warp *w, struct sanitize_party *to)
{
    const struct sanitize_group *g = sanitize_group_of(w);
    for (unsigned i = 0; i < w->group->warps; i++)
        if (g->warp[i].waits) {
            const struct sim_warp *other = &w->group->warp[i];
            *to = party(w, i, __builtin_ctzll(other->start_mask),
                        g->warp[i].barrier_pc);
            return true;
        }
    return false;
}

/* Who is part of it besides the warp, and what that means. */
static void
find_other(struct sanitize *c, const struct sim_warp *w,
           struct sanitize_finding *f)
{
    const struct infinite_loop_warp *k = &sanitize_warp_of(w)->loops;
    const struct infinite_loop_writer *by = writer_of(c, k->at);
    uint64_t left = w->items & ~w->mask;
    bool mine = by->group == w->group->number;
    bool local = k->at - SIM_LOCAL_BASE < SIM_LOCAL_SIZE;
    if (k->has_at && by->known && by->at == k->at && (mine || !local)) {
        f->other = party(w, by->warp, by->lane, by->pc);
        f->other.group = by->group;
        f->other.write = f->other.atomic = true;
        if (mine && by->warp == w->id && left >> by->lane & 1) {
            f->what = SANITIZE_SIMT;
            f->note =
                "it has left the loop and waits behind it for these "
                "work-items, "
                "which wait for it: the work-items of a warp go on together";
        }
    } else if (left) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        f->other = party(w, w->id, (int)lane, waits_at(w, lane));
        f->note =
            "it is of the same warp and goes on when these work-items have "
            "left the loop: what they wait for it cannot do before";
    } else if (find_waiting(w, &f->other)) {
        f->note = "it waits at a barrier for this warp";
    }
}

static void
report(struct sanitize *c, const struct sim_warp *w, const struct sim_op *op,
       const char *note)
{
    const struct infinite_loop_warp *k = &sanitize_warp_of(w)->loops;
    struct sanitize_finding f = {
        .what = SANITIZE_ENDLESS,
        .here = sanitize_party(w, op, w->mask ? __builtin_ctzll(w->mask) : 0),
        .note = note,
    };
    if (!note && k->has_at) {
        f.here.pc = k->at_pc;
        f.has_address = true;
        f.address = k->at;
        f.size_B = 4;
        f.local = k->at - SIM_LOCAL_BASE < SIM_LOCAL_SIZE;
    }
    f.here.write = f.here.atomic = false;
    if (!note)
        find_other(c, w, &f);
    sanitize_note(c, w, &f);
}

bool
infinite_loop_end_turn(struct sanitize *c, struct sim_warp *w,
                       const struct sim_op *op)
{
    struct infinite_loop_warp *k = &sanitize_warp_of(w)->loops;
    k->over = w->stop == STOP_END;
    if (!c->loops.watches || w->stop != STOP_SLICE)
        return false;
    if (!k->stuck || k->changes != c->loops.changes) {
        bool first = !k->saved;
        save(c, w, op);
        if (!first || can_end(w))
            return false;
        report(c, w, op, "no way leads from here to the end of the kernel");
        return true;
    }
    k->sure++;
    if (!all_are_stuck(c))
        return false;
    report(c, w, op, NULL);
    c->loops.until = UINT64_MAX; /* the others of them come to their ends */
    return true;
}
