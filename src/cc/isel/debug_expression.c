/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LLVM's DIExpression: how a variable is computed from values.  Ours compute
 * with the 32 bits of an address, so what needs 64 bits is not known, and of a
 * value of fewer bits the others are cut off where they would matter.  What is
 * computed from a truth value is not known, either: LLVM inverts compares and
 * swaps what depends on them, but leaves records as they are.
 */
#include <stdlib.h>
#include <string.h>

#include "cc/isel/debug.h"

struct reader {
    struct tr *t;
    struct tr_debug_expression *e;
    char *at; /* of the text that is left */
    char *word;
    struct buf bytes;      /* of the step */
    int arg;               /* of the step; -1: none */
    const unsigned *width; /* of each value, in bits */
    unsigned n_values;
    bool narrow; /* a value is: its sign is not in bit 31 */
    bool
        dirty; /* the value has been computed with: bits above its width are anything */
};

/* The next word, a name or a number; false at the end. */
static bool
next_word(struct reader *r)
{
    r->at += strspn(r->at, ", ");
    size_t n = strcspn(r->at, ",)");
    r->word = r->at;
    if (!n)
        return false;
    r->at += n;
    if (*r->at)
        *r->at++ = '\0';
    return true;
}

static uint64_t
next_number(struct reader *r)
{
    char *end = r->word;
    uint64_t x = next_word(r) ? strtoull(r->word, &end, 10) : 0;
    r->e->bad |= end == r->word;
    return x;
}

static void
put_constant(struct reader *r, uint64_t x)
{
    buf_u8(&r->bytes, DW_OP_constu);
    buf_uleb128(&r->bytes, x & UINT32_MAX);
}

/* Extends the low n bits of the result to all bits. */
static void
put_width(struct reader *r, unsigned n, bool is_signed)
{
    r->e->bad |= n > 32 || n < 2;
    r->narrow = r->dirty = false;
    if (n >= 32 || r->e->bad)
        return;
    put_constant(r, is_signed ? 32 - n : (UINT64_C(1) << n) - 1);
    buf_u8(&r->bytes, is_signed ? DW_OP_shl : DW_OP_and);
    if (!is_signed)
        return;
    put_constant(r, 32 - n);
    buf_u8(&r->bytes, DW_OP_shra);
}

/* The operations up to here are a step. */
static void
end_step(struct reader *r)
{
    struct tr_debug_expression *e = r->e;
    if (r->arg < 0 && !r->bytes.n)
        return;
    uint8_t *copy = arena_new(r->t->m->arena, uint8_t, r->bytes.n + 1);
    if (r->bytes.n)
        memcpy(copy, r->bytes.at, r->bytes.n);
    struct ir_debug_step step = { r->arg, copy, r->bytes.n };
    vec_push(r->t->m->arena, &e->steps, step);
    r->bytes.n = 0;
    r->arg = -1;
}

static void
put_value(struct reader *r, uint64_t number)
{
    end_step(r);
    r->e->bad |= number >= r->n_values;
    if (r->e->bad)
        return;
    bool dirty = r->dirty;
    unsigned width = r->width[number];
    r->arg = (int)number;
    put_width(r, width, false);
    r->dirty = dirty;
    r->narrow = width < 32;
}

static const struct {
    const char *name;
    uint8_t op;
    enum { LOW_BITS, ALL_BITS, SIGN } needs; /* LOW_BITS: gives just these */
} operations[] = {
    { "DW_OP_plus", DW_OP_plus, LOW_BITS },
    { "DW_OP_minus", DW_OP_minus, LOW_BITS },
    { "DW_OP_mul", DW_OP_mul, LOW_BITS },
    { "DW_OP_and", DW_OP_and, LOW_BITS },
    { "DW_OP_or", DW_OP_or, LOW_BITS },
    { "DW_OP_xor", DW_OP_xor, LOW_BITS },
    { "DW_OP_not", DW_OP_not, LOW_BITS },
    { "DW_OP_neg", DW_OP_neg, LOW_BITS },
    { "DW_OP_shl", DW_OP_shl, LOW_BITS },
    { "DW_OP_shr", DW_OP_shr, ALL_BITS },
    { "DW_OP_shra", DW_OP_shra, SIGN },
};

