/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Forward progress: what a work-item does after it has left a loop in which others wait must
 * not come after these have left, too (docs/decisions/0016-progress-in-a-warp.md).
 *
 *     h: taken = cas lock         A lane that leaves the loop continues when all have
 *        if (taken) goto h        left it, at p = ipdom(h), but it has the lock that
 *     p: ...                      the others wait for.
 *        release lock
 *
 * So the loop is made one of rounds, in the form of ElTantawy and Aamodt, "MIMD
 * Synchronization on SIMT Architectures": the way back leads over a block j after the
 * last write that may end a wait, where all lanes meet, whichever went first.
 *
 *        goto j(1)                        j: `next` says where a lane continues
 *     h: taken = cas lock                    if (next) goto h
 *        if (taken) goto j(1)                goto p
 *        ...
 *        release lock
 *        goto j(0)
 *
 * A group of loops has one j: those with a common region, which is what can be
 * reached from their headers before p.  Starts are the blocks that j leads to: the
 * headers of these loops, of the loops around them up to p, and where other ways come
 * into the region.  Then j is its only entry and its only exit.
 */
#include <assert.h>
#include <string.h>

#include "cc/cc.h"
#include "cc/passes.h"
#include "cc/pause.h"
#include "cc/regions.h"
#include "cc/rounds.h"

struct progress {
    struct ir_func *f;
    struct waits waits;
    struct region side;
    vec(struct group) groups;
    struct ir_block **work;
};

/* ---- what can be reached ---- */

static bool
starts_with_barrier(const struct ir_block *b)
{
    return b->first && waits_is_barrier(b->first);
}

/* Marks what can be reached from b: not `stop`, and nothing after a barrier. */
static void
mark_reached(struct progress *s, struct ir_block *b,
             const struct ir_block *stop, bool through_barriers, bool *to)
{
    size_t n = 0;
    assert(b->reachable && "nothing else is in a region");
    if (b == stop || to[b->id])
        return;
    to[b->id] = true;
    s->work[n++] = b;
    while (n) {
        b = s->work[--n];
        for (unsigned k = 0; k < 2 && b->succ[k]; k++) {
            struct ir_block *x = b->succ[k];
            if (x == stop || to[x->id] ||
                (!through_barriers && starts_with_barrier(x)))
                continue;
            assert(n < s->f->blocks.n);
            to[x->id] = true;
            s->work[n++] = x;
        }
    }
}

static bool *
no_blocks(const struct progress *s)
{
    return arena_new(s->f->arena, bool, s->f->blocks.n);
}

/* A write in these blocks may end a wait in l. */
static bool
has_end_of_wait(const struct progress *s, const struct waits_loop *l,
                const bool *blocks)
{
    for (size_t i = 0; i < s->waits.accesses.n; i++) {
        const struct waits_access *a = &s->waits.accesses.at[i];
        if (blocks[a->in->block->id] && waits_is_ended_by(&s->waits, l, a))
            return true;
    }
    return false;
}

static bool
post_dominates(const struct ir_block *a, const struct ir_block *b)
{
    while (b && b != a)
        b = b->ipdom;
    return b != NULL;
}

/* ---- loops that hold lanes back from such a write ---- */

/*
 * A branch of the loop whose sides do not meet before its next round: the lanes of one
 * side may go round while those of the other wait, before such a write.
 */
static bool
holds_back(struct progress *s, const struct waits_loop *l)
{
    bool *later = no_blocks(s);
    ir_foreach_rpo (s->f, b) {
        if (!ir_in_loop(b, l->loop) || !b->succ[1])
            continue;
        region_find(&s->side, b);
        for (unsigned k = 0; k < 2; k++)
            if (region_has(&s->side, k, l->loop->header))
                mark_reached(s, b->succ[1 - k], l->loop->header, false, later);
    }
    return has_end_of_wait(s, l, later);
}

/* A branch elsewhere, with l on one side and such a write on the other. */
static bool
is_fork(struct progress *s, const struct waits_loop *l, struct ir_block *b)
{
    if (!b->succ[1] || ir_in_loop(b, l->loop))
        return false;
    region_find(&s->side, b);
    for (unsigned k = 0; k < 2; k++) {
        if (!region_has(&s->side, k, l->loop->header))
            continue;
        bool *other = no_blocks(s);
        for (size_t i = 0; i < s->side.n[1 - k]; i++)
            other[s->side.side[1 - k][i]->id] =
                !ir_in_loop(s->side.side[1 - k][i], l->loop);
        if (has_end_of_wait(s, l, other))
            return true;
    }
    return false;
}

/* ---- groups ---- */

