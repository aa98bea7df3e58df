/* SPDX-License-Identifier: Apache-2.0 */
/* Register allocation: rounds of building the interference graph, coalescing, colouring and
 * spilling, until all values have registers. */
#include <assert.h>
#include <string.h>

#include "cc/passes.h"
#include "cc/regalloc/color.h"
#include "cc/regalloc/graph.h"
#include "cc/regalloc/spill.h"

enum { PATIENT_ROUNDS = 8, ROUNDS = 64 };
enum { REG_SP = 2, REG_TP = 4, REG_T1 = 6 };

/*
 * The stack pointer is live everywhere without being defined; it has no node
 * in the graph because x2 is never assigned.
 */
static void
highest_registers(struct ir_func *f)
{
    f->sgprs = 11; /* the start code uses up to a0, x10 */
    f->vgprs = 0;
    for (ir_val v = 2; v < f->values.n; v++) {
        const struct ir_value *x = ir_value(f, v);
        if (x->reg < 0)
            continue;
        assert(x->reg + x->words <= (x->cls == IR_S ? 64 : 256));
        unsigned end = (unsigned)x->reg + x->words;
        if (x->cls == IR_S && end > f->sgprs)
            f->sgprs = end;
        if (x->cls == IR_V && end > f->vgprs)
            f->vgprs = end;
    }
}

/* Collects the registers that f or its callees write. */
static void
find_writes(struct ir_func *f)
{
    for (ir_val v = 2; v < f->values.n; v++) {
        const struct ir_value *x = ir_value(f, v);
        for (unsigned k = 0; x->reg >= 0 && k < x->words; k++) {
            unsigned r = (unsigned)x->reg + k;
            assert(r < (x->cls == IR_S ? 64 : 256));
            f->writes[x->cls][r / 64] |= UINT64_C(1) << r % 64;
        }
    }
    for (size_t i = 0; i < f->callees.n; i++) {
        const struct ir_func *g = f->callees.at[i];
        for (unsigned k = 0; k < 8; k++)
            f->writes[k / 4][k % 4] |= g->writes[k / 4][k % 4];
        f->sgprs = g->sgprs > f->sgprs ? g->sgprs : f->sgprs;
        f->vgprs = g->vgprs > f->vgprs ? g->vgprs : f->vgprs;
    }
}

/* Whether a result of the call is in the register. */
static bool
is_result(const struct ir_func *f, const struct ir_insn *call,
          enum ir_class cls, unsigned r)
{
    for (unsigned i = 0; i < call->n_out; i++) {
        const struct ir_value *x = ir_value(f, call->many[call->n_in + i]);
        if (x->cls == cls && r >= (unsigned)x->fixed &&
            r < (unsigned)x->fixed + x->words)
            return true;
    }
    return false;
}

/* Makes a call define every register that the function writes. */
static void
define_writes(struct ir_func *f, struct ir_insn *call)
{
    assert(call->op == IR_CALL && call->n_many == call->n_in + call->n_out);
    unsigned named = call->n_in + call->n_out;
    ir_val *many = arena_new(f->arena, ir_val, named + 64 + 256);
    for (unsigned i = 0; i < named; i++)
        many[i] = call->many[i];
    call->many = many;
    call->n_many = named;
    for (unsigned k = 0; k < 2; k++)
        for (unsigned r = 0; r < (k == IR_S ? 64 : 256); r++) {
            enum ir_class cls = (enum ir_class)k;
            bool special = cls == IR_S && (r == 0 || r == REG_SP ||
                                           r == REG_TP || r == REG_T1);
            if (special || !ir_call_writes(call, cls, r) ||
                is_result(f, call, cls, r))
                continue;
            ir_val v = ir_value_new(f, cls, 1);
            ir_value(f, v)->fixed = (int16_t)r;
            assert(call->n_many < named + 64 + 256);
            call->many[call->n_many++] = v;
        }
}

