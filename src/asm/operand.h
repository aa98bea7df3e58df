/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operands and the matching of a statement with a syntax of the table.  A match
 * that fails returns its position and its reason; insn.c reports the one that got
 * furthest.
 */
#pragma once

#include "asm/lex.h"

enum modifier { MOD_NONE, MOD_HI, MOD_LO, MOD_PCREL_HI, MOD_PCREL_LO };

/* A register as written. */
struct reg {
    char file; /* 'x', 'v', or 0: none */
    uint8_t number;
    bool pair; /* [x5:x4] */
};

/* A statement as one syntax reads it. */
struct attempt {
    struct ventus_isa_insn
        in; /* registers and small fields; not the immediate */
    struct value imm;
    const char *imm_at;
    uint8_t imm_field; /* index into ventus_isa_fields, with has_imm */
    uint8_t imm_operand;
    uint8_t modifier; /* enum modifier */
    bool has_imm;

    uint8_t slots;       /* bit s: ventus_isa_slot s was written */
    uint8_t pairs;       /* bit s: as [x5:x4] */
    uint8_t pair_fields; /* bit s: the field is a pair by itself */
    uint8_t slot_operand[4];
    struct reg regs[4];
    const char *slot_at[4];

    struct reg accumulator;     /* what is read instead of vd (version 2) */
    const char *accumulator_at; /* NULL: it was not written */
    uint8_t accumulator_operand;

    unsigned operand; /* the one that is read, from 1 */
    const char *fail_at;
    const char *expected; /* "a vector register"; or */
    const char *why;      /* the whole message */
};

/* A position in the text to come back to. */
struct mark {
    const char *p, *line_text;
    unsigned line;
};

static inline struct mark
mark_here(const struct assembler *a)
{
    return (struct mark){ a->p, a->frame->line_text, a->frame->line };
}

static inline void
mark_return(struct assembler *a, struct mark m)
{
    a->p = m.p;
    a->frame->line_text = m.line_text;
    a->frame->line = m.line;
}

bool
register_read(struct assembler *a, struct attempt *t,
              const struct ventus_isa_field *f);

/* Reads ", v8" after the operands of an instruction that accumulates, if it is
 * there: the accumulator that is read where it is not vd. */
void
register_read_accumulator(struct assembler *a, struct attempt *t);

/* The message that there is no such register. */
const char *
register_missing(struct assembler *a, unsigned operand, char file,
                 unsigned number);

/* Reads the operand of `field`; `next`: the character that follows it in the syntax. */
bool
operand_read(struct assembler *a, struct attempt *t, unsigned field, char next);

/* Reads the operands of a syntax up to the end of the statement. */
bool
match_syntax(struct assembler *a, struct attempt *t, const char *syntax);

/* Fails: `expected` names what should be at `at`. */
static inline bool
attempt_fail(struct attempt *t, const char *at, const char *expected)
{
    t->fail_at = at;
    t->expected = expected;
    t->why = NULL;
    return false;
}

static inline bool
attempt_fail_why(struct attempt *t, const char *at, const char *why)
{
    t->fail_at = at;
    t->why = why;
    return false;
}
