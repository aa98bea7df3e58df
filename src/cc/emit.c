/* SPDX-License-Identifier: Apache-2.0 */
/*
 * After register allocation: machine words.
 *
 * Blocks lie in reverse post-order with loops together.  A block where threads
 * meet starts with `join`.  A divergent branch is
 *
 *         setrpc zero, t1, meet - t1      if it is not set: rpc.h
 *         vbeq   v1, v2, taken            or, if that is too far away:
 *                                              vbeq v1, v2, 1f; j else; 1: j taken
 *
 * t1 holds an address from the start of the kernel on if the address is set
 * more than once; else, and if meeting places are too far away, auipc makes it
 * before each setrpc.
 *
 * Sizes are found by laying out again until no branch grows.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <ventus/isa_build.h>

#include "cc/cc.h"
#include "cc/moves.h"
#include "cc/rpc.h"
#include "obj/elf.h"

enum {
    REG_RA = 1,
    REG_SP = 2,
    REG_TP = 4,
    REG_T1 = 6,
    MOVES_MAX = 1024,
    BRANCH_RANGE = 4000
};

/* How t1 is found. */
enum anchor {
    ANCHOR_NEAR, /* the kernel's start */
    ANCHOR_FAR,  /* ANCHOR_MIDDLE behind its start */
    ANCHOR_NONE  /* anew each time */
};

enum { ANCHOR_MIDDLE = 2047, SETRPC_MIN = -2048, SETRPC_MAX = 2047 };

struct emit {
    struct cc *c;
    struct ir_func *f;
    struct cc_code *code;
    struct ir_block **order;
    unsigned n;
    uint32_t *at; /* by block id: offset */
    bool *far;    /* by block id: its branch needs jumps */
    bool *skip;   /* by block id: only jumps on, not emitted */
    struct rpc_plan rpc;
    enum anchor anchor;
    bool final; /* offsets are right now: errors count */
    bool bad;
    uint32_t line, column, file;
};

static uint32_t
here(const struct emit *e)
{
    return (uint32_t)e->code->words.n;
}

static void
put(struct emit *e, struct isa_insn in)
{
    uint32_t words[2];
    if (!in.prefix)
        isa_add_prefix(ISA_V1, &in);
    unsigned n = isa_encode(&in, words);
    if (!n && e->final && !e->bad) {
        char text[ISA_TEXT_MAX], why[ISA_TEXT_MAX];
        isa_print(&in, NULL, text, sizeof text);
        const char *what = isa_check(ISA_V1, &in, why, sizeof why);
        diag_report(e->c->sink, DIAG_ERROR, (struct diag_at){ 0 },
                    "kernel '%s': cannot encode '%s': %s", e->f->name, text,
                    what ? what : "?");
        e->bad = true;
    }
    if (!n) { /* as long as it will be when it fits */
        n = in.prefix ? 2 : 1;
        words[0] = words[1] = 0;
    }
    for (unsigned i = 0; i < n; i++)
        buf_u32(&e->code->words, words[i]);
    e->c->stats->instructions++;
    e->c->stats->words += n;
}

static unsigned
reg(const struct emit *e, ir_val v)
{
    return v <= IR_ZERO ? 0 : (unsigned)ir_value(e->f, v)->reg;
}

static void
put_move(struct emit *e, const struct move *m)
{
    e->c->stats->copies++;
    if (m->swap && m->to_class == IR_V) {
        put(e, isa_vxor_vv(m->to, m->to, m->from, 1));
        put(e, isa_vxor_vv(m->from, m->to, m->from, 1));
        put(e, isa_vxor_vv(m->to, m->to, m->from, 1));
    } else if (m->swap) {
        put(e, isa_xor(m->to, m->to, m->from));
        put(e, isa_xor(m->from, m->to, m->from));
        put(e, isa_xor(m->to, m->to, m->from));
    } else if (m->to_class == IR_S) {
        put(e, isa_addi(m->to, m->from, 0));
    } else if (m->from_class == IR_V) {
        put(e, isa_vmv_v_v(m->to, m->from));
    } else if (m->from == 0) {
        put(e, isa_vmv_v_i(m->to, 0));
    } else {
        put(e, isa_vmv_v_x(m->to, m->from));
    }
}

