/* SPDX-License-Identifier: Apache-2.0 */
#include "cc/moves.h"

#include <assert.h>

enum { WORDS_MAX = 1024 };

struct list {
    const struct ir_func *f;
    struct move at[WORDS_MAX];
    unsigned n;
};

/* Adds the move of word k of the source to word j of the destination. */
static void
add_word(struct list *l, ir_val to, unsigned j, ir_val from, unsigned k)
{
    const struct ir_value *x = ir_value(l->f, to);
    assert(x->reg >= 0 && j < x->words && "registers are allocated");
    struct move m = { .to = (uint8_t)((unsigned)x->reg + j),
                      .to_class = x->cls };
    if (from == IR_NONE)
        return;
    if (from != IR_ZERO) {
        const struct ir_value *y = ir_value(l->f, from);
        assert(y->reg >= 0 && k < y->words);
        assert((y->cls == x->cls || y->cls == IR_S) && "no vector to a scalar");
        m.from = (uint8_t)((unsigned)y->reg + k);
        m.from_class = y->cls;
    }
    if (m.to == m.from && m.to_class == m.from_class)
        return;
    assert(l->n < WORDS_MAX);
    l->at[l->n++] = m;
}

static void
add_value(struct list *l, ir_val to, ir_val from)
{
    for (unsigned k = 0; k < ir_value(l->f, to)->words; k++)
        add_word(l, to, k, from, k);
}

static bool
is_read(const struct list *l, const bool *done, unsigned i)
{
    for (unsigned k = 0; k < l->n; k++)
        if (!done[k] && k != i && l->at[k].from == l->at[i].to &&
            l->at[k].from_class == l->at[i].to_class)
            return true;
    return false;
}

/* The group that a move is in: see moves.h. */
static unsigned
move_group(const struct move *m)
{
    if (m->to_class == IR_V)
        return m->from_class == IR_V ? 0 : 1;
    return 2;
}

/* Breaks a cycle: exchanges the two ends of a move; a move that reads one of them now
 * finds it in the other. */
static void
emit_exchange(struct list *l, bool *done, unsigned i, struct move *out)
{
    struct move m = l->at[i];
    assert(m.to_class == m.from_class && "scalars to vectors make no cycle");
    *out = m;
    out->swap = true;
    done[i] = true;
    for (unsigned k = 0; k < l->n; k++) {
        if (done[k] || move_group(&l->at[k]) != move_group(&m))
            continue;
        if (l->at[k].from == m.to)
            l->at[k].from = m.from;
        else if (l->at[k].from == m.from)
            l->at[k].from = m.to;
        if (l->at[k].from == l->at[k].to)
            done[k] = true;
    }
}

static unsigned
order_group(struct list *l, unsigned which, bool *done, struct move *out)
{
    unsigned n = 0;
    for (;;) {
        bool any = false, left = false;
        for (unsigned i = 0; i < l->n; i++) {
            if (done[i] || move_group(&l->at[i]) != which)
                continue;
            if (which != 1 && is_read(l, done, i)) {
                left = true;
                continue;
            }
            assert(n < l->n);
            done[i] = any = true;
            out[n++] = l->at[i];
        }
        if (!left)
            return n;
        for (unsigned i = 0; !any && i < l->n; i++)
            if (!done[i] && move_group(&l->at[i]) == which) {
                emit_exchange(l, done, i, &out[n++]);
                any = true;
            }
    }
}

unsigned
moves_of(const struct ir_func *f, const struct ir_insn *in, struct move *out,
         unsigned max)
{
    static _Thread_local struct list l;
    static _Thread_local bool done[WORDS_MAX];
    l.f = f;
    l.n = 0;
    switch (in->op) {
    case IR_COPY:
        add_value(&l, in->dst, in->src[1]);
        break;
    case IR_LO:
    case IR_HI:
        add_word(&l, in->dst, 0, in->src[1], in->op == IR_HI);
        break;
    case IR_PAIR:
        add_word(&l, in->dst, 0, in->src[1], 0);
        add_word(&l, in->dst, 1, in->src[2], 0);
        break;
    case IR_PARCOPY:
        for (unsigned i = 0; i < in->n_many; i += 2)
            add_value(&l, in->many[i], in->many[i + 1]);
        break;
    }
    for (unsigned i = 0; i < l.n; i++)
        done[i] = false;
    unsigned n = 0;
    assert(l.n <= max);
    (void)max;
    for (unsigned g = 0; g < 3; g++)
        n += order_group(&l, g, done, out + n);
    return n;
}
