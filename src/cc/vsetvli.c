/* SPDX-License-Identifier: Apache-2.0 */
/*
 * After register allocation: the width of vector elements, and the rounding of
 * averages.  A kernel begins with 32 bits; instructions on halves need 16,
 * saturating ones on bytes 8; loads, stores, branches and scalar instructions work
 * at any width.  Where the width may differ from the needed one, the pass inserts
 *
 *     vsetvli zero, zero, e16     the number of elements stays
 *
 * Both are states of the warp, not of a thread: they follow the physical flow,
 * in which one side of a divergent branch runs after the other (live.h).  They
 * are found by a forward dataflow analysis.  Where paths of different width lead to a
 * block that needs one of them, the width is set at the end of the other
 * predecessors if the block is their only successor (in front of a loop), otherwise
 * in the block.
 *
 * A second analysis finds the rounding mode of vaadd, vxrm, in the same way.  It is
 * unknown at the start of a kernel or function and after a call, so that code
 * without averages sets nothing.
 *
 *     csrwi vxrm, 2               (a + b) >> 1
 */
#include <assert.h>

#include "cc/cc.h"
#include "cc/live.h"
#include "cc/moves.h"
#include "cc/passes.h"

/* unseen: no path known yet; mixed: one or another */
enum mode {
    UNSEEN,
    WIDTH_8,
    WIDTH_16,
    WIDTH_32,
    MIXED,
    /* of the other state */
    ROUND_UP = WIDTH_8,
    ROUND_DOWN = WIDTH_16
};

struct state {
    struct ir_func *f;
    bool rounding; /* which of the two is found */
    bool bytes;    /* is the width 8 anywhere */
    struct live_edges *extra;
    /* By block id: the first and last width wanted, or UNSEEN; at both ends. */
    uint8_t *first, *last, *in, *out;
};

static bool
has_vector(const struct ir_insn *in)
{
    for (unsigned slot = 0; slot < 4; slot++)
        if (ir_slot_kind(in->op, (enum ventus_isa_slot)slot) ==
            VENTUS_ISA_KIND_V)
            return true;
    return false;
}

/* Whether `in` copies a mask to v0, not for a call or a return.  A mask is 0 or 1 at
 * any width, and no call is between its copy and its use (mask_to_v0). */
static bool
is_mask_copy(const struct ir_func *f, const struct ir_insn *in)
{
    if (in->op != IR_COPY || ir_value(f, in->dst)->fixed != 0)
        return false;
    for (const struct ir_insn *n = in->next; n && n->op != IR_CALL; n = n->next)
        if (n->mask == in->dst)
            return true;
    return false;
}

/* Copies vectors of which more than `half` bits count. */
static bool
moves_vectors(const struct ir_func *f, const struct ir_insn *in)
{
    enum { MOVES_MAX = 1024 };
    struct move moves[MOVES_MAX];
    if (in->half || is_mask_copy(f, in))
        return false;
    unsigned n = moves_of(f, in, moves, MOVES_MAX);
    for (unsigned i = 0; i < n; i++)
        if (moves[i].to_class == IR_V)
            return true;
    return false;
}

/* The width that the instruction needs at least: where only some bits count, any width
 * that has them does. */
static enum mode
wanted_at_least(const struct state *s, const struct ir_insn *in)
{
    return in->half == IR_HALF && s->bytes ? WIDTH_16 : UNSEEN;
}

static enum mode
wanted_width(const struct state *s, const struct ir_insn *in)
{
    if (in->op == IR_CALL || (in->op == IR_RET && s->f->is_function))
        return WIDTH_32;
    if (!ir_is_isa(in->op))
        return moves_vectors(s->f, in) ? WIDTH_32 : wanted_at_least(s, in);
    if (ir_has_format(in->op, VENTUS_ISA_FORMAT_VI12))
        return UNSEEN; /* addresses */
    if (in->half && ventus_isa_info[in->op].flags & VENTUS_ISA_F_MOVES)
        return wanted_at_least(s, in);
    if (in->half)
        return in->half == IR_BYTE ? WIDTH_8 : WIDTH_16;
    if ((in->pair && !(ventus_isa_info[in->op].flags & VENTUS_ISA_F_PAIR64)) ||
        ir_is_load(in) || ir_is_store(in) || ir_is_vbranch(in) ||
        (ventus_isa_info[in->op].flags & VENTUS_ISA_F_ATOMIC))
        return UNSEEN;
    return has_vector(in) ? WIDTH_32 : UNSEEN;
}

