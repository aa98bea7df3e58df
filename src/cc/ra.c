/* SPDX-License-Identifier: Apache-2.0 */
/* Flat form to register form: builds, merges, colours; spills until it fits. */
#include <string.h>

#include "cc/ra.h"

enum { PATIENT = 8, ROUNDS = 64 };

/*
 * The stack pointer is live everywhere without being defined; it has no node
 * in the graph because x2 is given to nobody.
 */
static void
highest_registers(struct ir_func *f)
{
    f->sgprs = 8; /* ra, sp, tp, t1 of the start code */
    f->vgprs = 0;
    for (ir_val v = 2; v < f->values.n; v++) {
        const struct ir_value *x = ir_value(f, v);
        if (x->reg < 0)
            continue;
        unsigned end = (unsigned)x->reg + x->words;
        if (x->cls == IR_S && end > f->sgprs)
            f->sgprs = end;
        if (x->cls == IR_V && end > f->vgprs)
            f->vgprs = end;
    }
}

/* What merged values must have goes back to each of them. */
static void
forget(struct ra_graph *g, const struct ir_value *before, size_t n)
{
    for (ir_val v = 2; v < n; v++) {
        g->f->values.at[v].fixed = before[v].fixed;
        g->f->values.at[v].odd = before[v].odd;
        g->f->values.at[v].no_spill = before[v].no_spill;
    }
}

/* True if all values have registers; else some are spilled now. */
static bool
try_round(struct ra_graph *g)
{
    size_t n = g->f->values.n;
    struct ir_value *before = arena_new(g->arena, struct ir_value, n);
    memcpy(before, g->f->values.at, n * sizeof *before);
    ra_build(g);
    if (!(g->c->options->off & CC_NO_COALESCE))
        ra_coalesce(g);
    bool done = ra_color(g);
    forget(g, before, n);
    if (!done)
        ra_spill(g);
    return done;
}

void
cc_allocate(struct cc *c)
{
    struct ir_func *f = c->f;
    bool done = false;
    ir_analyse(f);
    f->arrays_B = f->private_B;
    for (unsigned k = 0; k < ROUNDS && !done && !c->sink->errors; k++) {
        struct arena arena = { 0 };
        struct ra_graph g = {
            .c = c, .f = f, .arena = &arena, .hurry = k >= PATIENT
        };
        done = try_round(&g);
        arena_free(&arena);
    }
    if (done)
        highest_registers(f);
    else if (!c->sink->errors)
        diag_report(c->sink, DIAG_ERROR, (struct diag_at){ 0 },
                    "kernel '%s': no registers left", f->name);
}
