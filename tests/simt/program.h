/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A random SIMT program as a tree of statements.  generate.c makes it of a
 * seed, emit.c writes it as assembly, reference.c interprets it thread by
 * thread, order.c says in which order the sides of each branch run, shrink.c
 * takes statements out of it.
 *
 * State of a thread: VARS variables in vector registers, the first of them in
 * v0; 64 bytes each of global and of private memory, a word of local memory.
 * State of a warp: scalars of two kinds,
 *
 *   uniform  written only where no divergence is outstanding, read anywhere:
 *            each thread can compute them for itself
 *   order    written anywhere, read by nothing but their own updates: what they
 *            end with tells which sides ran in which order with which lanes
 *
 * Node 0 is none, node 1 the main function.
 */
enum {
    LANES_MAX = 64,
    NODES_MAX = 512,
    FUNCTIONS = 4, /* main is the first */
    LOOPS_MAX = 60,
    UNIFORM_LOOPS_MAX = 30,
    VARS = 10,
    UNIFORMS = 4,
    ORDERS = 2,
    COUNTERS = 4, /* of a workgroup */
    TABLE_WORDS = 1024,
    SLOT_B = 64,
    PRIVATE_B = 64
};

enum kind {
    NOTHING,
    FUNCTION,
    ARITH,       /* d = a op b, or op imm, or op a uniform scalar */
    LOAD_TABLE,  /* d = element of the table that a chooses */
    LOAD_STRIDE, /* d = table[imm + lane * b] */
    SLOT_STORE,  /* own global memory */
    SLOT_LOAD,
    LOCAL_STORE, /* own word of local memory */
    LOCAL_LOAD,
    PRIVATE_STORE, /* at an offset that b chooses */
    PRIVATE_LOAD,
    ROW_STORE, /* vse32.v: a row of words for the warp */
    ROW_LOAD,
    ATOMIC,     /* on an own word */
    ATOMIC_ADD, /* on a counter of the workgroup; the result is not used */
    UNIFORM,    /* uniform scalars: u[d] = u[a] op imm */
    ORDER,      /* order scalars */
    BARRIER,
    EXCHANGE,     /* d = a of another thread, through local memory */
    END_WARP,     /* the warp with number imm ends */
    IF,           /* lanes with a op b go to `other`, the rest to `body` */
    LOOP,         /* (a & 3) + imm times */
    UNIFORM_LOOP, /* counted in a scalar register */
    LENGTH,       /* vl = imm: lanes beyond take no part in the body */
    ESCAPE,       /* break, continue, return, end of a thread: to `target` */
    CALL,
    KINDS
};

/* Operations of ARITH, and of ATOMIC, UNIFORM, ORDER, IF. */
enum arith {
    OP_ADD,
    OP_SUB,
    OP_RSUB,
    OP_AND,
    OP_OR,
    OP_XOR,
    OP_SLL,
    OP_SRL,
    OP_SRA,
    OP_MIN,
    OP_MAX,
    OP_MINU,
    OP_MAXU,
    OP_MUL,
    OP_MULH,
    OP_MULHU,
    OP_MULHSU,
    OP_DIV,
    OP_DIVU,
    OP_REM,
    OP_REMU,
    OP_SEQ,
    OP_SNE,
    OP_SLT,
    OP_SLTU,
    OP_SLE,
    OP_SLEU,
    OP_SGT,
    OP_SGTU,
    OP_MACC,
    OP_NMSAC,
    OP_MADD,
    OP_NMSUB,
    OP_MERGE,
    OP_ADC,
    OP_MADC,
    OP_ADD12,
    OP_SUB12,
    OP_FADD,
    OP_FSUB,
    OP_FMUL,
    OP_MV,
    ARITHS
};

enum form_bit { VV = 1, VX = 2, VI = 4 };

/* What the instruction set has of an operation. */
struct arith_info {
    const char *name;
    unsigned forms;   /* VX: of a constant and of a uniform scalar */
    bool accumulates; /* reads d; its operands are written in another order */
    bool takes_v0;    /* as an operand: vmerge, vadc */
    bool always;      /* has no mask */
    bool shifts;      /* its immediate has no sign */
    bool floats;
};
extern const struct arith_info arith_info[ARITHS];

