/* SPDX-License-Identifier: Apache-2.0 */
/*
 * After register allocation: an instruction as machine words.  emit.c has branches
 * and the reconvergence address.
 */
#include <assert.h>
#include <stdlib.h>

#include <ventus/isa_build.h>

#include "abi/hints.h"
#include "cc/code.h"
#include "cc/emit.h"
#include "obj/elf.h"

void
emit_word(struct emit *e, struct ventus_isa_insn in)
{
    uint32_t words[2];
    if (!in.prefix)
        ventus_isa_add_prefix(e->target->isa, &in);
    unsigned n = ventus_isa_encode(&in, words);
    if (!n && e->final && !e->bad) {
        char text[VENTUS_ISA_TEXT_MAX], why[VENTUS_ISA_TEXT_MAX];
        ventus_isa_print(&in, NULL, text, sizeof text);
        const char *what =
            ventus_isa_check(e->target->isa, &in, why, sizeof why);
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
    assert(v <= IR_ZERO || ir_value(e->f, v)->reg >= 0);
    return v <= IR_ZERO ? 0 : (unsigned)ir_value(e->f, v)->reg;
}

static void
put_move(struct emit *e, const struct move *m)
{
    e->c->stats->copies++;
    assert(!m->swap || m->to_class == m->from_class);
    assert(m->to_class == IR_V || m->from_class == IR_S);
    if (m->swap && m->to_class == IR_V) {
        emit_word(e, ventus_isa_vxor_vv(m->to, m->to, m->from, 1));
        emit_word(e, ventus_isa_vxor_vv(m->from, m->to, m->from, 1));
        emit_word(e, ventus_isa_vxor_vv(m->to, m->to, m->from, 1));
    } else if (m->swap) {
        emit_word(e, ventus_isa_xor(m->to, m->to, m->from));
        emit_word(e, ventus_isa_xor(m->from, m->to, m->from));
        emit_word(e, ventus_isa_xor(m->to, m->to, m->from));
    } else if (m->to_class == IR_S) {
        emit_word(e, ventus_isa_addi(m->to, m->from, 0));
    } else if (m->from_class == IR_V) {
        emit_word(e, ventus_isa_vmv_v_v(m->to, m->from));
    } else if (m->from == 0) {
        emit_word(e, ventus_isa_vmv_v_i(m->to, 0));
    } else {
        emit_word(e, ventus_isa_vmv_v_x(m->to, m->from));
    }
}

/* Two moves, low words first, that are one of a pair; zero is a pair, too. */
static bool
is_pair_move(const struct emit *e, const struct move *lo, const struct move *hi)
{
    bool zero = lo->from_class == IR_S && !lo->from;
    return e->target->wide_integers && !lo->swap && !hi->swap &&
           lo->to_class == hi->to_class && lo->from_class == hi->from_class &&
           lo->to % 2 == 0 && hi->to == lo->to + 1 && lo->from % 2 == 0 &&
           hi->from == (zero ? 0 : lo->from + 1);
}

static void
put_pair_move(struct emit *e, const struct move *m)
{
    e->c->stats->copies++;
    assert(m->to % 2 == 0 && m->from % 2 == 0);
    if (m->to_class == IR_S) {
        emit_word(e, ventus_isa_addiw(m->to, m->from, 0));
        return;
    }
    struct ventus_isa_insn in = m->from_class == IR_V
                                    ? ventus_isa_vmv_v_v(m->to, m->from)
                                : m->from ? ventus_isa_vmv_v_x(m->to, m->from)
                                          : ventus_isa_vmv_v_i(m->to, 0);
    in.pair = 1;
    emit_word(e, in);
}

static void
put_const(struct emit *e, unsigned rd, int32_t x)
{
    int32_t low = (int32_t)((uint32_t)x << 20) >> 20;
    uint32_t high = ((uint32_t)x - (uint32_t)low) >> 12;
    assert((high << 12) + (uint32_t)low == (uint32_t)x);
    if (!high) {
        emit_word(e, ventus_isa_addi(rd, 0, low));
        return;
    }
    emit_word(e, ventus_isa_lui(rd, (int32_t)(high & 0xfffff)));
    if (low)
        emit_word(e, ventus_isa_addi(rd, rd, low));
}

static void
relocate(struct emit *e, unsigned type, const char *symbol, int32_t addend)
{
    /* at the instruction word, after its prefix */
    assert(emit_here(e) >= 4);
    struct cc_reloc r = { emit_here(e) - 4, type, symbol, addend };
    vec_push(e->f->arena, &e->code->relocs, r);
}

static void
put_symbol(struct emit *e, const struct ir_insn *in)
{
    unsigned rd = reg(e, in->dst);
    emit_word(e, ventus_isa_lui(rd, 0));
    relocate(e, ELF_R_RISCV_HI20, in->symbol, in->imm);
    emit_word(e, ventus_isa_addi(rd, rd, 0));
    relocate(e, ELF_R_RISCV_LO12_I, in->symbol, in->imm);
}

/* Whether upstream's simulator and RTL execute the instruction differently
 * (semantics.md, Differences of upstream's machines). */
static bool
differs_upstream(const struct ir_insn *in)
{
    return in->pair || in->half || in->masked || in->mask ||
           ventus_isa_info[in->op].flags &
               (VENTUS_ISA_F_ATOMIC | VENTUS_ISA_F_DIFFERS);
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

/* ---- 64 bits ---- */

static bool
is_wide(const struct emit *e, ir_val v)
{
    return v > IR_ZERO && ir_value(e->f, v)->words == 2;
}

static_assert(VENTUS_ISA_PRE_M_128 == VENTUS_ISA_PRE_M_32 + 3 &&
                  VENTUS_ISA_PRE_M_PRIVATE_128 ==
                      VENTUS_ISA_PRE_M_PRIVATE_32 + 3,
              "the rows of pre_m are in the order of their widths");

/* The number of words that a load or store accesses. */
static unsigned
words_of(const struct emit *e, const struct ir_insn *in)
{
    bool atomic = ventus_isa_info[in->op].flags & VENTUS_ISA_F_ATOMIC;
    bool stores = ir_is_store(in) || (atomic && in->src[2]);
    unsigned words = 1 + is_wide(e, stores ? in->src[2] : in->dst);
    for (unsigned i = 0; i < in->n_many; i++)
        words += ir_value(e->f, in->many[i])->words;
    return words;
}

/*
 * Addresses and data of several words, and private memory: in->pair says that one of
 * them has two words, out->pair is of the address alone.  A cache hint takes a prefix
 * that is there already; a load has one for it.  A store does without: a line that
 * misses has no place in the caches anyway.
 */
static void
choose_access(const struct emit *e, const struct ir_insn *in,
              struct ventus_isa_insn *out)
{
    unsigned prefix, words = words_of(e, in);
    out->pair = is_wide(e, in->src[1]);
    out->op = (uint16_t)cc_private_row(e->target, in->op, &prefix);
    if (words > 1) {
        assert(words <= e->target->access_words);
        prefix = prefix ? VENTUS_ISA_PRE_M_PRIVATE_32 : VENTUS_ISA_PRE_M_32;
        prefix += words - 1;
    } else if (in->hint && ir_is_load(in)) {
        assert(!prefix);
        prefix = VENTUS_ISA_PRE_M_32;
    } else if (out->pair && !prefix) {
        unsigned row = cc_wide_row(e->target, out->op);
        out->pair = row == out->op;
        out->op = (uint16_t)row;
    }
    out->prefix = (uint16_t)prefix;
    if (prefix)
        out->hint = in->hint;
}

/* Rows with pairs of their own save the prefix, if all their registers are
 * pairs. */
static void
choose_wide(const struct emit *e, const struct ir_insn *in,
            struct ventus_isa_insn *out)
{
    unsigned row = cc_wide_row(e->target, in->op);
    bool all = is_wide(e, in->dst);
    for (unsigned slot = 1; slot < 4; slot++)
        all &= in->src[slot] <= IR_ZERO || is_wide(e, in->src[slot]);
    if (ventus_isa_info[in->op].flags & VENTUS_ISA_F_PAIR64)
        out->pair = 0;
    if (row == in->op || !all)
        return;
    out->op = (uint16_t)row;
    out->pair = 0;
}

void
emit_object(struct emit *e, const struct ir_insn *in)
{
    assert(in->object && in->object <= e->f->objects.n);
    const struct ir_object *o = &e->f->objects.at[in->object - 1];
    const unsigned access =
        VENTUS_ISA_F_LOAD | VENTUS_ISA_F_STORE | VENTUS_ISA_F_ATOMIC;
    if (!ir_is_isa(in->op) || !(ventus_isa_info[in->op].flags & access))
        return; /* computes the address */
    if (o->kind == IR_OBJECT_ARGUMENT) {
        assert(o->at < HINT_ARGUMENTS);
        emit_word(e, ventus_isa_slti(
                         0, 0, (int32_t)(HINT_KINDS * o->at) + HINT_ARGUMENT));
        return;
    }
    assert(o->at < HINT_MAX_B && o->size_B < HINT_MAX_B);
    uint32_t at = o->at | (o->kind == IR_OBJECT_PRIVATE ? HINT_PRIVATE : 0);
    emit_word(e, ventus_isa_lui(0, (int32_t)at));
    emit_word(e, ventus_isa_lui(0, (int32_t)o->size_B));
}

/* A row of the table with the registers of its values. */
static void
put_row(struct emit *e, const struct ir_insn *in)
{
    if (e->c->options->profile == CC_PROFILE_UPSTREAM && differs_upstream(in))
        refuse_upstream(e, in);
    struct ventus_isa_insn out = { .op = in->op,
                                   .imm = in->imm,
                                   .aux = in->aux,
                                   .vm = !in->masked,
                                   .rm = in->rm,
                                   .aqrl = in->aqrl,
                                   .pair = in->pair,
                                   .abs = in->abs,
                                   .neg = in->neg };
    const struct ventus_isa_format_info *format =
        &ventus_isa_formats[ventus_isa_info[in->op].format];
    bool has_rm = false;
    for (unsigned i = 0; i < format->fields; i++)
        has_rm |=
            ventus_isa_fields[format->field[i]].member == VENTUS_ISA_MEMBER_RM;
    if (!has_rm)
        out.rm = 0;
    if (!(ventus_isa_info[in->op].flags & VENTUS_ISA_F_MASKED))
        out.vm = 0;
    for (unsigned slot = 1; slot < 4; slot++)
        out.reg[slot] = (uint8_t)reg(e, in->src[slot]);
    out.reg[0] = (uint8_t)reg(e, in->dst ? in->dst : in->src[0]);
    if (ir_has_address(in))
        choose_access(e, in, &out);
    else if (in->pair)
        choose_wide(e, in, &out);
    emit_word(e, out);
}

/* ---- control flow ---- */

/* Where a jump to b ends: blocks that only jump on are skipped. */
const struct ir_block *
emit_target(const struct emit *e, const struct ir_block *b)
{
    for (unsigned n = 0; n < e->n && e->skip[b->id]; n++)
        b = b->succ[0];
    return b;
}

static int32_t
distance(const struct emit *e, const struct ir_block *to)
{
    return (int32_t)(e->at[to->id] - emit_here(e));
}

static void
jump(struct emit *e, const struct ir_block *to, const struct ir_block *next)
{
    to = emit_target(e, to);
    if (to != next)
        emit_word(e, ventus_isa_jal(0, distance(e, to)));
}

static unsigned
inverse(unsigned op)
{
    assert(ventus_isa_related[op][VENTUS_ISA_INVERSE_OF] && "op is a branch");
    return ventus_isa_related[op][VENTUS_ISA_INVERSE_OF];
}

/* t1 for the whole kernel; its first instructions. */
void
emit_anchor(struct emit *e)
{
    if (e->anchor == ANCHOR_NONE)
        return;
    emit_word(e, ventus_isa_auipc(REG_T1, 0));
    if (e->anchor == ANCHOR_FAR)
        emit_word(e, ventus_isa_addi(REG_T1, REG_T1, ANCHOR_MIDDLE));
}

int32_t
emit_from_anchor(const struct emit *e, const struct ir_block *b)
{
    return (int32_t)e->at[b->id] -
           (e->anchor == ANCHOR_FAR ? ANCHOR_MIDDLE : 0);
}

void
emit_setrpc(struct emit *e, const struct ir_block *meet)
{
    if (e->anchor != ANCHOR_NONE) {
        emit_word(e, ventus_isa_setrpc(0, REG_T1, emit_from_anchor(e, meet)));
        return;
    }
    int32_t d = distance(e, meet);
    int32_t low = (int32_t)((uint32_t)d << 20) >> 20;
    emit_word(e, ventus_isa_auipc(
                     REG_T1, (int32_t)((uint32_t)(d - low) >> 12 & 0xfffff)));
    emit_word(e, ventus_isa_setrpc(0, REG_T1, low));
}

static unsigned
depth(const struct ir_block *b)
{
    return b->loop ? b->loop->depth : 0;
}

static void
put_branch(struct emit *e, const struct ir_block *b, const struct ir_insn *in,
           const struct ir_block *next)
{
    const struct ir_block *taken = emit_target(e, b->succ[0]);
    const struct ir_block *other = emit_target(e, b->succ[1]);
    unsigned op = in->op;
    bool into = !ir_is_vbranch(in) && taken != next && other != next &&
                depth(b->succ[1]) > depth(b->succ[0]);
    if (into) { /* the jump is out of the loop */
        const struct ir_block *swap = taken;
        op = inverse(op);
        taken = other;
        other = swap;
    }
    if (taken == next) {
        op = inverse(op);
        taken = other;
        other = next;
    }
    if (ir_is_vbranch(in))
        e->c->stats->branches_divergent++;
    else
        e->c->stats->branches_uniform++;
    struct ventus_isa_insn out = { .op = (uint16_t)op,
                                   .reg[1] = (uint8_t)reg(e, in->src[1]),
                                   .reg[2] = (uint8_t)reg(e, in->src[2]),
                                   .pair = in->pair };
    ventus_isa_add_prefix(e->target->isa, &out);
    int32_t prefix = out.prefix ? 4 : 0;
    if (!e->far[b->id]) {
        out.imm = distance(e, taken) - prefix;
        emit_word(e, out);
        jump(e, other, next);
        return;
    }
    out.imm = 8;
    emit_word(e, out);
    emit_word(e, ventus_isa_jal(0, distance(e, other)));
    emit_word(e, ventus_isa_jal(0, distance(e, taken)));
}

/* ra is in the last word of the stack in front of the function's own. */
int32_t
emit_ra_at(const struct emit *e)
{
    assert(e->f->stack_from && e->f->callees.n);
    return 4 * (int32_t)e->f->stack_from - 4;
}

/* rd = rs + x; by way of t1 if x is large. */
static void
put_sum(struct emit *e, unsigned rd, unsigned rs, int32_t x)
{
    if (x >= -2048 && x < 2048) {
        if (x || rd != rs)
            emit_word(e, ventus_isa_addi(rd, rs, x));
        return;
    }
    put_const(e, REG_T1, x);
    emit_word(e, ventus_isa_add(rd, rs, REG_T1));
}

/* Calls a function anywhere; one of another object with tp and sp after all that is
 * used here.  Changes t1, ra and rpc. */
static void
put_call(struct emit *e, const struct ir_insn *in)
{
    bool far = in->callee && in->callee->is_external;
    if (far) {
        put_sum(e, REG_TP, REG_TP, (int32_t)e->c->m->frame_B);
        put_sum(e, REG_SP, REG_SP, (int32_t)e->c->m->stack_B);
    }
    emit_word(e, ventus_isa_lui(REG_T1, 0));
    relocate(e, ELF_R_RISCV_HI20, in->symbol, 0);
    emit_word(e, ventus_isa_jalr(REG_RA, REG_T1, 0));
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
        emit_word(e, ventus_isa_add(rd, rd, REG_TP));
}

static void
put_return(struct emit *e)
{
    if (e->f->callees.n)
        emit_word(e, ventus_isa_lw(REG_RA, REG_SP, emit_ra_at(e)));
    emit_word(e, ventus_isa_jalr(0, REG_RA, 0));
}

bool
emit_has_code(const struct emit *e, const struct ir_insn *in)
{
    struct move moves[MOVES_MAX];
    switch (in->op) {
    case IR_UNDEF:
    case IR_ENTER:
        return false;
    case IR_JUMP:
    case IR_RET:
    case IR_CALL:
    case IR_CONST:
    case IR_UNWRITTEN:
    case IR_SYMBOL:
    case IR_FRAME:
        return true;
    }
    return ir_is_isa(in->op) || moves_of(e->f, in, moves, MOVES_MAX) > 0;
}

void
emit_insn(struct emit *e, const struct ir_block *b, const struct ir_insn *in,
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
    case IR_UNWRITTEN:
        put_const(e, reg(e, in->dst), 0);
        emit_word(e, ventus_isa_slti(0, reg(e, in->dst), HINT_UNWRITTEN));
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
        if (i + 1 < n && is_pair_move(e, &moves[i], &moves[i + 1]))
            put_pair_move(e, &moves[i++]);
        else
            put_move(e, &moves[i]);
}
