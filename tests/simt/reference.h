/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "program.h"

/* What a thread did, for those who ask in which order: the outcome of each
 * branch, how often loops go, what it gives to order scalars. */
struct record {
    uint32_t *at;
    unsigned n, capacity, read;
};

struct thread {
    unsigned lane, number, group, warp; /* number: in its workgroup */
    uint32_t v[VARS], u[UNIFORMS];
    uint8_t slot[SLOT_B], private[PRIVATE_B];
    uint32_t local, row, atomic;
    struct place skips_to; /* node 0: it does not */
    bool ended;            /* before the end, by itself */
    struct record record;
};

struct coverage {
    uint64_t depth4;         /* warps with four branches open at once */
    uint64_t partial_breaks; /* of a part of the lanes that are in the loop */
    uint64_t dead_warps;     /* every lane ended by itself */
    uint64_t ended_warps;    /* before others of its workgroup */
    uint64_t loop_barriers;  /* in a loop that all take as often */
    uint64_t partial_warps;
    uint64_t divergent_calls; /* by a part of the lanes of the warp */
    uint64_t returns;         /* early, of a part of the lanes */
    unsigned deepest;
};

/* What memory from DATA on has at the end. */
struct expected {
    uint8_t *image;
    struct layout layout;
    struct coverage coverage;
};

/*
 * Interprets the program, one thread after the other from one barrier to the
 * next, in C alone.  False, and nothing is allocated: it takes over `limit`
 * statements in all.
 */
bool
reference_run(const struct program *p, uint64_t limit, struct expected *e);

/* operations.c.  a: vs2; b: vs1, a scalar or an immediate; d: the old value. */
uint32_t
operation_arith(enum arith op, uint32_t a, uint32_t b, uint32_t d, uint32_t v0);

uint32_t
operation_atomic(enum atomic op, uint32_t old, uint32_t by);

bool
operation_taken(enum compare op, uint32_t a, uint32_t b);

/* order.c: of the threads of one warp, when all have run: the order scalars. */
void
order_run(const struct program *p, struct thread *threads, unsigned n,
          uint32_t orders[ORDERS], struct coverage *c);

/* The value of an order scalar after ORDER_STEP and the like. */
enum { ORDER_FACTOR = 31 };
