/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Expressions: numbers, characters, symbols, `.`, unary - ~ ! +, and the
 * binary operators of C with its precedences; comparisons give 1 or 0.
 * Numbers have 64 bits and wrap.
 */
#pragma once

#include "asm/state.h"

/*
 * Reads an expression at p.  On failure returns false, reports nothing, and
 * leaves what is wrong in expr_error and where in expr_error_at: the caller
 * may try something else.
 */
bool
expr_try(struct assembler *a, struct value *out);

/* Reads an expression and reports a failure. */
bool
expr_read(struct assembler *a, struct value *out);

/* An expression whose value is a number that is known now. */
bool
expr_number(struct assembler *a, int64_t *out);

/* The value with all that is known by now put in; for fixups, at the end. */
struct value
expr_resolve(struct assembler *a, struct value v);

/* Why a resolved value is no number; NULL if it is one. */
const char *
expr_not_number(struct assembler *a, const struct value *v);

static inline struct value
value_of(int64_t num)
{
    return (struct value){ .num = num };
}

static inline bool
value_is_number(const struct value *v)
{
    return !v->add && !v->sub && !v->tree;
}
