/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Matches a statement with a syntax string of the table: a byte of 128 and more
 * is an operand; after a byte 1 it is a register written as a bare number; the
 * other bytes match themselves, with any blanks between them.
 */
#include <assert.h>

#include "asm/operand.h"

/* The 1 of x1 for a vector register: how logs write private accesses. */
static bool
match_bare(struct assembler *a, struct attempt *t, unsigned field)
{
    const char *at = a->p, *why;
    uint64_t number;
    if (!lex_number(a, &number, &why) || number > 31)
        return attempt_fail(t, at, "a register number up to 31");
    unsigned slot = ventus_isa_fields[field].member;
    assert(slot < 4); /* the field is a register */
    t->in.reg[slot] = (uint8_t)number;
    return true;
}

static bool
is_optional(unsigned field)
{
    unsigned kind = ventus_isa_fields[field].kind;
    return kind == VENTUS_ISA_KIND_VM || kind == VENTUS_ISA_KIND_RM ||
           kind == VENTUS_ISA_KIND_OPT || kind == VENTUS_ISA_KIND_AQRL;
}

static bool
match_operand(struct assembler *a, struct attempt *t, const char *c)
{
    unsigned field = (unsigned char)*c - 128u;
    assert(field < VENTUS_ISA_FIELD_COUNT);
    if (!is_optional(field))
        lex_blanks(a);
    return operand_read(a, t, field, c[1]);
}

/* A byte of the syntax that stands for itself. */
static bool
match_literal(struct assembler *a, struct attempt *t, char c)
{
    static const char *const wanted[] = { "','", "'('", "')'" };
    const char *kinds = ",()", *kind = strchr(kinds, c);
    if (kind)
        lex_blanks(a);
    if (*a->p != c)
        return attempt_fail(t, a->p,
                            kind       ? wanted[kind - kinds]
                            : c == 'v' ? "'v0'"
                                       : "a register such as x1");
    a->p++;
    if (c == ',') {
        t->operand++;
        lex_blanks(a);
    }
    return true;
}

bool
match_syntax(struct assembler *a, struct attempt *t, const char *syntax)
{
    assert(t->in.op && t->in.op < VENTUS_ISA_OP_COUNT);
    t->operand = 1;
    for (const char *c = syntax; *c; c++) {
        unsigned char byte = (unsigned char)*c;
        bool ok = true;
        if (byte == 1) {
            c++;
            ok = match_bare(a, t, (unsigned char)*c - 128u);
        } else if (byte >= 128) {
            ok = match_operand(a, t, c);
        } else if (byte != ' ') {
            ok = match_literal(a, t, *c);
        }
        if (!ok)
            return false;
    }
    lex_blanks(a);
    if (!lex_at_end(a))
        return attempt_fail(t, a->p, "the end of the statement");
    return true;
}
