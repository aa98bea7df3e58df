/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The invariants of every function, and those of each form (ir.h):
 *
 *   all       blocks end in their only terminator; predecessors match
 *             successors; all operands exist; scalar slots hold class S,
 *             vector slots class V; only instructions with `pair` have pairs
 *   SSA       one definition, which dominates every use; phis come first
 *   register  every value that is used has a register; pairs are even
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "ir/text.h"

struct check {
    struct ir_func *f;
    enum ir_form form;
    const char *error;
    unsigned *place; /* position in its block, by instruction that defines */
};

static void
violation(struct check *c, const struct ir_block *b, const struct ir_insn *in,
          const char *what)
{
    if (c->error)
        return;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return;
    fprintf(out, "%s: b%u: %s", c->f->name, b ? b->id : 0, what);
    if (in) {
        fputs(": ", out);
        ir_print_insn(c->f, in, out);
    }
    fclose(out);
    c->error = arena_strndup(c->f->arena, text, size);
    free(text);
}

static void
check_shape(struct check *c, struct ir_block *b)
{
    if (!b->last || !ir_is_terminator(b->last)) {
        violation(c, b, b->last, "does not end in a terminator");
        return;
    }
    bool phis = true;
    ir_foreach_insn (b, in) {
        if (in->block != b)
            violation(c, b, in, "names another block");
        if (ir_is_terminator(in) && in != b->last)
            violation(c, b, in, "terminator inside a block");
        if (in->op == IR_PHI && !phis)
            violation(c, b, in, "phi after another instruction");
        if (in->op == IR_PHI && in->n_many != b->preds.n)
            violation(c, b, in, "phi without a source for each predecessor");
        if (in->op == IR_PHI && c->form >= IR_FORM_OUT_OF_SSA)
            violation(c, b, in, "phi out of SSA");
        phis &= in->op == IR_PHI;
    }
    unsigned n = ir_is_branch(b->last) ? 2 : b->last->op == IR_JUMP ? 1 : 0;
    for (unsigned k = 0; k < 2; k++)
        if ((b->succ[k] != NULL) != (k < n))
            violation(c, b, b->last, "wrong number of successors");
}

static void
check_edges(struct check *c, struct ir_block *b)
{
    for (unsigned k = 0; k < 2 && b->succ[k]; k++) {
        unsigned there = 0,
                 here = (b->succ[0] == b->succ[k]) + (b->succ[1] == b->succ[k]);
        for (size_t i = 0; i < b->succ[k]->preds.n; i++)
            there += b->succ[k]->preds.at[i] == b;
        if (there != here)
            violation(c, b, b->last, "predecessors do not match successors");
    }
    for (size_t i = 0; i < b->preds.n; i++)
        if (b->preds.at[i]->succ[0] != b && b->preds.at[i]->succ[1] != b)
            violation(c, b, NULL, "a predecessor does not branch here");
}

static void
check_class(struct check *c, struct ir_insn *in, ir_val v, int kind)
{
    if (v >= c->f->values.n) {
        violation(c, in->block, in, "no such value");
        return;
    }
    const struct ir_value *value = ir_value(c->f, v);
    if (kind == VENTUS_ISA_KIND_X && value->cls != IR_S)
        violation(c, in->block, in, "vector where a scalar is expected");
    if (c->form != IR_FORM_SCALAR && kind == VENTUS_ISA_KIND_A &&
        value->cls != IR_V)
        violation(c, in->block, in, "scalar where a vector is expected");
    if (kind == VENTUS_ISA_KIND_V && value->cls != IR_V &&
        c->form != IR_FORM_SCALAR)
        violation(c, in->block, in, "scalar where a vector is expected");
    if (value->words == 2 && !in->pair)
        violation(c, in->block, in, "pair in a 32-bit instruction");
}

/* Checks arguments or results: as many values as locations, of the same number of
 * words; scalars only for scalars. */
