/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Warnings about code that is slow or wrong on this machine, from scalar machine IR
 * after the divergence analysis:
 *
 *   divergent-barrier  a barrier on one side of a branch at which the threads
 *                      of a warp may diverge: the others never reach it
 *   uncoalesced        neighbours access global memory so far apart that each
 *                      needs a line of its own, and the distance is known
 *   private-memory     arrays and spilled registers of a thread take more
 *                      than a few lines; known after register allocation
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "cc/cc.h"
#include "cc/passes.h"
#include "cc/regions.h"
#include "cc/warn.h"

enum {
    FAR_B = 64,      /* from one thread to the next */
    LINE_B = 128,    /* what a warp's access is made of */
    PRIVATE_B = 1024 /* of a thread */
};

static const char *
line_text(const char *s, uint32_t line)
{
    while (s && --line) {
        s = strchr(s, '\n');
        if (s)
            s++;
    }
    return s;
}

/* Line tables may name the source from the current folder on. */
static bool
is_source(const struct cc_module *m, const char *name)
{
    size_t n = strlen(name), all = strlen(m->file);
    return n <= all && strcmp(m->file + all - n, name) == 0 &&
           (n == all || m->file[all - n - 1] == '/');
}

struct diag_at
cc_source_at(const struct cc_module *m, unsigned file, unsigned line,
             unsigned col)
{
    struct diag_at at = { .file = m->file };
    if (!line || file >= m->files.n)
        return at;
    at.file = m->files.at[file].name;
    at.line = line;
    at.col = col;
    if (m->options->source && is_source(m, at.file))
        at.line_text = line_text(m->options->source, line);
    return at;
}

static struct diag_at
source_of(const struct cc *c, const struct ir_insn *in)
{
    return cc_source_at(c->m, in->file, in->line, in->column);
}

static bool
is_off(const struct cc *c, unsigned warning)
{
    return !c->m || c->options->no_warn & warning;
}

/* ---- barriers ---- */

/* Whether the lanes of a warp may disagree at the end of b. */
static bool
branch_divides(const struct ir_func *f, const struct ir_block *b)
{
    for (unsigned i = 1; i <= 2; i++) {
        ir_val v = b->last->src[i];
        if (v && ir_value(f, v)->divergent)
            return true;
    }
    return false;
}

/* Marks the blocks where only some threads of a warp may be. */
static bool *
divided_blocks(struct cc *c)
{
    struct ir_func *f = c->f;
    bool *divided = arena_new(f->arena, bool, f->blocks.n);
    struct region r = region_begin(f->arena, f);
    ir_foreach_block (f, b) {
        if (!b->succ[1] || !branch_divides(f, b))
            continue;
        region_find(&r, b);
        for (unsigned k = 0; k < 2; k++)
            for (size_t i = 0; i < r.n[k]; i++)
                divided[r.side[k][i]->id] = true;
    }
    return divided;
}

static void
warn_barriers(struct cc *c)
{
    bool *divided = NULL;
    ir_foreach_block (c->f, b)
        ir_foreach_insn (b, in) {
            if (in->op != VENTUS_ISA_BARRIER)
                continue;
            if (!divided)
                divided = divided_blocks(c);
            if (divided[b->id])
                diag_report(c->sink, DIAG_WARNING, source_of(c, in),
                            "barrier where the work-items of a workgroup may "
                            "have parted: those that do not come here make "
                            "the others wait for ever [-Wdivergent-barrier]");
        }
}

/* ---- distances ---- */

enum { UNKNOWN = INT32_MIN, DEPTH = 24 };

static int32_t
distance(struct cc *c, ir_val v, unsigned depth);

static bool
is_constant(struct cc *c, ir_val v, int32_t *x)
{
    const struct ir_insn *def = ir_value(c->f, v)->def;
    if (v == IR_ZERO)
        *x = 0;
    else if (def && def->op == IR_CONST)
        *x = def->imm;
    else
        return false;
    return true;
}

/* The distance of a product or shift of in's first source by a constant. */
static int32_t
scaled_distance(struct cc *c, const struct ir_insn *in, unsigned depth)
{
    int32_t by, a = distance(c, in->src[1], depth);
    ir_val other = in->src[2];
    if (a == 0 && in->op == VENTUS_ISA_MUL) { /* uniform times whatever */
        a = distance(c, in->src[2], depth);
        other = in->src[1];
    }
    if (a == UNKNOWN || a == 0)
        return a;
    if (in->op == VENTUS_ISA_SLLI)
        by = in->imm;
    else if (!is_constant(c, other, &by))
        return UNKNOWN;
    int64_t r = in->op == VENTUS_ISA_MUL
                    ? (int64_t)a * by
                    : (int64_t)a * ((int64_t)1 << (by & 31));
    return llabs(r) < 1 << 30 ? (int32_t)r : UNKNOWN;
}

