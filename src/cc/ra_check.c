/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Register form: an independent check of the allocation.  It knows nothing of
 * liveness or interference: it runs the function forwards over an abstract
 * register file, in which every register holds the values that were last put
 * there on all paths, by the logical flow for vectors and by the physical one
 * for scalars, and looks whether each operand is where it is expected.
 *
 * A value that was not defined yet counts as being in its register: edges of
 * the physical flow make paths that no warp takes, on which it is undefined.
 * That definitions dominate uses was checked before, in SSA form.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "cc/cc.h"
#include "cc/live.h"

struct check {
    struct ir_func *f;
    size_t words;
    uint64_t **in; /* by block: values that are in their registers */
    uint64_t *holders[2][258]; /* by class and register: values put there */
    uint64_t *scalars;
    const char *error;
};

static void
fail(struct check *c, const struct ir_insn *in, ir_val v)
{
    if (c->error)
        return;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return;
    fprintf(out, "%s: b%u: value %u is not in its register: ", c->f->name,
            in->block->id, v);
    ir_print_insn(c->f, in, out);
    fclose(out);
    c->error = arena_strndup(c->f->arena, text, size);
    free(text);
}

/* `v` is written; `keep` are the values that stay right by it (copies). */
static void
write(struct check *c, uint64_t *now, ir_val v, const uint64_t *keep)
{
    const struct ir_value *x = ir_value(c->f, v);
    for (unsigned k = 0; k < x->words; k++) {
        const uint64_t *gone = c->holders[x->cls][x->reg + (int)k];
        for (size_t w = 0; w < c->words; w++)
            now[w] &= ~(gone[w] & ~(keep ? keep[w] : 0));
    }
    live_add(now, v);
}

static void
use(struct check *c, const struct ir_insn *in, const uint64_t *now, ir_val v)
{
    if (v > IR_ZERO && !live_has(now, v))
        fail(c, in, v);
}

static bool
same_register(const struct check *c, ir_val a, ir_val b)
{
    if (a <= IR_ZERO || b <= IR_ZERO)
        return false;
    const struct ir_value *x = ir_value(c->f, a), *y = ir_value(c->f, b);
    return x->cls == y->cls && x->words == y->words && x->reg == y->reg;
}

static void
step(struct check *c, struct ir_insn *in, uint64_t *now, bool report,
     ir_val **at, uint64_t *keep)
{
    unsigned n = ir_sources(in, at);
    for (unsigned i = 0; report && i < n; i++)
        use(c, in, now, *at[i]);
    n = ir_defs(in, at);
    if (in->op == IR_PARCOPY) {
        /* all sources were read before anything is written */
        for (unsigned i = 0; i < n; i++) {
            memset(keep, 0, c->words * sizeof *keep);
            ir_val from = in->many[2 * i + 1];
            if (same_register(c, *at[i], from) && live_has(now, from))
                live_add(keep, from);
            for (unsigned k = 0; k < i; k++)
                if (same_register(c, *at[i], *at[k]))
                    fail(c, in, *at[i]);
            write(c, now, *at[i], keep);
        }
        return;
    }
    for (unsigned i = 0; i < n; i++) {
        memset(keep, 0, c->words * sizeof *keep);
        if (in->op == IR_COPY && same_register(c, in->dst, in->src[1]) &&
            live_has(now, in->src[1]))
            live_add(keep, in->src[1]);
        write(c, now, *at[i], keep);
    }
}

static void
meet(struct check *c, uint64_t *to, const uint64_t *from, bool only_scalars)
{
    for (size_t w = 0; w < c->words; w++)
        to[w] &= from[w] | (only_scalars ? ~c->scalars[w] : 0);
}

static void
prepare(struct check *c)
{
    struct ir_func *f = c->f;
    c->scalars = arena_new(f->arena, uint64_t, c->words);
    for (unsigned cls = 0; cls < 2; cls++)
        for (unsigned r = 0; r < 258; r++)
            c->holders[cls][r] = arena_new(f->arena, uint64_t, c->words);
    for (ir_val v = 2; v < f->values.n; v++) {
        const struct ir_value *x = ir_value(f, v);
        if (x->cls == IR_S)
            live_add(c->scalars, v);
        for (unsigned k = 0; k < x->words && x->reg >= 0; k++)
            live_add(c->holders[x->cls][x->reg + (int)k], v);
    }
}

const char *
cc_check_registers(struct cc *cc)
{
    struct ir_func *f = cc->f;
    struct check c = { .f = f, .words = (f->values.n + 63) / 64 };
    ir_analyse(f);
    struct live_edges *extra = live_edges(f);
    prepare(&c);
    ir_val **at = arena_new(f->arena, ir_val *, ir_max_sources(f));
    uint64_t *now = arena_new(f->arena, uint64_t, c.words);
    uint64_t *keep = arena_new(f->arena, uint64_t, c.words);
    uint64_t **out = arena_new(f->arena, uint64_t *, f->blocks.n);
    c.in = arena_new(f->arena, uint64_t *, f->blocks.n);
    ir_foreach_block (f, b) {
        out[b->id] = arena_new(f->arena, uint64_t, c.words);
        memset(out[b->id], 0xff, c.words * sizeof *now);
    }
    for (unsigned last = 0, changed = 1; changed || last < 1;) {
        last = !changed; /* once more, to report */
        changed = 0;
        ir_foreach_rpo (f, b) {
            memset(now, 0xff, c.words * sizeof *now);
            for (size_t p = 0; p < b->preds.n; p++)
                if (b->preds.at[p]->reachable)
                    meet(&c, now, out[b->preds.at[p]->id], false);
            for (size_t p = 0; p < extra[b->id].from.n; p++)
                meet(&c, now, out[extra[b->id].from.at[p]->id], true);
            ir_foreach_insn (b, in)
                step(&c, in, now, last, at, keep);
            if (memcmp(now, out[b->id], c.words * sizeof *now) != 0) {
                memcpy(out[b->id], now, c.words * sizeof *now);
                changed = 1;
            }
        }
        if (last)
            break;
    }
    return c.error;
}