static void
check_places(struct check *c, struct ir_insn *in, const ir_val *v, unsigned n,
             const struct ir_place *place, unsigned n_places)
{
    if (n != n_places)
        violation(c, in->block, in, "another number of parameters or results");
    for (unsigned i = 0; i < n && i < n_places; i++) {
        const struct ir_value *x = ir_value(c->f, v[i]);
        if (v[i] == IR_ZERO)
            continue;
        if (x->words != place[i].words)
            violation(c, in->block, in, "parameter or result of another size");
        if (c->form < IR_FORM_OUT_OF_SSA)
            continue;
        if (x->cls != (place[i].sreg ? IR_S : IR_V) ||
            x->fixed != (place[i].sreg ? place[i].sreg : place[i].vreg))
            violation(c, in->block, in, "not where the function expects it");
    }
}

static void
check_call(struct check *c, struct ir_insn *in)
{
    const struct ir_func *f = in->op == IR_CALL ? in->callee : c->f;
    /* The text of an IR file may say anything. */
    if (!f || (in->op != IR_CALL && !f->is_function))
        return;
    if (in->op == IR_ENTER && in != c->f->blocks.at[0]->first)
        violation(c, in->block, in, "not at the start of the function");
    if (in->op == IR_CALL)
        check_places(c, in, in->many, in->n_in, f->params, f->n_params);
    if (in->op == IR_RET)
        check_places(c, in, in->many, in->n_in, f->results, f->n_results);
    if (in->op == IR_CALL)
        check_places(c, in, in->many + in->n_in, in->n_out, f->results,
                     f->n_results);
    if (in->op == IR_ENTER)
        check_places(c, in, in->many, in->n_out, f->params, f->n_params);
}

/* Checks the operands of loads and stores of several words. */
static void
check_row(struct check *c, struct ir_insn *in)
{
    ir_val first = ir_is_store(in) ? in->src[2] : in->dst;
    if (in->n_many && (!(ir_is_load(in) || ir_is_store(in)) || !first ||
                       in->n_many != in->n_in + in->n_out ||
                       (ir_is_store(in) ? in->n_out : in->n_in))) {
        violation(c, in->block, in, "operand missing or too many");
        return;
    }
    const struct ir_value *before = ir_value(c->f, first);
    for (unsigned i = 0; i < in->n_many; i++) {
        const struct ir_value *x = ir_value(c->f, in->many[i]);
        if (in->many[i] <= IR_ZERO || x->cls != before->cls)
            violation(c, in->block, in, "values of several classes in a row");
        if (x->words == 2 && !in->pair)
            violation(c, in->block, in, "pair in a 32-bit instruction");
        if (c->form == IR_FORM_ALLOCATED &&
            x->reg != before->reg + before->words)
            violation(c, in->block, in, "values are not in registers in a row");
        before = x;
    }
}

static void
check_operands(struct check *c, struct ir_insn *in)
{
    if (in->op == IR_CALL || in->op == IR_ENTER || in->op == IR_RET)
        check_call(c, in);
    if (!ir_is_isa(in->op)) {
        enum ventus_isa_slot slots[8];
        unsigned n = ir_written_slots(in->op, slots);
        for (unsigned i = 0; i < n; i++)
            if (!in->src[slots[i]])
                violation(c, in->block, in, "operand missing");
        if (in->op == IR_COPY && c->form != IR_FORM_SCALAR &&
            ir_value(c->f, in->dst)->cls == IR_S &&
            ir_value(c->f, in->src[1])->cls == IR_V)
            violation(c, in->block, in, "copy of a vector to a scalar");
        return;
    }
    for (unsigned slot = 0; slot < 4; slot++) {
        int kind = ir_slot_kind(in->op, (enum ventus_isa_slot)slot);
        bool reads = kind == VENTUS_ISA_KIND_X || kind == VENTUS_ISA_KIND_V ||
                     kind == VENTUS_ISA_KIND_A;
        if (slot == 0)
            reads = ir_reads_d(in->op) || (in->masked && in->dst);
        if (reads != (in->src[slot] != IR_NONE))
            violation(c, in->block, in, "operand missing or too many");
        else if (reads)
            check_class(c, in, in->src[slot],
                        ir_slot_kind(in->op, (enum ventus_isa_slot)slot));
    }
    check_row(c, in);
    /* An unused scalar result is written to x0. */
    if (!in->dst &&
        ir_slot_kind(in->op, VENTUS_ISA_SLOT_D) == VENTUS_ISA_KIND_X)
        return;
    if (ir_writes_d(in->op) != (in->dst != IR_NONE))
        violation(c, in->block, in, "result missing or too many");
    else if (in->dst)
        check_class(c, in, in->dst, ir_slot_kind(in->op, VENTUS_ISA_SLOT_D));
}

