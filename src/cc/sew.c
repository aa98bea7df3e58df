/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Register form: the width of vector elements.  A kernel begins with 32 bits;
 * instructions on halves want 16; what loads, stores and branches do, and
 * scalar instructions, is the same at any width.  Where the width may not be
 * the one that is wanted, it is set:
 *
 *     vsetvli zero, zero, e16     the number of elements stays
 *
 * The width is a state of the warp, not of a thread: it follows the physical
 * flow, in which one side of a divergent branch runs after the other (live.h).
 * It is found forwards; where paths of different width lead to a block that
 * wants one, it is set at the end of those that bring the other if they lead
 * nowhere else (in front of a loop), else in the block.
 */
#include "cc/cc.h"
#include "cc/live.h"
#include "cc/moves.h"

/* unseen: no path known yet; mixed: one or the other */
enum width { UNSEEN, WIDTH_16, WIDTH_32, MIXED };

struct state {
    struct ir_func *f;
    struct live_edges *extra;
    /* By block id: the first and last width wanted, or UNSEEN; at both ends. */
    uint8_t *first, *last, *in, *out;
};

static bool
has_vector(const struct ir_insn *in)
{
    for (unsigned slot = 0; slot < 4; slot++)
        if (ir_slot_kind(in->op, (enum isa_slot)slot) == ISA_KIND_V)
            return true;
    return false;
}

static bool
moves_vectors(const struct ir_func *f, const struct ir_insn *in)
{
    enum { MOVES_MAX = 1024 };
    struct move moves[MOVES_MAX];
    /* a mask is 0 or 1 at any width */
    if (in->half || (in->op == IR_COPY && ir_value(f, in->dst)->fixed == 0))
        return false;
    unsigned n = moves_of(f, in, moves, MOVES_MAX);
    for (unsigned i = 0; i < n; i++)
        if (moves[i].to_class == IR_V)
            return true;
    return false;
}

static enum width
wanted(const struct ir_func *f, const struct ir_insn *in)
{
    if (in->op == IR_CALL || (in->op == IR_RET && f->is_function))
        return WIDTH_32;
    if (!ir_is_isa(in->op))
        return moves_vectors(f, in) ? WIDTH_32 : UNSEEN;
    switch (in->op) {
    case ISA_VADD12_VI: /* addresses */
    case ISA_VSUB12_VI:
        return UNSEEN;
    case ISA_VMERGE_VVM:
    case ISA_VMERGE_VXM:
    case ISA_VMERGE_VIM:
    case ISA_VMV_V_I:
    case ISA_VMV_X_S:
        if (in->half)
            return UNSEEN;
        break;
    }
    if (in->half)
        return WIDTH_16;
    if (in->pair || ir_is_load(in) || ir_is_store(in) || ir_is_vbranch(in) ||
        (isa_info[in->op].flags & ISA_F_ATOMIC))
        return UNSEEN;
    return has_vector(in) ? WIDTH_32 : UNSEEN;
}

static bool
scan(struct state *s, struct ir_block *b)
{
    bool any = false;
    ir_foreach_insn (b, in) {
        enum width w = wanted(s->f, in);
        any |= in->half;
        if (w == UNSEEN)
            continue;
        if (s->first[b->id] == UNSEEN)
            s->first[b->id] = (uint8_t)w;
        s->last[b->id] = (uint8_t)w;
    }
    return any;
}

static enum width
meet(enum width a, enum width b)
{
    return a == UNSEEN || a == b ? b : b == UNSEEN ? a : MIXED;
}

static void
flow(struct state *s)
{
    struct ir_func *f = s->f;
    ir_foreach_block (f, b)
        s->in[b->id] = s->out[b->id] = UNSEEN;
    for (bool changed = true; changed;) {
        changed = false;
        ir_foreach_rpo (f, b) {
            enum width w = b == f->blocks.at[0] ? WIDTH_32 : UNSEEN;
            for (size_t i = 0; i < b->preds.n; i++)
                if (b->preds.at[i]->reachable)
                    w = meet(w, (enum width)s->out[b->preds.at[i]->id]);
            for (size_t i = 0; i < s->extra[b->id].from.n; i++)
                w = meet(w, (enum width)s->out[s->extra[b->id].from.at[i]->id]);
            s->in[b->id] = (uint8_t)w;
            w = s->last[b->id] ? (enum width)s->last[b->id] : w;
            changed |= w != s->out[b->id];
            s->out[b->id] = (uint8_t)w;
        }
    }
}

static void
set(struct state *s, struct ir_insn *at, enum width w)
{
    enum { VTYPE_E16 = 1 << 3, VTYPE_E32 = 2 << 3 };
    struct ir_insn *in = ir_insn_new(s->f, ISA_VSETVLI);
    in->src[1] = IR_ZERO;
    in->aux = w == WIDTH_16 ? VTYPE_E16 : VTYPE_E32;
    in->line = at->line;
    in->column = at->column;
    in->file = at->file;
    ir_insert_before(at, in);
}

/* Sets the width at the ends of blocks that lead to b only; true if it did. */
static bool
set_before(struct state *s, struct ir_block *b)
{
    enum width w = (enum width)s->first[b->id];
    bool done = false;
    if (s->in[b->id] != MIXED || w == UNSEEN)
        return false;
    for (size_t i = 0; i < s->extra[b->id].from.n; i++)
        if (s->out[s->extra[b->id].from.at[i]->id] != w)
            return false;
    for (size_t i = 0; i < b->preds.n; i++)
        if (b->preds.at[i]->reachable && b->preds.at[i]->succ[1] &&
            s->out[b->preds.at[i]->id] != w)
            return false;
    for (size_t i = 0; i < b->preds.n; i++) {
        struct ir_block *p = b->preds.at[i];
        if (!p->reachable || s->out[p->id] == w)
            continue;
        set(s, p->last, w);
        s->last[p->id] = (uint8_t)w;
        if (s->first[p->id] == UNSEEN)
            s->first[p->id] = (uint8_t)w;
        done = true;
    }
    return done;
}

static void
set_inside(struct state *s, struct ir_block *b)
{
    enum width now = (enum width)s->in[b->id];
    ir_foreach_insn (b, in) {
        enum width w = wanted(s->f, in);
        if (in->op == ISA_VSETVLI) {
            now = in->aux >> 3 == 1 ? WIDTH_16 : WIDTH_32;
        } else if (w != UNSEEN && w != now) {
            set(s, in, w);
            now = w;
        }
    }
}

void
cc_sew(struct cc *c)
{
    struct ir_func *f = c->f;
    struct state s = { .f = f };
    bool any = false;
    ir_analyse(f);
    s.first = arena_new(f->arena, uint8_t, f->blocks.n);
    s.last = arena_new(f->arena, uint8_t, f->blocks.n);
    s.in = arena_new(f->arena, uint8_t, f->blocks.n);
    s.out = arena_new(f->arena, uint8_t, f->blocks.n);
    ir_foreach_rpo (f, b)
        any |= scan(&s, b);
    if (!any)
        return;
    s.extra = live_edges(f->arena, f);
    flow(&s);
    for (bool again = true; again;) {
        again = false;
        ir_foreach_rpo (f, b)
            if (set_before(&s, b)) {
                flow(&s);
                again = true;
            }
    }
    ir_foreach_rpo (f, b)
        set_inside(&s, b);
}
