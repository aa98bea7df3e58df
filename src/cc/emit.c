/* SPDX-License-Identifier: Apache-2.0 */
/*
 * After register allocation: machine words.
 *
 * Blocks are in reverse post-order, with the blocks of a loop contiguous.  A block in
 * which threads reconverge starts with `join`.  A divergent branch is
 *
 *         setrpc zero, t1, meet - t1      if it is not set: rpc.h
 *         vbeq   v1, v2, taken            or, if that is too far away:
 *                                              vbeq v1, v2, 1f; j else; 1: j taken
 *
 * If the kernel has several setrpc, t1 holds a base address from its start on.
 * Otherwise, and if reconvergence blocks are too far away, an auipc computes it
 * before each setrpc.
 *
 * The layout repeats until no branch grows.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <ventus/isa_build.h>

#include "cc/code.h"
#include "cc/debuginfo/debug.h"
#include "cc/emit.h"

/*
 * Whether the instruction is the nop at which debuggers stop.  It has a row of its
 * own: debuggers go back to the start of a row, and not to the start of an inlined
 * function, where it is not yet called.
 */
static bool
is_debugger_stop(const struct ir_insn *in)
{
    return in->op == VENTUS_ISA_ADDI && !in->dst && in->is_volatile;
}

static void
note_line(struct emit *e, const struct ir_insn *in)
{
    bool same = in->line == e->line && in->file == e->file &&
                !(in->prev && is_debugger_stop(in->prev));
    if (!in->line || (same && !e->prologue))
        return;
    e->line = in->line;
    e->file = in->file;
    size_t n = e->code->rows.n;
    struct cc_row row = { .offset = emit_here(e),
                          .file = in->file,
                          .line = in->line,
                          .column = in->column,
                          .prologue_end = e->prologue };
    e->prologue = false;
    if (n && e->code->rows.at[n - 1].offset == row.offset)
        e->code->rows.at[n - 1] = row;
    else
        vec_push(e->f->arena, &e->code->rows, row);
}

/* Debuggers take the first line of a function for its start, and the next one
 * for where its parameters are. */
static void
note_function(struct emit *e)
{
    struct ir_insn start = { .line = e->f->line, .file = e->f->file };
    if (!start.line)
        return;
    note_line(e, &start);
    e->prologue = true;
}

/* ---- layout ---- */

/* Blocks of the loop (NULL: all) in order, inner loops in one piece. */
static void
lay_out(struct emit *e, const struct ir_loop *loop, bool *placed)
{
    for (size_t i = 0; i < e->f->rpo.n; i++) {
        struct ir_block *b = e->f->rpo.at[i];
        if (placed[b->id] || (loop && !ir_in_loop(b, loop)))
            continue;
        if (b->loop != loop) {
            /* its header dominates its blocks, so comes first of them */
            assert(b->loop->header == b && b->loop->parent == loop);
            lay_out(e, b->loop, placed);
        } else {
            placed[b->id] = true;
            assert(e->n < e->f->blocks.n);
            e->order[e->n++] = b;
        }
    }
}

static void
emit_blocks(struct emit *e)
{
    struct cc_kernel_stats *s = e->c->stats;
    e->code->words.n = 0;
    e->code->relocs.n = e->code->rows.n = 0;
    e->line = 0;
    note_function(e);
    s->instructions = s->words = s->copies = 0;
    s->branches_divergent = s->branches_uniform = s->calls = 0;
    for (unsigned i = 0; i < e->n; i++) {
        struct ir_block *b = e->order[i];
        const struct ir_block *next = i + 1 < e->n ? e->order[i + 1] : NULL;
        e->at[b->id] = emit_here(e);
        if (i == 0)
            emit_anchor(e);
        if (i == 0 && e->f->callees.n) {
            emit_word(e, ventus_isa_sw(REG_RA, REG_SP, emit_ra_at(e)));
            e->code->saved_at = emit_here(e);
            e->code->saved_offset = emit_ra_at(e);
        }
        if (b->join)
            emit_word(e, ventus_isa_join(0, 0, 0));
        ir_foreach_insn (b, in) {
            note_line(e, in);
            in->at = emit_here(e);
            if (in == b->last && e->rpc.set[b->id])
                emit_setrpc(e, e->rpc.set[b->id]);
            if (in->object)
                emit_object(e, in);
            emit_insn(e, b, in, next);
        }
    }
}

/* Widens the branches that do not reach their targets; none is narrowed, so that the
 * layout converges. */