/* Raises call_vgprs to the vectors that arguments take: spill code needs others. */
static void
note_call_vgprs(struct ir_func *f, const struct ir_place *place, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (place[i].vreg + place[i].words > f->call_vgprs)
            f->call_vgprs = place[i].vreg + place[i].words;
}

/*
 * Lays out the frame.  No function calls itself, so each has one place for values that
 * are not in registers: after all arrays of private memory, and after the stack of its
 * callees, which were compiled before.
 */
static void
lay_out_frame(struct cc *c)
{
    struct ir_func *f = c->f;
    note_call_vgprs(f, f->params, f->n_params);
    note_call_vgprs(f, f->results, f->n_results);
    for (size_t i = 0; i < f->callees.n; i++) {
        const struct ir_func *g = f->callees.at[i];
        note_call_vgprs(f, g->params, g->n_params);
        note_call_vgprs(f, g->results, g->n_results);
    }
    uint32_t from = f->private_B;
    if (c->m && (f->is_function || f->callees.n) && c->m->arrays_B > from)
        from = c->m->arrays_B;
    for (size_t i = 0; i < f->callees.n; i++) {
        const struct ir_func *g = f->callees.at[i];
        assert(g != f && (g->is_external || g->form == IR_FORM_ALLOCATED));
        unsigned end = g->scalar_stack_B / 4;
        from = g->private_B > from ? g->private_B : from;
        f->stack_from = end > f->stack_from ? end : f->stack_from;
    }
    f->stack_from += f->callees.n > 0; /* for ra */
    assert(f->stack_from <= 256 && from % 4 == 0 &&
           "callees were compiled, their frames are known");
    f->scalar_stack_B = 4 * f->stack_from;
    f->private_B = f->arrays_B = from;
    ir_foreach_block (f, b)
        ir_foreach_insn (b, in)
            if (in->op == IR_CALL)
                define_writes(f, in);
}

/* Gives each value back the constraints that it had before values were merged. */
static void
restore_values(struct ra_graph *g, const struct ir_value *before, size_t n)
{
    assert(n <= g->f->values.n);
    for (ir_val v = 2; v < n; v++) {
        g->f->values.at[v].fixed = before[v].fixed;
        g->f->values.at[v].odd = before[v].odd;
        g->f->values.at[v].no_spill = before[v].no_spill;
    }
}

static bool
spills_any(const struct ra_graph *g, size_t n)
{
    for (ir_val v = 2; v < n; v++)
        if (g->node[v].spilled)
            return true;
    return false;
}

enum round { ALLOCATED, AGAIN, STUCK };

/* AGAIN: some values are spilled now; STUCK: there is none to spill. */
static enum round
try_round(struct ra_graph *g)
{
    size_t n = g->f->values.n;
    struct ir_value *before = arena_new(g->arena, struct ir_value, n);
    memcpy(before, g->f->values.at, n * sizeof *before);
    ra_build(g);
    if (!(g->c->options->off & CC_NO_COALESCE))
        ra_coalesce(g);
    bool done = ra_color(g);
    restore_values(g, before, n);
    if (done)
        return ALLOCATED;
    if (g->hurry && !spills_any(g, n))
        return STUCK;
    ra_spill(g);
    return AGAIN;
}

void
cc_allocate(struct cc *c)
{
    assert(c->f->form == IR_FORM_OUT_OF_SSA);
    struct ir_func *f = c->f;
    enum round last = AGAIN;
    ir_analyse(f);
    lay_out_frame(c);
    for (unsigned k = 0; k < ROUNDS && last == AGAIN && !c->sink->errors; k++) {
        struct arena arena = { 0 };
        struct ra_graph g = {
            .c = c, .f = f, .arena = &arena, .hurry = k >= PATIENT_ROUNDS
        };
        last = try_round(&g);
        arena_free(&arena);
    }
    if (last == ALLOCATED) {
        highest_registers(f);
        find_writes(f);
    } else if (!c->sink->errors)
        diag_report(c->sink, DIAG_ERROR, (struct diag_at){ 0 },
                    "kernel '%s': no registers left", f->name);
}
