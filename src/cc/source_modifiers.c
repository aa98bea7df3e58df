/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Vector machine IR: absolute values and negatives of floating-point sources go
 * into the instruction that takes them, where the target has prefixes for that.
 *
 *   v2 = vfsgnjx.vv v1, v1; v4 = vfadd.vv v3, v2     v4 = vfadd.vv v3, |v1|
 *   v2 = vfsgnjn.vv v1, v1; v4 = vfmin.vv v2, v3     v4 = vfmin.vv -v1, v3
 *
 * A prefix is a word, like the sign instruction.  So it pays if the value has one
 * user, or if all users operate on pairs and have a prefix anyway.
 */
#include <assert.h>

#include "cc/cc.h"
#include "cc/passes.h"

struct state {
    struct ir_func *f;
    unsigned *uses, *fit; /* by value: all; those that could take the sign */
    bool *single;         /* some use is no pair */
};

static bool
takes_signs(unsigned op)
{
    return ir_flags(op) & VENTUS_ISA_F_SIGNS;
}

/* Source `slot` of `in`, as a number of the format of the instruction. */
static bool
fits(const struct state *s, const struct ir_insn *in, unsigned slot)
{
    return takes_signs(in->op) && in->src[slot] > IR_ZERO && !in->masked &&
           !in->half && ir_value(s->f, in->src[slot])->words == 1u + in->pair;
}

/* |x| or -x, by x with its own sign in place of it. */
static const struct ir_insn *
sign_of(const struct state *s, ir_val v)
{
    const struct ir_insn *def = ir_value(s->f, v)->def;
    if (!def || def->masked || def->half || def->abs || def->neg ||
        def->src[1] <= IR_ZERO || def->src[1] != def->src[2])
        return NULL;
    switch (def->op) {
    case VENTUS_ISA_FSGNJX_S:
    case VENTUS_ISA_FSGNJN_S:
    case VENTUS_ISA_VFSGNJX_VV:
    case VENTUS_ISA_VFSGNJN_VV:
        return def;
    }
    return NULL;
}

/* Takes a sign into the modifiers of a source: of one that has a sign already -|x| is
 * that, |-x| and |(|x|)| are |x|. */
static void
take_sign(struct ir_insn *in, unsigned slot, const struct ir_insn *sign)
{
    uint8_t bit = (uint8_t)(1u << (slot - 1));
    bool absolute =
        sign->op == VENTUS_ISA_FSGNJX_S || sign->op == VENTUS_ISA_VFSGNJX_VV;
    if (absolute)
        in->abs |= bit;
    else if (!(in->abs & bit))
        in->neg ^= bit;
    in->src[slot] = sign->src[1];
}

static bool
pays(const struct state *s, ir_val v)
{
    return s->fit[v] == s->uses[v] && (s->uses[v] == 1 || !s->single[v]);
}

static void
count(struct state *s)
{
    ir_val **at = arena_new(s->f->arena, ir_val *, ir_max_sources(s->f));
    s->uses = arena_new(s->f->arena, unsigned, s->f->values.n);
    s->fit = arena_new(s->f->arena, unsigned, s->f->values.n);
    s->single = arena_new(s->f->arena, bool, s->f->values.n);
    ir_foreach_block (s->f, b)
        ir_foreach_insn (b, in) {
            for (unsigned i = ir_sources(in, at); i-- > 0;)
                s->uses[*at[i]]++;
            for (unsigned slot = 1; slot < 3; slot++)
                if (fits(s, in, slot)) {
                    s->fit[in->src[slot]]++;
                    s->single[in->src[slot]] |= !in->pair;
                }
        }
}

void
cc_source_modifiers(struct cc *c)
{
    assert(c->f->form == IR_FORM_VECTOR);
    struct state s = { .f = c->f };
    if (!cc_target_or_v1(c->options->target)->source_signs)
        return;
    count(&s);
    ir_foreach_block (s.f, b)
        ir_foreach_insn (b, in)
            for (unsigned slot = 1; slot < 3; slot++) {
                const struct ir_insn *sign;
                while (fits(&s, in, slot) && pays(&s, in->src[slot]) &&
                       (sign = sign_of(&s, in->src[slot])))
                    take_sign(in, slot, sign);
            }
    cc_dce(c);
}