static bool
is_average(const struct ir_insn *in)
{
    /* rm 7: of inline assembly, with its own vxrm */
    return ir_flags(in->op) & VENTUS_ISA_F_VXRM && in->rm != 7;
}

static bool
is_csr_access(const struct ir_insn *in)
{
    return ir_has_format(in->op, VENTUS_ISA_FORMAT_CSR) ||
           ir_has_format(in->op, VENTUS_ISA_FORMAT_CSRI);
}

static enum mode
wanted_mode(const struct state *s, const struct ir_insn *in)
{
    if (!s->rounding)
        return wanted_width(s, in);
    if (!is_average(in))
        return UNSEEN;
    return in->rm == VXRM_RDN ? ROUND_DOWN : ROUND_UP;
}

/* The state after an instruction, UNSEEN if the instruction does not change it. */
static enum mode
mode_after(const struct state *s, const struct ir_insn *in)
{
    enum { CSR_VXRM = 0x00a, CSR_VCSR = 0x00f };
    static const enum mode widths[] = { WIDTH_8, WIDTH_16, WIDTH_32 };
    bool sets =
        is_csr_access(in) && (in->aux == CSR_VXRM || in->aux == CSR_VCSR);
    if (s->rounding && in->op == VENTUS_ISA_CSRRWI && in->aux == CSR_VXRM)
        return in->imm == VXRM_RDN   ? ROUND_DOWN
               : in->imm == VXRM_RNU ? ROUND_UP
                                     : MIXED;
    if (s->rounding)
        return in->op == IR_CALL || sets ? MIXED : wanted_mode(s, in);
    if (in->op == VENTUS_ISA_VSETVLI)
        return (in->aux >> 3) < 3 ? widths[in->aux >> 3] : MIXED;
    return wanted_mode(s, in);
}

/* Finds the first and last state of the block; true if the pass has work in it. */
static bool
scan_block(struct state *s, struct ir_block *b)
{
    bool any = false;
    ir_foreach_insn (b, in) {
        enum mode w = wanted_mode(s, in), l = mode_after(s, in);
        any |= s->rounding ? is_average(in) : in->half;
        if (w != UNSEEN && s->first[b->id] == UNSEEN)
            s->first[b->id] = (uint8_t)w;
        if (l != UNSEEN) {
            s->last[b->id] = (uint8_t)l;
            /* no instruction after it asks for the state at the start */
            if (s->first[b->id] == UNSEEN)
                s->first[b->id] = (uint8_t)MIXED;
        }
    }
    return any;
}

static enum mode
join(enum mode a, enum mode b)
{
    assert(a <= MIXED && b <= MIXED);
    return a == UNSEEN || a == b ? b : b == UNSEEN ? a : MIXED;
}

static void
solve_modes(struct state *s)
{
    struct ir_func *f = s->f;
    ir_foreach_block (f, b)
        s->in[b->id] = s->out[b->id] = UNSEEN;
    for (bool changed = true; changed;) {
        changed = false;
        ir_foreach_rpo (f, b) {
            enum mode w = b != f->blocks.at[0] ? UNSEEN
                          : s->rounding        ? MIXED
                                               : WIDTH_32;
            for (size_t i = 0; i < b->preds.n; i++)
                if (b->preds.at[i]->reachable)
                    w = join(w, (enum mode)s->out[b->preds.at[i]->id]);
            for (size_t i = 0; i < s->extra[b->id].from.n; i++)
                w = join(w, (enum mode)s->out[s->extra[b->id].from.at[i]->id]);
            s->in[b->id] = (uint8_t)w;
            w = s->last[b->id] ? (enum mode)s->last[b->id] : w;
            changed |= w != s->out[b->id];
            s->out[b->id] = (uint8_t)w;
        }
    }
}