static void
put_const(struct emit *e, unsigned rd, int32_t x)
{
    int32_t low = (int32_t)((uint32_t)x << 20) >> 20;
    uint32_t high = ((uint32_t)x - (uint32_t)low) >> 12;
    if (!high) {
        put(e, isa_addi(rd, 0, low));
        return;
    }
    put(e, isa_lui(rd, (int32_t)(high & 0xfffff)));
    if (low)
        put(e, isa_addi(rd, rd, low));
}

static void
relocate(struct emit *e, unsigned type, const char *symbol, int32_t addend)
{
    /* at the instruction word, behind its prefix */
    struct cc_reloc r = { here(e) - 4, type, symbol, addend };
    vec_push(e->f->arena, &e->code->relocs, r);
}

static void
put_symbol(struct emit *e, const struct ir_insn *in)
{
    unsigned rd = reg(e, in->dst);
    put(e, isa_lui(rd, 0));
    relocate(e, ELF_R_RISCV_HI20, in->symbol, in->imm);
    put(e, isa_addi(rd, rd, 0));
    relocate(e, ELF_R_RISCV_LO12_I, in->symbol, in->imm);
}

/*
 * What upstream's simulator and RTL execute differently (isa.md): register
 * pairs, halves, masks, lanes to scalars, logic on masks, atomics, and compares that
 * the RTL decodes wrongly.
 */
static bool
differs_upstream(const struct ir_insn *in)
{
    if (in->pair || in->half || in->masked || in->mask ||
        isa_info[in->op].flags & ISA_F_ATOMIC)
        return true;
    switch (in->op) {
    case ISA_VMV_X_S:
    case ISA_VFMV_F_S:
    case ISA_VFMV_S_F:
    case ISA_VMAND_MM:
    case ISA_VMANDN_MM:
    case ISA_VMNAND_MM:
    case ISA_VMNOR_MM:
    case ISA_VMOR_MM:
    case ISA_VMORN_MM:
    case ISA_VMXNOR_MM:
    case ISA_VMXOR_MM:
    case ISA_VMSLE_VV:
    case ISA_VMSLE_VX:
    case ISA_VMSLE_VI:
    case ISA_VMSLEU_VV:
    case ISA_VMSLEU_VX:
    case ISA_VMSLEU_VI:
    case ISA_VMSGT_VX:
    case ISA_VMSGT_VI:
    case ISA_VMSGTU_VX:
    case ISA_VMSGTU_VI:
    case ISA_BARRIERSUB:
    case ISA_VSADD_VV: /* its RTL has no fixed point */
    case ISA_VSADD_VX:
    case ISA_VSADD_VI:
    case ISA_VSADDU_VV:
    case ISA_VSADDU_VX:
    case ISA_VSADDU_VI:
    case ISA_VSSUB_VV:
    case ISA_VSSUB_VX:
    case ISA_VSSUBU_VV:
    case ISA_VSSUBU_VX:
    case ISA_VAADD_VV:
    case ISA_VAADD_VX:
    case ISA_VAADDU_VV:
    case ISA_VAADDU_VX:
        return true;
    }
    return false;
}

static void
refuse_upstream(struct emit *e, const struct ir_insn *in)
{
    if (!e->final || e->bad)
        return;
    diag_report(e->c->sink, DIAG_ERROR, (struct diag_at){ .line = in->line },
                "kernel '%s': upstream's machines do not execute %s alike",
                e->f->name, ir_op_name(in->op));
    e->bad = true;
}

