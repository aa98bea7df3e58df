/* SPDX-License-Identifier: Apache-2.0 */
#include "ir/ir.h"

#include <assert.h>

struct ir_func *
ir_func_new(struct arena *a, const char *name)
{
    struct ir_func *f = arena_new(a, struct ir_func, 1);
    f->arena = a;
    f->name = name;
    vec_push(a, &f->values, (struct ir_value){ .fixed = -1, .reg = -1 });
    vec_push(a, &f->values, (struct ir_value){ .words = 1 });
    return f;
}

struct ir_block *
ir_block_new(struct ir_func *f)
{
    struct ir_block *b = arena_new(f->arena, struct ir_block, 1);
    b->func = f;
    b->id = (unsigned)f->blocks.n;
    vec_push(f->arena, &f->blocks, b);
    return b;
}

ir_val
ir_value_new(struct ir_func *f, enum ir_class cls, unsigned words)
{
    assert(cls <= IR_V && (words == 1 || words == 2));
    assert(f->values.n < UINT32_MAX && "an ir_val can name each value");
    vec_push(f->arena, &f->values,
             (struct ir_value){ .cls = (uint8_t)cls,
                                .words = (uint8_t)words,
                                .fixed = -1,
                                .reg = -1 });
    return (ir_val)(f->values.n - 1);
}

ir_val
ir_value_like(struct ir_func *f, ir_val v)
{
    struct ir_value old = *ir_value(f, v);
    ir_val n = ir_value_new(f, old.cls, old.words);
    ir_value(f, n)->divergent = old.divergent;
    return n;
}

struct ir_insn *
ir_insn_new(struct ir_func *f, unsigned op)
{
    assert(op < IR_OP_COUNT);
    struct ir_insn *in = arena_new(f->arena, struct ir_insn, 1);
    in->op = (uint16_t)op;
    in->rm = 7;
    return in;
}

void
ir_place_like(struct ir_insn *in, const struct ir_insn *at)
{
    in->line = at->line;
    in->column = at->column;
    in->file = at->file;
    in->scope = at->scope;
}

/* Concatenates the list `front` with the list `back`. */
static struct ir_debug *
join_debug(struct ir_debug *front, struct ir_debug *back)
{
    struct ir_debug *last = front;
    while (last && last->next)
        last = last->next;
    if (!last)
        return back;
    last->next = back;
    return front;
}

void
ir_debug_before(struct ir_insn *in, struct ir_debug *d)
{
    assert(!d->next && "lists are joined at their ends");
    in->debug = join_debug(in->debug, d);
}

void
ir_debug_at_end(struct ir_block *b, struct ir_debug *d)
{
    assert(!d->next);
    b->debug = join_debug(b->debug, d);
}

void
ir_append(struct ir_block *b, struct ir_insn *in)
{
    assert(!in->block && "in a block already");
    assert(!b->last || !b->last->next);
    in->block = b;
    in->prev = b->last;
    in->next = NULL;
    in->debug = join_debug(b->debug, in->debug);
    b->debug = NULL;
    if (b->last)
        b->last->next = in;
    else
        b->first = in;
    b->last = in;
}

void
ir_insert_before(struct ir_insn *at, struct ir_insn *in)
{
    struct ir_block *b = at->block;
    assert(!in->block && "in a block already");
    assert(b && (at->prev ? at->prev->next == at : b->first == at));
    in->block = b;
    in->prev = at->prev;
    in->next = at;
    if (at->prev)
        at->prev->next = in;
    else
        b->first = in;
    at->prev = in;
}

void
ir_insert_after(struct ir_insn *at, struct ir_insn *in)
{
    if (at->next)
        ir_insert_before(at->next, in);
    else
        ir_append(at->block, in);
}

void
ir_remove(struct ir_insn *in)
{
    struct ir_block *b = in->block;
    assert(b && "in no block");
    assert(in->prev ? in->prev->next == in : b->first == in);
    assert(in->next ? in->next->prev == in : b->last == in);
    if (in->prev)
        in->prev->next = in->next;
    else
        b->first = in->next;
    if (in->next)
        in->next->prev = in->prev;
    else
        b->last = in->prev;
    struct ir_debug **debug = in->next ? &in->next->debug : &b->debug;
    *debug = join_debug(in->debug, *debug);
    in->debug = NULL;
    in->block = NULL;
}

void
ir_insert_front(struct ir_block *b, struct ir_insn *in)
{
    struct ir_insn *at = b->first;
    while (at && (at->op == IR_PHI || at->op == IR_ENTER))
        at = at->next;
    if (at)
        ir_insert_before(at, in);
    else
        ir_append(b, in);
}

void
ir_insert_end(struct ir_block *b, struct ir_insn *in)
{
    if (b->last && ir_is_terminator(b->last))
        ir_insert_before(b->last, in);
    else
        ir_append(b, in);
}

void
ir_set_dst(struct ir_func *f, struct ir_insn *in, ir_val dst)
{
    assert(dst > IR_ZERO && dst < f->values.n);
    in->dst = dst;
    ir_value(f, dst)->def = in;
}

void
ir_link(struct ir_block *from, unsigned k, struct ir_block *to)
{
    assert(k < 2 && !from->succ[k] && from->func == to->func);
    from->succ[k] = to;
    vec_push(from->func->arena, &to->preds, from);
}