static void
insert_mode(struct state *s, struct ir_insn *at, enum mode w)
{
    enum { VTYPE_E8 = 0, VTYPE_E16 = 1 << 3, VTYPE_E32 = 2 << 3 };
    assert(w == WIDTH_8 || w == WIDTH_16 || (w == WIDTH_32 && !s->rounding));
    struct ir_insn *in =
        ir_insn_new(s->f, s->rounding ? VENTUS_ISA_CSRRWI : VENTUS_ISA_VSETVLI);
    if (s->rounding) {
        in->aux = 0x00a; /* vxrm */
        in->imm = w == ROUND_DOWN ? VXRM_RDN : VXRM_RNU;
    } else {
        in->src[1] = IR_ZERO;
        in->aux = w == WIDTH_8    ? VTYPE_E8
                  : w == WIDTH_16 ? VTYPE_E16
                                  : VTYPE_E32;
    }
    ir_place_like(in, at);
    ir_insert_before(at, in);
}

/* Sets the width at the ends of blocks that lead to b only, if others bring it;
 * true if it did. */
static bool
set_before(struct state *s, struct ir_block *b)
{
    enum mode w = (enum mode)s->first[b->id];
    bool done = false;
    if (s->in[b->id] != MIXED || w == UNSEEN || w == MIXED)
        return false;
    for (size_t i = 0; i < s->extra[b->id].from.n; i++)
        if (s->out[s->extra[b->id].from.at[i]->id] != w)
            return false;
    bool brought = false; /* else it may as well be set in the block */
    for (size_t i = 0; i < b->preds.n; i++) {
        struct ir_block *p = b->preds.at[i];
        if (p->reachable && p->succ[1] && s->out[p->id] != w)
            return false;
        brought |= p->reachable && s->out[p->id] == w;
    }
    if (!brought)
        return false;
    for (size_t i = 0; i < b->preds.n; i++) {
        struct ir_block *p = b->preds.at[i];
        if (!p->reachable || s->out[p->id] == w)
            continue;
        assert(!p->succ[1] && "the block leads to b only");
        insert_mode(s, p->last, w);
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
    enum mode now = (enum mode)s->in[b->id];
    ir_foreach_insn (b, in) {
        enum mode w = wanted_mode(s, in), l = mode_after(s, in);
        if (w != UNSEEN && w != now)
            insert_mode(s, in, w);
        if (l != UNSEEN)
            now = l;
    }
}

static void
find_and_set(struct ir_func *f, bool rounding, bool bytes)
{
    struct state s = { .f = f, .rounding = rounding, .bytes = bytes };
    bool any = false;
    s.first = arena_new(f->arena, uint8_t, f->blocks.n);
    s.last = arena_new(f->arena, uint8_t, f->blocks.n);
    s.in = arena_new(f->arena, uint8_t, f->blocks.n);
    s.out = arena_new(f->arena, uint8_t, f->blocks.n);
    ir_foreach_rpo (f, b)
        any |= scan_block(&s, b);
    if (!any)
        return;
    s.extra = live_edges(f->arena, f);
    solve_modes(&s);
    for (bool again = true; again;) {
        again = false;
        ir_foreach_rpo (f, b)
            if (set_before(&s, b)) {
                solve_modes(&s);
                again = true;
            }
    }
    ir_foreach_rpo (f, b)
        set_inside(&s, b);
}

void
cc_vsetvli(struct cc *c)
{
    assert(c->f->form == IR_FORM_ALLOCATED);
    bool bytes = false;
    ir_analyse(c->f);
    ir_foreach_rpo (c->f, b)
        ir_foreach_insn (b, in)
            bytes |= in->half == IR_BYTE;
    find_and_set(c->f, false, bytes);
    find_and_set(c->f, true, bytes);
}