static bool
widen_branches(struct emit *e)
{
    bool grown = false;
    for (unsigned i = 0; i < e->n && e->anchor != ANCHOR_NONE; i++) {
        const struct ir_block *meet = e->rpc.set[e->order[i]->id];
        int32_t d = meet ? emit_from_anchor(e, meet) : 0;
        if (d < SETRPC_MIN || d > SETRPC_MAX) {
            assert(e->anchor < ANCHOR_NONE);
            e->anchor++;
            grown = true;
        }
    }
    for (unsigned i = 0; i < e->n; i++) {
        struct ir_block *b = e->order[i];
        uint32_t end = i + 1 < e->n ? e->at[e->order[i + 1]->id] : emit_here(e);
        for (unsigned k = 0; k < 2 && ir_is_branch(b->last); k++) {
            int64_t d = (int64_t)e->at[emit_target(e, b->succ[k])->id] - end;
            if (llabs(d) > BRANCH_RANGE && !e->far[b->id])
                e->far[b->id] = grown = true;
        }
    }
    return grown;
}

/* Drops blocks without code from the order; not those of endless loops. */
static void
skip_empty(struct emit *e)
{
    unsigned n = 0;
    for (unsigned i = 0; i < e->n; i++) {
        struct ir_block *b = e->order[i];
        bool empty = i > 0 && !b->join && !e->rpc.set[b->id] &&
                     b->last->op == IR_JUMP && b->succ[0] != b;
        ir_foreach_insn (b, in)
            if (in != b->last && emit_has_code(e, in))
                empty = false;
        e->skip[b->id] = empty && emit_target(e, b->succ[0]) != b;
        if (!e->skip[b->id])
            e->order[n++] = b;
    }
    assert(n && n <= e->n);
    e->n = n;
}

/*
 * A block that only leads back to a loop's header goes in front of it, so that
 * the loop has one branch and no jump:
 *
 *     header: ...                      back:   copies
 *             beq a, b, out            header: ...
 *     back:   copies; j header                 bne a, b, back
 *     out:                             out:
 */
static void
rotate_loops(struct emit *e)
{
    for (unsigned i = 2; i + 1 < e->n; i++) {
        struct ir_block *back = e->order[i], *before = e->order[i - 1];
        unsigned h = 0;
        while (h < i && e->order[h] != back->succ[0])
            h++;
        if (back->last->op != IR_JUMP || h == 0 || h >= i - 1 ||
            !back->succ[0]->loop ||
            back->succ[0]->loop->header != back->succ[0] ||
            !ir_in_loop(back, back->succ[0]->loop) ||
            !ir_is_branch(before->last))
            continue;
        const struct ir_block *a = emit_target(e, before->succ[0]);
        const struct ir_block *b = emit_target(e, before->succ[1]);
        const struct ir_block *out = e->order[i + 1];
        if (!(a == back && b == out) && !(b == back && a == out))
            continue;
        assert(h > 0 && h < i && "the entry stays first");
        for (unsigned k = i; k > h; k--)
            e->order[k] = e->order[k - 1];
        e->order[h] = back;
    }
}

bool
cc_emit(struct cc *c, struct cc_code *code)
{
    assert(c->f->form == IR_FORM_ALLOCATED);
    struct ir_func *f = c->f;
    struct emit e = { .c = c,
                      .target = cc_target_or_v1(c->options->target),
                      .f = f,
                      .code = code };
    e.rpc = rpc_plan(f, c->options->off & CC_NO_RPC);
    bool anchor =
        e.rpc.weight > 1 && !(c->options->off & CC_NO_RPC) && !f->callees.n;
    e.anchor = anchor ? ANCHOR_NEAR : ANCHOR_NONE;
    e.order = arena_new(f->arena, struct ir_block *, f->blocks.n);
    e.at = arena_new(f->arena, uint32_t, f->blocks.n);
    e.far = arena_new(f->arena, bool, f->blocks.n);
    ir_foreach_block (f, b)
        b->join = false;
    ir_foreach_rpo (f, b)
        if (ir_is_vbranch(b->last) && b->ipdom)
            b->ipdom->join = true;
    lay_out(&e, NULL, arena_new(f->arena, bool, f->blocks.n));
    e.skip = arena_new(f->arena, bool, f->blocks.n);
    assert(e.n == f->rpo.n && "each reachable block once");
    skip_empty(&e);
    if (!(c->options->off & CC_NO_LAYOUT))
        rotate_loops(&e);
    do {
        emit_blocks(&e);
    } while (widen_branches(&e));
    emit_blocks(&e); /* distances are right from the second time on */
    e.final = true;
    emit_blocks(&e);
    c->stats->blocks = e.n;
    code->order = e.order;
    code->n_order = e.n;
    code->block_at = e.at;
    return !e.bad;
}