struct ir_block *
ir_split_edge(struct ir_block *from, unsigned k)
{
    assert(k < 2 && from->succ[k]);
    struct ir_func *f = from->func;
    struct ir_block *to = from->succ[k], *middle = ir_block_new(f);
    from->succ[k] = middle;
    middle->succ[0] = to;
    vec_push(f->arena, &middle->preds, from);
    ir_append(middle, ir_insn_new(f, IR_JUMP));
    /* If both successors are the same block, one of the two equal entries is removed. */
    for (size_t i = 0; i < to->preds.n; i++)
        if (to->preds.at[i] == from) {
            to->preds.at[i] = middle;
            return middle;
        }
    assert(!"an edge without predecessor");
    return middle;
}

static const struct {
    const char *name;
    int sources;
} pseudo[] = {
#define X(id, name, n) [IR_##id - IR_FIRST] = { name, n },
    IR_PSEUDO_LIST(X)
#undef X
};

const char *
ir_op_name(unsigned op)
{
    assert(op < IR_OP_COUNT);
    return ir_is_isa(op) ? ventus_isa_info[op].name
                         : pseudo[op - IR_FIRST].name;
}

bool
ir_is_vbranch(const struct ir_insn *in)
{
    return ir_has_format(in->op, VENTUS_ISA_FORMAT_VB);
}

bool
ir_is_branch(const struct ir_insn *in)
{
    return ir_has_format(in->op, VENTUS_ISA_FORMAT_B) || ir_is_vbranch(in);
}

bool
ir_is_terminator(const struct ir_insn *in)
{
    return in->op == IR_JUMP || in->op == IR_RET || ir_is_branch(in);
}

bool
ir_call_writes(const struct ir_insn *in, enum ir_class cls, unsigned reg)
{
    assert(in->op == IR_CALL);
    assert(reg < (cls == IR_S ? 64 : 256) &&
           "the register file has this register");
    return !in->callee || in->callee->writes[cls][reg / 64] >> reg % 64 & 1;
}

bool
ir_is_load(const struct ir_insn *in)
{
    unsigned flags = ir_flags(in->op);
    return flags & VENTUS_ISA_F_LOAD && !(flags & VENTUS_ISA_F_ATOMIC);
}

bool
ir_is_store(const struct ir_insn *in)
{
    unsigned flags = ir_flags(in->op);
    return flags & VENTUS_ISA_F_STORE && !(flags & VENTUS_ISA_F_ATOMIC);
}

bool
ir_has_address(const struct ir_insn *in)
{
    return ir_flags(in->op) &
           (VENTUS_ISA_F_LOAD | VENTUS_ISA_F_STORE | VENTUS_ISA_F_ATOMIC);
}

bool
ir_is_pure(const struct ir_insn *in)
{
    if (!ir_is_isa(in->op))
        return !ir_is_terminator(in) && in->op != IR_PARCOPY &&
               in->op != IR_CALL && in->op != IR_ENTER;
    return !in->is_volatile &&
           !(ir_flags(in->op) &
             (VENTUS_ISA_F_STORE | VENTUS_ISA_F_ATOMIC | VENTUS_ISA_F_BRANCH |
              VENTUS_ISA_F_BARRIER | VENTUS_ISA_F_CONVERGENT |
              VENTUS_ISA_F_ENDS | VENTUS_ISA_F_EFFECT));
}

int
ir_slot_kind(unsigned op, enum ventus_isa_slot slot)
{
    const struct ventus_isa_field *field = ventus_isa_slot_field(op, slot);
    return field ? field->kind : -1;
}

bool
ir_writes_d(unsigned op)
{
    const struct ventus_isa_field *field =
        ventus_isa_slot_field(op, VENTUS_ISA_SLOT_D);
    return field && field->out;
}

bool
ir_reads_d(unsigned op)
{
    const struct ventus_isa_field *field =
        ventus_isa_slot_field(op, VENTUS_ISA_SLOT_D);
    return field && field->read;
}

unsigned
ir_sources(struct ir_insn *in, ir_val **at)
{
    unsigned n = 0;
    assert((in->op != IR_PARCOPY || in->n_many % 2 == 0) &&
           "a parallel copy has pairs of operands");
    assert(in->n_in <= in->n_many);
    if (in->op == IR_PHI) {
        for (unsigned i = 0; i < in->n_many; i++)
            at[n++] = &in->many[i];
        return n;
    }
    if (in->op == IR_PARCOPY) {
        for (unsigned i = 1; i < in->n_many; i += 2)
            at[n++] = &in->many[i];
        return n;
    }
    for (unsigned i = 0; i < in->n_in; i++)
        at[n++] = &in->many[i];
    for (unsigned i = 0; i < 4; i++)
        if (in->src[i])
            at[n++] = &in->src[i];
    if (in->mask)
        at[n++] = &in->mask;
    return n;
}

unsigned
ir_defs(struct ir_insn *in, ir_val **at)
{
    unsigned n = 0;
    assert((in->op != IR_PARCOPY || in->n_many % 2 == 0) &&
           "a parallel copy has pairs of operands");
    assert(in->n_in + in->n_out <= in->n_many);
    if (in->op == IR_PARCOPY) {
        for (unsigned i = 0; i < in->n_many; i += 2)
            at[n++] = &in->many[i];
        return n;
    }
    if (in->op == IR_CALL || in->op == IR_ENTER || ir_is_isa(in->op))
        for (unsigned i = in->n_in; i < in->n_many; i++)
            at[n++] = &in->many[i];
    if (in->dst)
        at[n++] = &in->dst;
    return n;
}

unsigned
ir_max_sources(const struct ir_func *f)
{
    unsigned most = 0;
    ir_foreach_block (f, b)
        ir_foreach_insn (b, in)
            if (in->n_many > most)
                most = in->n_many;
    return most + 5;
}