/* A row of the table with the registers of its values. */
static void
put_row(struct emit *e, const struct ir_insn *in)
{
    if (e->c->options->profile == CC_PROFILE_UPSTREAM && differs_upstream(in))
        refuse_upstream(e, in);
    struct isa_insn out = { .op = in->op,
                            .imm = in->imm,
                            .aux = in->aux,
                            .vm = !in->masked,
                            .rm = in->rm,
                            .aqrl = in->aqrl,
                            .pair = in->pair };
    if (in->op == ISA_VMERGE_VVM || in->op == ISA_VMERGE_VXM ||
        in->op == ISA_VMERGE_VIM)
        out.vm = 0;
    const struct isa_format_info *format =
        &isa_formats[isa_info[in->op].format];
    bool has_rm = false, has_vm = false;
    for (unsigned i = 0; i < format->fields; i++) {
        has_rm |= isa_fields[format->field[i]].member == ISA_MEMBER_RM;
        has_vm |= isa_fields[format->field[i]].member == ISA_MEMBER_VM;
    }
    if (!has_rm)
        out.rm = 0;
    if (!has_vm)
        out.vm = 0;
    for (unsigned slot = 1; slot < 4; slot++)
        out.reg[slot] = (uint8_t)reg(e, in->src[slot]);
    out.reg[0] = (uint8_t)reg(e, in->dst ? in->dst : in->src[0]);
    put(e, out);
}

/* ---- control flow ---- */

/* Where a jump to b ends: blocks that only jump on are skipped. */
static const struct ir_block *
target(const struct emit *e, const struct ir_block *b)
{
    for (unsigned n = 0; n < e->n && e->skip[b->id]; n++)
        b = b->succ[0];
    return b;
}

static int32_t
distance(const struct emit *e, const struct ir_block *to)
{
    return (int32_t)(e->at[to->id] - here(e));
}

static void
jump(struct emit *e, const struct ir_block *to, const struct ir_block *next)
{
    to = target(e, to);
    if (to != next)
        put(e, isa_jal(0, distance(e, to)));
}

static unsigned
inverse(unsigned op)
{
    switch (op) {
    case ISA_BEQ:
        return ISA_BNE;
    case ISA_BNE:
        return ISA_BEQ;
    case ISA_BLT:
        return ISA_BGE;
    case ISA_BGE:
        return ISA_BLT;
    case ISA_BLTU:
        return ISA_BGEU;
    case ISA_BGEU:
        return ISA_BLTU;
    case ISA_VBEQ:
        return ISA_VBNE;
    case ISA_VBNE:
        return ISA_VBEQ;
    case ISA_VBLT:
        return ISA_VBGE;
    case ISA_VBGE:
        return ISA_VBLT;
    case ISA_VBLTU:
        return ISA_VBGEU;
    }
    return ISA_VBLTU;
}

/* t1 for the whole kernel; its first instructions. */
static void
put_anchor(struct emit *e)
{
    if (e->anchor == ANCHOR_NONE)
        return;
    put(e, isa_auipc(REG_T1, 0));
    if (e->anchor == ANCHOR_FAR)
        put(e, isa_addi(REG_T1, REG_T1, ANCHOR_MIDDLE));
}

static int32_t
from_anchor(const struct emit *e, const struct ir_block *b)
{
    return (int32_t)e->at[b->id] -
           (e->anchor == ANCHOR_FAR ? ANCHOR_MIDDLE : 0);
}

static void
put_setrpc(struct emit *e, const struct ir_block *meet)
{
    if (e->anchor != ANCHOR_NONE) {
        put(e, isa_setrpc(0, REG_T1, from_anchor(e, meet)));
        return;
    }
    int32_t d = distance(e, meet);
    int32_t low = (int32_t)((uint32_t)d << 20) >> 20;
    put(e, isa_auipc(REG_T1, (int32_t)((uint32_t)(d - low) >> 12 & 0xfffff)));
    put(e, isa_setrpc(0, REG_T1, low));
}