/* The blocks between the starts and forks of g and p. */
static bool *
region_to(struct progress *s, const struct group *g, const struct ir_block *p)
{
    bool *in = no_blocks(s);
    for (size_t i = 0; i < g->starts.n; i++)
        mark_reached(s, g->starts.at[i], p, true, in);
    for (size_t i = 0; i < g->forks.n; i++)
        for (unsigned k = 0; k < 2; k++)
            mark_reached(s, g->forks.at[i]->succ[k], p, true, in);
    return in;
}

static bool
has_barrier(const struct progress *s, const bool *blocks)
{
    ir_foreach_rpo (s->f, b)
        if (blocks[b->id] && starts_with_barrier(b))
            return true;
    return false;
}

static bool
may_end_at(const struct group *g, const struct ir_block *p)
{
    bool may = true;
    for (size_t i = 0; i < g->starts.n; i++)
        may &= p != g->starts.at[i] && post_dominates(p, g->starts.at[i]);
    for (size_t i = 0; i < g->forks.n; i++)
        may &= p != g->forks.at[i] && post_dominates(p, g->forks.at[i]);
    for (size_t i = 0; i < g->loops.n; i++)
        may &= !ir_in_loop(p, g->loops.at[i]->loop);
    return may;
}

/* Finds the first block from p on after which no wait of the group is ended, but
 * before the next barrier, which all lanes must come to together. */
static void
find_end_from(struct progress *s, struct group *g, struct ir_block *p)
{
    assert(!g->end);
    for (; p; p = p->ipdom) {
        if (!may_end_at(g, p))
            continue;
        bool *region = region_to(s, g, p);
        if (has_barrier(s, region))
            return;
        g->end = p;
        g->region = region;
        bool *later = no_blocks(s), again = false;
        if (!starts_with_barrier(p))
            mark_reached(s, p, NULL, false, later);
        for (size_t i = 0; i < g->loops.n && !again; i++)
            again = has_end_of_wait(s, g->loops.at[i], later);
        if (!again)
            return;
    }
}

/* More loops never have an earlier end, so the search begins at the one before.  If there
 * is a barrier now, a block before that may be the last that is left. */
static void
find_end(struct progress *s, struct group *g)
{
    struct ir_block *before = g->end;
    g->end = NULL;
    if (before)
        find_end_from(s, g, before);
    if (!g->end)
        find_end_from(s, g, g->starts.at[0]->ipdom);
}

static bool
is_start(const struct group *g, const struct ir_block *b)
{
    for (size_t i = 0; i < g->starts.n; i++)
        if (g->starts.at[i] == b)
            return true;
    return false;
}

static bool
has_loop(const struct group *g, const struct waits_loop *l)
{
    return is_start(g, l->loop->header); /* add_loop makes it one */
}

static void
add_loop(struct progress *s, struct group *g, const struct waits_loop *l)
{
    struct ir_func *f = s->f;
    assert(!has_loop(g, l) && l->loop->header->reachable);
    vec_push(f->arena, &g->loops, l);
    vec_push(f->arena, &g->starts, l->loop->header);
    ir_foreach_rpo (f, b)
        if (is_fork(s, l, b))
            vec_push(f->arena, &g->forks, b);
    find_end(s, g);
    if (!g->end && g->forks.n) { /* a barrier on the other side */
        g->forks.n = 0;
        find_end(s, g);
    }
}

/* Loops inside whose waits something in the region ends become part of it. */
static void
grow_group(struct progress *s, struct group *g)
{
    for (size_t i = 0; g->end && i < s->waits.loops.n; i++) {
        const struct waits_loop *l = &s->waits.loops.at[i];
        if (has_loop(g, l) || !g->region[l->loop->header->id])
            continue;
        bool *around = no_blocks(s);
        ir_foreach_rpo (s->f, b)
            around[b->id] = g->region[b->id] && !ir_in_loop(b, l->loop);
        if (!has_end_of_wait(s, l, around))
            continue;
        const struct group before = *g;
        add_loop(s, g, l);
        if (g->end)
            i = (size_t)-1; /* the region is larger: all of them again */
        else
            *g = before;
    }
}

static bool
groups_overlap(const struct progress *s, const struct group *a,
               const struct group *b)
{
    for (size_t i = 0; i < s->f->blocks.n; i++)
        if (a->region[i] && b->region[i])
            return true;
    return false;
}

/* g with what a group before it has, if they share blocks. */
static bool
merge_group(struct progress *s, struct group *g)
{
    for (size_t i = 0; i < s->groups.n; i++) {
        struct group *old = &s->groups.at[i];
        if (!groups_overlap(s, old, g))
            continue;
        for (size_t k = 0; k < g->loops.n; k++)
            if (!has_loop(old, g->loops.at[k]))
                add_loop(s, old, g->loops.at[k]);
        grow_group(s, old);
        *g = *old;
        *old = s->groups.at[--s->groups.n];
        return true;
    }
    return false;
}

