/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Vector machine IR: instructions that express the pattern of their addresses.
 *
 *   v1 = vadd.vx v2, s3; v4 = vlw12.v v1     v4 = vluxei32.v s3, v2
 *   s1 = lw s3; v4 = copy s1                 v4 = vlse32.v s3, zero
 *
 * A uniform base with an offset for each lane needs no sum in a register, unless
 * another instruction uses the sum; an offset has 32 bits.  A word that only vectors
 * use is loaded to a vector register at once, with stride 0.  Accesses with an
 * immediate do not change, because these rows have none.
 *
 * Elements of an indexed access have SEW bits, so functions that compute with
 * halves or bytes keep their accesses.  docs/decisions/0011-access-patterns.md has
 * the reason why there is no vle32.
 */
#include <assert.h>

#include "cc/cc.h"
#include "cc/passes.h"

struct state {
    struct ir_func *f;
    unsigned *uses, *fit; /* by value: all uses; those that take a pattern */
    size_t n_values;
};

/* A word of global, constant or local memory, right at a vector's address. */
static bool
is_plain_access(const struct state *s, const struct ir_insn *in)
{
    if (in->op != VENTUS_ISA_VLW12_V && in->op != VENTUS_ISA_VSW12_V)
        return false;
    ir_val data = in->op == VENTUS_ISA_VSW12_V ? in->src[2] : in->dst;
    return !in->imm && !in->n_many && !in->masked && !in->is_volatile &&
           in->space != IR_SPACE_PRIVATE && data != in->src[1] &&
           ir_value(s->f, data)->words == 1;
}

/* base + offset of 32 bits, scalar and vector. */
static const struct ir_insn *
sum_of(const struct state *s, ir_val v)
{
    const struct ir_insn *def = ir_value(s->f, v)->def;
    return def && def->op == VENTUS_ISA_VADD_VX && !def->pair && !def->masked &&
                   !def->half && def->src[1] > IR_ZERO
               ? def
               : NULL;
}

static void
use_index(struct state *s, struct ir_insn *in)
{
    if (!is_plain_access(s, in) || s->fit[in->src[1]] != s->uses[in->src[1]])
        return;
    const struct ir_insn *sum = sum_of(s, in->src[1]);
    if (!sum)
        return;
    bool store = in->op == VENTUS_ISA_VSW12_V;
    in->op = store ? VENTUS_ISA_VSUXEI32_V : VENTUS_ISA_VLUXEI32_V;
    in->src[0] = store ? in->src[2] : (ir_val)IR_NONE;
    in->src[1] = sum->src[1];
    in->src[2] = sum->src[2];
}

static void
use_broadcast(struct state *s, struct ir_insn *copy)
{
    struct ir_insn *load =
        copy->op == IR_COPY ? ir_value(s->f, copy->src[1])->def : NULL;
    if (!load || load->op != VENTUS_ISA_LW || load->block != copy->block ||
        load->imm || load->n_many || load->is_volatile || copy->half ||
        load->spill || load->src[1] <= IR_ZERO || s->uses[load->dst] != 1 ||
        ir_value(s->f, copy->dst)->cls != IR_V ||
        ir_value(s->f, load->dst)->fixed >= 0 ||
        ir_value(s->f, copy->dst)->fixed >= 0)
        return;
    assert(load->space != IR_SPACE_PRIVATE &&
           "no scalar load reads private memory");
    ir_val dst = copy->dst;
    ir_remove(copy);
    load->op = VENTUS_ISA_VLSE32_V;
    load->src[2] = IR_ZERO;
    ir_set_dst(s->f, load, dst);
}

static bool
has_narrow_elements(const struct ir_func *f)
{
    ir_foreach_block (f, b)
        ir_foreach_insn (b, in)
            if (in->half)
                return true;
    return false;
}

static void
count_uses(struct state *s)
{
    ir_val **at = arena_new(s->f->arena, ir_val *, ir_max_sources(s->f));
    s->uses = arena_new(s->f->arena, unsigned, s->f->values.n);
    s->fit = arena_new(s->f->arena, unsigned, s->f->values.n);
    ir_foreach_block (s->f, b)
        ir_foreach_insn (b, in) {
            for (unsigned i = ir_sources(in, at); i-- > 0;)
                s->uses[*at[i]]++;
            if (is_plain_access(s, in))
                s->fit[in->src[1]]++;
        }
}

void
cc_addressing(struct cc *c)
{
    assert(c->f->form == IR_FORM_VECTOR);
    struct state s = { .f = c->f };
    if (c->options->profile == CC_PROFILE_UPSTREAM)
        return;
    count_uses(&s);
    bool narrow = has_narrow_elements(s.f);
    ir_foreach_block (s.f, b)
        ir_foreach_insn_safe (b, in) {
            use_broadcast(&s, in);
            if (!narrow && in->block)
                use_index(&s, in);
        }
    cc_dce(c);
}
