/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a floating-point row of ventus.isa must give, by GNU MPFR: values and
 * flags, for every rounding mode and format.  Nothing of src/isa is in it but
 * the numbers of rounding modes and flags; a row is known by its name, and what
 * the name means is written here a second time, after the RISC-V manual.
 *
 *     const struct oracle_row *row = oracle_find("vfmadd.vv");
 *     const uint64_t slots[] = { vs1[i], vs2[i], rs3, vd[i] };
 *     unsigned flags;
 *     uint64_t d = oracle_result(row, 32, 32, rm, slots, &flags);
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Operands of an instruction, as the letters 1, 2, 3, d of a row. */
enum oracle_slot { SLOT_1, SLOT_2, SLOT_3, SLOT_D, SLOTS };

enum oracle_op {
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_DIV,
    OP_SQRT,
    OP_FMA,
    OP_CONVERT, /* between formats */
    OP_MIN,
    OP_MAX,
    OP_EQ,
    OP_NE,
    OP_LT,
    OP_LE,
    OP_SIGN,
    OP_SIGN_NOT,
    OP_SIGN_XOR,
    OP_CLASS,
    OP_TO_INT,
    OP_TO_UINT,
    OP_FROM_INT,
    OP_FROM_UINT,
    OP_TO_ODD, /* a conversion, rounded to odd */
    OP_REC7,
    OP_RSQRT7,
    OP_EXP,
    OP_TENSOR, /* a chain of OP_FMA over lanes, by the caller */
    OP_COUNT
};

enum oracle_width {
    SAME,  /* SEW 16 and 32, 64 with a pair prefix */
    WIDEN, /* from SEW to 2 SEW */
    NARROW /* from 2 SEW to SEW */
};

struct oracle_row {
    const char
        *name; /* of the instruction; with "*" at the end, how it begins */
    enum oracle_op op;
    const char *order;  /* slots of a, b, c */
    const char *negate; /* "p": -(a * b); "a": - c; "pa" */
    enum oracle_width width;
    bool towards_zero; /* whatever rm says */
};

/* NULL: no oracle has this name. */
const struct oracle_row *
oracle_find(const char *name);

/* Slots hold `from` bits, the result has `to`; flags are set, not added to. */
uint64_t
oracle_result(const struct oracle_row *row, unsigned from, unsigned to,
              unsigned rm, const uint64_t slots[SLOTS], unsigned *flags);

/* Is `result` near enough to e to the power x?  In steps of the format. */
bool
oracle_exp_fits(unsigned width, uint64_t x, uint64_t result);

/* Everything that the oracle allocated. */
void
oracle_free(void);