static void
find_groups(struct progress *s)
{
    for (size_t i = 0; i < s->waits.loops.n; i++) {
        const struct waits_loop *l = &s->waits.loops.at[i];
        bool known = false, forks = false;
        for (size_t k = 0; k < s->groups.n; k++)
            known |= has_loop(&s->groups.at[k], l);
        ir_foreach_rpo (s->f, b)
            forks |= !known && is_fork(s, l, b);
        if (known || (!forks && !holds_back(s, l)))
            continue;
        struct group g = { 0 };
        add_loop(s, &g, l);
        grow_group(s, &g);
        while (g.end && merge_group(s, &g))
            ;
        if (g.end)
            vec_push(s->f->arena, &s->groups, g);
    }
}

/* ---- the starts of a group ---- */

/* A way into what j leads to that does not come from there. */
static bool
has_other_entry(const struct ir_block *b, const bool *led)
{
    for (size_t i = 0; i < b->preds.n; i++)
        if (b->preds.at[i]->reachable && !led[b->preds.at[i]->id])
            return true;
    return false;
}

/* Loops that j leads into the middle of would have two entries. */
static bool
has_start_inside(const struct group *g, const struct ir_block *b)
{
    if (!b->loop || b->loop->header != b || ir_in_loop(g->end, b->loop))
        return false;
    for (size_t i = 0; i < g->starts.n; i++)
        if (ir_in_loop(g->starts.at[i], b->loop))
            return true;
    return false;
}

static void
find_starts(struct progress *s, struct group *g)
{
    bool *led = no_blocks(s);
    assert(g->end && g->starts.n);
    for (size_t i = 0; i < g->starts.n; i++)
        mark_reached(s, g->starts.at[i], g->end, true, led);
    for (bool changed = true; changed;) {
        changed = false;
        ir_foreach_rpo (s->f, b) {
            if (!led[b->id] || is_start(g, b) ||
                (!has_other_entry(b, led) && !has_start_inside(g, b)))
                continue;
            vec_push(s->f->arena, &g->starts, b);
            changed = true;
        }
    }
}

/* ---- barriers begin blocks ---- */

static void
replace_pred(struct ir_block *of, const struct ir_block *old,
             struct ir_block *new)
{
    size_t i = 0;
    while (of->preds.at[i] != old)
        i++;
    assert(i < of->preds.n);
    of->preds.at[i] = new;
}

static void
split_before(struct ir_insn *in)
{
    struct ir_block *b = in->block, *rest = ir_block_new(b->func);
    rest->first = in;
    rest->last = b->last;
    b->last = in->prev;
    b->last->next = in->prev = NULL;
    for (struct ir_insn *x = in; x; x = x->next)
        x->block = rest;
    for (unsigned k = 0; k < 2 && b->succ[k]; k++) {
        struct ir_block *to = b->succ[k];
        replace_pred(to, b, rest);
        rest->succ[k] = to;
        b->succ[k] = NULL;
    }
    ir_append(b, ir_insn_new(b->func, IR_JUMP));
    ir_link(b, 0, rest);
}

static void
split_at_barriers(struct ir_func *f)
{
    for (size_t i = 0; i < f->blocks.n; i++)
        ir_foreach_insn (f->blocks.at[i], in)
            if (waits_is_barrier(in) && in->prev) {
                split_before(in);
                break; /* the next one is in the new block */
            }
}

static void
make_rounds(struct ir_func *f)
{
    split_at_barriers(f);
    ir_analyse(f);
    struct progress s = { .f = f, .waits = waits_find(f) };
    s.side = region_begin(f->arena, f);
    s.work = arena_new(f->arena, struct ir_block *, f->blocks.n + 1);
    find_groups(&s);
    for (size_t i = 0; i < s.groups.n; i++)
        find_starts(&s, &s.groups.at[i]);
    if (s.groups.n)
        rounds_make(f, s.groups.at, s.groups.n);
}

void
cc_progress(struct cc *c)
{
    struct ir_func *f = c->f;
    assert(f->form == IR_FORM_SCALAR);
    ir_analyse(f);
    const struct waits waits = waits_find(f);
    if (waits.loops.n && c->options->pause)
        pause_loops(&waits, c->options->pause);
    if (waits.loops.n)
        make_rounds(f);
    ir_foreach_block (f, b)
        ir_foreach_insn_safe (b, in)
            if (in->op == IR_TOGETHER)
                ir_remove(in);
}
