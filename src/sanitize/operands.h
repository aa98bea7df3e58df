/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <ventus/isa.h>

/* How the value that an instruction writes depends on what it reads. */
enum sanitize_rule {
    RULE_NONE,   /* writes what is known: constants */
    RULE_CSR,    /* the same */
    RULE_ANY,    /* unknown if a source is */
    RULE_AND,    /* as ANY, but 0 and x is 0 */
    RULE_OR,     /* as ANY, but ~0 or x is ~0 */
    RULE_SAME,   /* as ANY, but x op x is known */
    RULE_MERGE,  /* one of two, by v0 */
    RULE_BRANCH, /* scalar or thread branch */
    RULE_MEMORY, /* load, store, atomic */
    RULE_FENCE,
    RULE_BARRIER,
    RULE_HINT /* as ANY; of x0 a hint of the device library */
};

/* The operands of an instruction in the terms of struct sim_op. */
struct sanitize_operands {
    uint8_t rule;
    bool v1, v2, v3, vd; /* s1, s2, s3 are read as vectors; d is written */
    bool x1, x2, x3, xd; /* the same of scalar registers */
    bool v0;             /* v0 is read, besides as a mask of vm */
    bool data;           /* of a store: slot d, a vector */
    bool vector;         /* some operand is one */
    bool compares, bits, moves; /* gives 0 or 1; bit by bit; operand 1 */
    bool add12;                 /* the one vector is s2, or s1 if s2 is 0 */
    bool fixed; /* no prefix makes pairs: `pair` says which operands are some */
    /* By enum ventus_isa_slot: always a register pair; one if SEW is 32. */
    bool pair[4], twice[4];
    bool swap; /* an atomic whose result has nothing of the old */
    bool lane; /* a vector becomes a scalar */
    bool load, store, atomic;
    bool sub; /* a barrier of the sub-group */
};

/* By enum ventus_isa_op. */
extern struct sanitize_operands sanitize_operands[VENTUS_ISA_OP_COUNT];

/* Fills the table, once for the process. */
void
sanitize_operands_init(void);