static void
put_branch(struct emit *e, const struct ir_block *b, const struct ir_insn *in,
           const struct ir_block *next)
{
    const struct ir_block *taken = target(e, b->succ[0]);
    const struct ir_block *other = target(e, b->succ[1]);
    unsigned op = in->op;
    if (taken == next) {
        op = inverse(op);
        taken = other;
        other = next;
    }
    if (ir_is_vbranch(in))
        e->c->stats->branches_divergent++;
    else
        e->c->stats->branches_uniform++;
    struct isa_insn out = { .op = (uint16_t)op,
                            .reg[1] = (uint8_t)reg(e, in->src[1]),
                            .reg[2] = (uint8_t)reg(e, in->src[2]) };
    isa_add_prefix(ISA_V1, &out);
    int32_t prefix = out.prefix ? 4 : 0;
    if (!e->far[b->id]) {
        out.imm = distance(e, taken) - prefix;
        put(e, out);
        jump(e, other, next);
        return;
    }
    out.imm = 8;
    put(e, out);
    put(e, isa_jal(0, distance(e, other)));
    put(e, isa_jal(0, distance(e, taken)));
}

/* ra is in the last word of the stack in front of the function's own. */
static int32_t
ra_at(const struct emit *e)
{
    return 4 * (int32_t)e->f->stack_from - 4;
}

/* rd = rs + x; by way of t1 if x is large. */
static void
put_sum(struct emit *e, unsigned rd, unsigned rs, int32_t x)
{
    if (x >= -2048 && x < 2048) {
        if (x || rd != rs)
            put(e, isa_addi(rd, rs, x));
        return;
    }
    put_const(e, REG_T1, x);
    put(e, isa_add(rd, rs, REG_T1));
}

/*
 * To a function anywhere, of another object with tp and sp behind all that is
 * used here.  It leaves t1, ra and the meeting place changed.
 */
static void
put_call(struct emit *e, const struct ir_insn *in)
{
    bool far = in->callee && in->callee->is_external;
    if (far) {
        put_sum(e, REG_TP, REG_TP, (int32_t)e->c->m->frame_B);
        put_sum(e, REG_SP, REG_SP, (int32_t)e->c->m->stack_B);
    }
    put(e, isa_lui(REG_T1, 0));
    relocate(e, ELF_R_RISCV_HI20, in->symbol, 0);
    put(e, isa_jalr(REG_RA, REG_T1, 0));
    relocate(e, ELF_R_RISCV_LO12_I, in->symbol, 0);
    e->c->stats->calls++;
    if (far) {
        put_sum(e, REG_TP, REG_TP, -(int32_t)e->c->m->frame_B);
        put_sum(e, REG_SP, REG_SP, -(int32_t)e->c->m->stack_B);
    }
}

static void
put_frame(struct emit *e, unsigned rd)
{
    int32_t x = (int32_t)e->c->m->frame_B;
    put_const(e, rd, x);
    if (e->f->is_relative)
        put(e, isa_add(rd, rd, REG_TP));
}

static void
put_return(struct emit *e)
{
    if (e->f->callees.n)
        put(e, isa_lw(REG_RA, REG_SP, ra_at(e)));
    put(e, isa_jalr(0, REG_RA, 0));
}

static void
put_insn(struct emit *e, const struct ir_block *b, const struct ir_insn *in,
         const struct ir_block *next)
{
    struct move moves[MOVES_MAX];
    unsigned n;
    if (ir_is_branch(in)) {
        put_branch(e, b, in, next);
        return;
    }
    if (ir_is_isa(in->op)) {
        put_row(e, in);
        return;
    }
    switch (in->op) {
    case IR_JUMP:
        jump(e, b->succ[0], next);
        return;
    case IR_RET:
        put_return(e);
        return;
    case IR_CALL:
        put_call(e, in);
        return;
    case IR_UNDEF:
    case IR_ENTER:
        return;
    case IR_CONST:
        put_const(e, reg(e, in->dst), in->imm);
        return;
    case IR_SYMBOL:
        put_symbol(e, in);
        return;
    case IR_FRAME:
        put_frame(e, reg(e, in->dst));
        return;
    }
    n = moves_of(e->f, in, moves, MOVES_MAX);
    for (unsigned i = 0; i < n; i++)
        put_move(e, &moves[i]);
}