static void
put_operation(struct reader *r)
{
    for (unsigned i = 0; i < sizeof operations / sizeof *operations; i++) {
        if (strcmp(r->word, operations[i].name) != 0)
            continue;
        buf_u8(&r->bytes, operations[i].op);
        if (operations[i].needs == LOW_BITS)
            r->dirty |= r->narrow;
        else
            r->e->bad |= r->dirty || (operations[i].needs == SIGN && r->narrow);
        return;
    }
    if (strcmp(r->word, "DW_OP_plus_uconst") == 0) {
        put_constant(r, next_number(r));
        buf_u8(&r->bytes, DW_OP_plus);
        r->dirty |= r->narrow;
    } else if (strcmp(r->word, "DW_OP_constu") == 0 ||
               strcmp(r->word, "DW_OP_consts") == 0) {
        put_constant(r, next_number(r));
    } else if (strncmp(r->word, "DW_OP_lit", 9) == 0) {
        put_constant(r, strtoull(r->word + 9, NULL, 10));
    } else if (strcmp(r->word, "DW_OP_LLVM_convert") == 0) {
        unsigned bits = (unsigned)next_number(r);
        bool named = next_word(r);
        put_width(r, bits, named && strcmp(r->word, "DW_ATE_signed") == 0);
    } else {
        r->e->bad = true;
    }
}

static void
read_word(struct reader *r)
{
    struct tr_debug_expression *e = r->e;
    if (strcmp(r->word, "DW_OP_stack_value") == 0)
        return;
    if (strcmp(r->word, "DW_OP_LLVM_fragment") == 0) {
        uint64_t offset = next_number(r), size = next_number(r);
        e->bad |= offset % 8 || size % 8 || !size;
        e->offset_B = (uint32_t)(offset / 8);
        e->size_B = (uint32_t)(size / 8);
        return;
    }
    e->bad |= e->is_address; /* what is done with what was loaded */
    if (strcmp(r->word, "DW_OP_LLVM_arg") == 0) {
        put_value(r, next_number(r));
    } else if (strcmp(r->word, "DW_OP_deref") == 0) {
        e->is_address = true;
    } else {
        if (r->arg < 0 && !e->steps.n && !r->bytes.n)
            put_value(r, 0); /* it begins with the only one */
        put_operation(r);
    }
}

/* "DW_OP_plus_uconst, N, DW_OP_deref": the place of an address. */
static void
read_place(struct reader *r)
{
    static const char plus[] = "DW_OP_plus_uconst, ", deref[] = ", DW_OP_deref";
    char *end;
    if (strncmp(r->at, plus, strlen(plus)) != 0)
        return;
    uint64_t n = strtoull(r->at + strlen(plus), &end, 10);
    if (strncmp(end, deref, strlen(deref)) != 0 || n > UINT32_MAX)
        return;
    r->e->behind_B = (uint32_t)n;
    r->at = end;
}

struct tr_debug_expression
tr_debug_expression(struct tr *t, LLVMMetadataRef node, const unsigned *width,
                    unsigned n_values)
{
    struct tr_debug_expression e = { 0 };
    const char *text = strchr(tr_node_text(t, node), '(');
    struct reader r = { .t = t,
                        .e = &e,
                        .at = arena_printf(t->m->arena, "%s",
                                           text ? text + 1 : ""),
                        .arg = -1,
                        .width = width,
                        .n_values = n_values };
    read_place(&r);
    while (!e.bad && next_word(&r))
        read_word(&r);
    end_step(&r);
    buf_free(&r.bytes);
    e.bad |= e.is_address && e.steps.n;
    return e;
}