/* Checks that each value has one definition, which dominates its uses. */
static void
check_ssa_insn(struct check *c, struct ir_insn *in, ir_val **at)
{
    struct ir_func *f = c->f;
    for (unsigned i = ir_defs(in, at); i-- > 0;)
        if (ir_value(f, *at[i])->def != in)
            violation(c, in->block, in, "defined elsewhere too");
    unsigned n = ir_sources(in, at);
    for (unsigned i = 0; i < n; i++) {
        ir_val v = *at[i];
        if (v == IR_ZERO || (v == IR_NONE && in->op != IR_PHI))
            continue;
        if (v >= f->values.n || v == IR_NONE || !ir_value(f, v)->def ||
            !ir_value(f, v)->def->block) {
            violation(c, in->block, in, "uses a value without definition");
            continue;
        }
        const struct ir_insn *def = ir_value(f, v)->def;
        if (!def->block->reachable)
            continue;
        const struct ir_block *user =
            in->op == IR_PHI ? in->block->preds.at[i] : in->block;
        if (in->op == IR_PHI
                ? user->reachable && !ir_dominates(def->block, user)
                : !ir_dominates(def->block, user))
            violation(c, in->block, in, "definition does not dominate the use");
        if (in->op != IR_PHI && def->block == in->block &&
            c->place[v] >= c->place[0])
            violation(c, in->block, in, "used before it is defined");
    }
}

static void
check_ssa(struct check *c, ir_val **at)
{
    struct ir_func *f = c->f;
    unsigned n = 1;
    c->place = arena_new(f->arena, unsigned, f->values.n);
    ir_foreach_block (f, b)
        ir_foreach_insn (b, in) {
            n++;
            for (unsigned i = ir_defs(in, at); i-- > 0;)
                c->place[*at[i]] = n;
        }
    n = 1;
    ir_foreach_block (f, b)
        ir_foreach_insn (b, in) {
            c->place[0] = ++n;
            if (b->reachable)
                check_ssa_insn(c, in, at);
        }
}

static void
check_register(struct check *c, struct ir_insn *in, ir_val v)
{
    const struct ir_value *value = ir_value(c->f, v);
    if (v <= IR_ZERO)
        return;
    if (value->reg < 0)
        violation(c, in->block, in, "value without a register");
    else if (value->words == 2 && value->reg % 2)
        violation(c, in->block, in, "pair on an odd register");
    else if (value->fixed >= 0 && value->fixed != value->reg)
        violation(c, in->block, in, "not in the register it must have");
}

const char *
ir_validate(struct ir_func *f, enum ir_form form)
{
    struct check c = { .f = f, .form = form };
    ir_foreach_block (f, b) {
        check_shape(&c, b);
        check_edges(&c, b);
    }
    if (c.error)
        return c.error;
    ir_analyse(f);
    struct arena_mark mark = arena_mark(f->arena);
    ir_val **at = arena_new(f->arena, ir_val *, ir_max_sources(f));
    ir_foreach_block (f, b)
        ir_foreach_insn (b, in) {
            check_operands(&c, in);
            if (form < IR_FORM_ALLOCATED)
                continue;
            for (unsigned i = ir_sources(in, at); i-- > 0;)
                check_register(&c, in, *at[i]);
            for (unsigned i = ir_defs(in, at); i-- > 0;)
                check_register(&c, in, *at[i]);
        }
    if (form <= IR_FORM_VECTOR && !c.error)
        check_ssa(&c, at);
    if (!c.error)
        arena_reset(f->arena, mark);
    return c.error;
}