enum form { FORM_VV, FORM_VX, FORM_VU, FORM_VI, FORMS }; /* VU: uniform */
enum atomic {
    AMO_SWAP,
    AMO_ADD,
    AMO_XOR,
    AMO_AND,
    AMO_OR,
    AMO_MIN,
    AMO_MAX,
    AMO_MINU,
    AMO_MAXU,
    AMOS
};
enum order { ORDER_STEP, ORDER_COUNT, ORDER_FIRST, ORDER_LAST, ORDERS_OPS };
enum compare { CMP_EQ, CMP_NE, CMP_LT, CMP_GE, CMP_LTU, CMP_GEU, CMPS };
enum width { WIDTH_W, WIDTH_H, WIDTH_HU, WIDTH_B, WIDTH_BU, WIDTHS };

struct node {
    uint8_t kind, op, form, phase; /* phase: of an ESCAPE's target */
    uint8_t d, a, b;
    bool masked;       /* vm = 0: acts where bit 0 of variable 0 is set */
    bool tested_first; /* LOOP: while, not do */
    uint8_t counter;   /* of loops: which register counts; program_link */
    uint32_t imm;
    uint16_t body, other, next, parent, target;
};

/* A launch of one dimension. */
struct geometry {
    unsigned lanes, warps, threads, items; /* threads: of a whole workgroup */
};

struct program {
    uint64_t seed;
    struct geometry at;
    unsigned n;
    struct node node[NODES_MAX];
    uint16_t function[FUNCTIONS]; /* 0: not there */
    uint8_t vreg[VARS];
    bool far; /* branches reach their targets by jumps */
};

/* ---- places, tree.c ---- */

/* Where threads can be: at a statement, at the end of a round, behind it. */
enum phase { ENTER, LATCH, JOIN };

struct place {
    uint16_t node;
    uint8_t phase;
};

static inline bool
same_place(struct place a, struct place b)
{
    return a.node == b.node && a.phase == b.phase;
}

/* Sets parents and counters; false: an escape leads nowhere, or a node that
 * needs all threads of the warp together is where they are not. */
bool
program_link(struct program *p);

/* What comes after a statement. */
struct place
place_after(const struct program *p, unsigned node);

/* The beginning of one side of a statement. */
struct place
place_side(const struct program *p, unsigned node, unsigned first);

/* Where the sides of the branch of an IF or a LOOP meet: a place that all its
 * lanes come to, whatever escapes there are on the way. */
struct place
place_meet(const struct program *p, unsigned node);

/* Whether the tree below a node has one of a kind. */
bool
program_has(const struct program *p, unsigned node, enum kind kind);

/* ---- geometry ---- */

static inline unsigned
geometry_groups(const struct geometry *g)
{
    return (g->items + g->threads - 1) / g->threads;
}

static inline unsigned
geometry_group_threads(const struct geometry *g, unsigned group)
{
    unsigned left = g->items - group * g->threads;
    return left < g->threads ? left : g->threads;
}

/*
 * Memory: a table that is read only, then what a program writes:
 *
 *   threads   THREAD_B each: slots, the variables at the end, the atomic's word
 *   warps     WARP_B each: the row, order scalars, uniform scalars
 *   groups    GROUP_B each: counters
 *   private   as the machine interleaves it
 */
enum {
    CODE = 0x80000000,
    CODE_B = 0x20000,
    TABLE = 0x90000000,
    DATA = 0x90010000,
    THREAD_B = 128,
    THREAD_VARS = 64,
    THREAD_ATOMIC = 104,
    WARP_B = 320,
    WARP_ORDERS = 256,
    WARP_UNIFORMS = 272,
    GROUP_B = 32
};

struct layout {
    uint32_t threads, warps, groups, private, size; /* offsets from DATA */
};

static inline struct layout
layout_of(const struct geometry *g)
{
    unsigned groups = geometry_groups(g), all = groups * g->warps * g->lanes;
    struct layout l = { .threads = 0 };
    l.warps = all * THREAD_B;
    l.groups = l.warps + groups * g->warps * WARP_B;
    l.private = l.groups + groups * GROUP_B;
    l.size = l.private + all * PRIVATE_B;
    return l;
}

/* ---- random numbers ---- */

struct dice {
    uint64_t state;
};

/* splitmix64: from 0 to n - 1. */
static inline uint32_t
dice_word(struct dice *d)
{
    uint64_t z = d->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)((z ^ z >> 31) >> 32);
}

static inline unsigned
dice(struct dice *d, unsigned n)
{
    return dice_word(d) % n;
}

/* The table's words: many small numbers, corner values, random bits. */
void
table_fill(uint32_t table[TABLE_WORDS], uint64_t seed);

/* generate.c: of a seed; `lanes` 0: any number. */
void
generate(struct program *p, uint64_t seed, unsigned lanes);

/* emit.c: assembly, to be freed. */
char *
emit(const struct program *p);