/* The distance that all divergent sources have in common. */
static int32_t
common_distance(struct cc *c, const ir_val *v, unsigned n, unsigned depth)
{
    int32_t all = UNKNOWN;
    for (unsigned i = 0; i < n; i++) {
        int32_t d = distance(c, v[i], depth);
        if (d == UNKNOWN || (all != UNKNOWN && d != all))
            return UNKNOWN;
        all = d;
    }
    return all;
}

/*
 * The difference of v between neighbouring threads of a row of work-items; UNKNOWN if
 * it is not one number.  Numbers of threads are divided by the width of the row: the
 * quotient is the same in all of it.
 */
static int32_t
distance(struct cc *c, ir_val v, unsigned depth)
{
    const struct ir_value *x = ir_value(c->f, v);
    const struct ir_insn *in = x->def;
    if (v == IR_ZERO || !x->divergent)
        return 0;
    if (!in || depth == 0)
        return UNKNOWN;
    int32_t a, b;
    switch (in->op) {
    case VENTUS_ISA_VID_V:
        return 1;
    case IR_COPY:
    case VENTUS_ISA_ADDI:
        return distance(c, in->src[1], depth - 1);
    case VENTUS_ISA_DIVU:
    case VENTUS_ISA_REMU: /* by the width of a row, see above */
        a = distance(c, in->src[1], depth - 1);
        if (a != 1 || ir_value(c->f, in->src[2])->divergent)
            return UNKNOWN;
        return in->op == VENTUS_ISA_REMU;
    case VENTUS_ISA_ADD:
    case VENTUS_ISA_SUB:
        a = distance(c, in->src[1], depth - 1);
        b = distance(c, in->src[2], depth - 1);
        if (a == UNKNOWN || b == UNKNOWN)
            return UNKNOWN;
        return in->op == VENTUS_ISA_ADD ? a + b : a - b;
    case VENTUS_ISA_MUL:
    case VENTUS_ISA_SLL:
    case VENTUS_ISA_SLLI:
        return scaled_distance(c, in, depth - 1);
    case IR_SELECT:
        return common_distance(c, in->src + 2, 2, depth - 1);
    case IR_PHI:
        return common_distance(c, in->many, in->n_many, depth - 1);
    default:
        return UNKNOWN;
    }
}

static void
warn_uncoalesced(struct cc *c)
{
    uint32_t last = 0;
    ir_foreach_block (c->f, b)
        ir_foreach_insn (b, in) {
            if (in->space != IR_SPACE_GLOBAL || in->line == last ||
                !(ir_is_load(in) || ir_is_store(in)))
                continue;
            int32_t d = distance(c, in->src[1], DEPTH);
            if (d == UNKNOWN || abs(d) < FAR_B)
                continue;
            assert(d != 0 && "uniform addresses are one line");
            last = in->line;
            diag_report(c->sink, DIAG_WARNING, source_of(c, in),
                        "work-items next to each other access global memory "
                        "%d bytes apart, so that a warp needs %d lines of %d "
                        "bytes for every 32 of them [-Wuncoalesced]",
                        abs(d), abs(d) >= LINE_B ? 32 : 32 * abs(d) / LINE_B,
                        LINE_B);
        }
}

void
cc_warn(struct cc *c)
{
    assert(c->f->form == IR_FORM_SCALAR);
    if (c->f->is_function) /* what is divergent depends on the caller */
        return;
    if (!is_off(c, CC_WARN_BARRIER))
        warn_barriers(c);
    if (!is_off(c, CC_WARN_UNCOALESCED))
        warn_uncoalesced(c);
}

void
cc_warn_private(struct cc *c)
{
    const struct ir_insn *first = NULL;
    ir_foreach_block (c->f, b)
        ir_foreach_insn (b, in)
            if (in->line && (!first || in->line < first->line))
                first = in;
    if (is_off(c, CC_WARN_PRIVATE) || c->f->private_B <= PRIVATE_B)
        return;
    struct diag_at at = { .file = c->m->file };
    diag_report(c->sink, DIAG_WARNING, first ? source_of(c, first) : at,
                "kernel '%s': %u bytes of private memory for each work-item, "
                "%u of them spilled registers [-Wprivate-memory]",
                c->f->name, c->f->private_B, c->stats->spill_B);
}
