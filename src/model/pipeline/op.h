/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum branch_kind { BRANCH_NONE, BRANCH_SCALAR, BRANCH_VECTOR, BRANCH_JOIN };
enum fpu_kind { FPU_SHORT, FPU_PRODUCT, FPU_SUM, FPU_FUSED };
enum read_kind { READ_NONE, READ_SCALAR, READ_VECTOR };

/*
 * Registers by number: scalar ones, vector ones, and one that is always there.
 * An instruction needs those that it reads and those that it writes.
 */
enum {
    BUSY_X = 0,
    BUSY_V = 256,
    BUSY_NONE = 512,
    BUSY_COUNT,
    OP_SOURCES = 4, /* the first ones of those that it needs */
    OP_REGISTERS = 6
};

/* Accesses that a barrier orders; with DEVICE as other SMs see them. */
enum { ORDERS_LOCAL = 1, ORDERS_GLOBAL = 2, ORDERS_DEVICE = 4 };

/* The properties of an instruction that the pipeline needs. */
struct model_op {
    uint32_t pc;
    uint16_t op;
    uint8_t unit, lat; /* enum ventus_isa_unit, isa_lat */
    uint8_t branch;
    bool skip; /* a prefix: taken out after the decoder */
    bool known, barrier, ends, fence, memory, write, atomic, private;
    uint8_t hint;     /* enum ventus_isa_hint, of accesses */
    uint8_t words;    /* words of a lane's access, if it has several */
    bool words_apart; /* each interleaved on its own, as in private memory */
    bool to_next; /* a condition decides whether it jumps where it would go */
    uint8_t fpu;  /* enum fpu_kind */
    uint8_t step; /* STEP_* */
    bool vector;
    uint8_t aqrl, order; /* bits of atomics, of fences */
    uint8_t orders;      /* barriers: ORDERS_* */
    bool subgroup;       /* a barrier of the warp alone */
    bool shared;         /* others may see what it does */
    bool scalar_port;    /* with two issue ports: sALU, CSR, warp control */
    uint8_t kind, queue; /* enum unit_kind, enum unit_queue; in cycles: */
    uint8_t passes;
    uint32_t cycles;
    bool writes_x, writes_v;
    uint8_t d;
    uint8_t read[4], reg[4]; /* src1, src2, src3 or stored, mask */
    uint8_t reads;           /* bits of those that are read */
    uint16_t needs[OP_REGISTERS];
    uint8_t
        span[OP_REGISTERS]; /* registers from there on: pairs, data of pre_m */
    uint8_t twice; /* bit i: 2 * SEW bits at needs[i], two if SEW is 32 */
    bool spans;    /* some span is not 1 */
};