static void
note_line(struct emit *e, const struct ir_insn *in)
{
    if (!in->line || (in->line == e->line && in->file == e->file))
        return;
    e->line = in->line;
    e->file = in->file;
    struct cc_row row = { here(e), in->file, in->line, in->column };
    size_t n = e->code->rows.n;
    if (n && e->code->rows.at[n - 1].offset == row.offset)
        e->code->rows.at[n - 1] = row;
    else
        vec_push(e->f->arena, &e->code->rows, row);
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
        const struct ir_loop *inner = b->loop;
        while (inner && inner->parent != loop && inner != loop)
            inner = inner->parent;
        if (inner && inner != loop) {
            lay_out(e, inner, placed);
        } else {
            placed[b->id] = true;
            e->order[e->n++] = b;
        }
    }
}

static void
pass(struct emit *e)
{
    struct cc_kernel_stats *s = e->c->stats;
    e->code->words.n = 0;
    e->code->relocs.n = e->code->rows.n = 0;
    e->line = 0;
    s->instructions = s->words = s->copies = 0;
    s->branches_divergent = s->branches_uniform = s->calls = 0;
    for (unsigned i = 0; i < e->n; i++) {
        struct ir_block *b = e->order[i];
        const struct ir_block *next = i + 1 < e->n ? e->order[i + 1] : NULL;
        e->at[b->id] = here(e);
        if (i == 0)
            put_anchor(e);
        if (i == 0 && e->f->callees.n)
            put(e, isa_sw(REG_RA, REG_SP, ra_at(e)));
        if (b->join)
            put(e, isa_join(0, 0, 0));
        ir_foreach_insn (b, in) {
            note_line(e, in);
            if (in == b->last && e->rpc.set[b->id])
                put_setrpc(e, e->rpc.set[b->id]);
            put_insn(e, b, in, next);
        }
    }
}

/* Branches that do not reach; growing only, so that it ends. */
static bool
grow(struct emit *e)
{
    bool grown = false;
    for (unsigned i = 0; i < e->n && e->anchor != ANCHOR_NONE; i++) {
        const struct ir_block *meet = e->rpc.set[e->order[i]->id];
        int32_t d = meet ? from_anchor(e, meet) : 0;
        if (d < SETRPC_MIN || d > SETRPC_MAX) {
            e->anchor++;
            grown = true;
        }
    }
    for (unsigned i = 0; i < e->n; i++) {
        struct ir_block *b = e->order[i];
        uint32_t end = i + 1 < e->n ? e->at[e->order[i + 1]->id] : here(e);
        for (unsigned k = 0; k < 2 && ir_is_branch(b->last); k++) {
            int64_t d = (int64_t)e->at[target(e, b->succ[k])->id] - end;
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
    struct move moves[MOVES_MAX];
    unsigned n = 0;
    for (unsigned i = 0; i < e->n; i++) {
        struct ir_block *b = e->order[i];
        bool empty = i > 0 && !b->join && !e->rpc.set[b->id] &&
                     b->last->op == IR_JUMP && b->succ[0] != b;
        ir_foreach_insn (b, in)
            if (in != b->last && (ir_is_isa(in->op) || in->op == IR_CONST ||
                                  in->op == IR_SYMBOL || in->op == IR_CALL ||
                                  moves_of(e->f, in, moves, MOVES_MAX)))
                empty = false;
        e->skip[b->id] = empty && target(e, b->succ[0]) != b;
        if (!e->skip[b->id])
            e->order[n++] = b;
    }
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
rotate(struct emit *e)
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
        const struct ir_block *a = target(e, before->succ[0]);
        const struct ir_block *b = target(e, before->succ[1]);
        const struct ir_block *out = e->order[i + 1];
        if (!(a == back && b == out) && !(b == back && a == out))
            continue;
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
    struct emit e = { .c = c, .f = f, .code = code };
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
    skip_empty(&e);
    if (!(c->options->off & CC_NO_LAYOUT))
        rotate(&e);
    do {
        pass(&e);
    } while (grow(&e));
    pass(&e); /* distances are right from the second time on */
    e.final = true;
    pass(&e);
    c->stats->blocks = e.n;
    return !e.bad;
}
