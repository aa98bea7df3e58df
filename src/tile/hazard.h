/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ventus/tile.h>

#include "base/hash.h"

/*
 * The hazard checker.  An operation is under way from its issue until a t_wait
 * counts it out, whenever it is executed; so what is found does not depend on
 * the mode.  Two accesses to a tile register, or to the same memory, collide
 * if one of them writes and the first one is still under way, unless both are
 * of the same kind in the same thread: these are in order.
 *
 * Loads and stores of one memory are two kinds.  They share a queue, which is
 * in order (docs/tile.md), but the document counts them separately and says
 * nowhere that a store waits for a load's data.
 */
enum check_kind {
    CHECK_GLD, /* global load */
    CHECK_GST, /* global store */
    CHECK_SLD, /* share memory load */
    CHECK_SST, /* share memory store */
    CHECK_TMA,
    CHECK_MMA,
    CHECK_ALU,
    CHECK_KINDS,
    CHECK_HART = CHECK_KINDS /* the scalar code: never under way */
};

enum { CHECK_COUNTED = 32, CHECK_HAZARDS_MAX = 64 };

/* The last access of a kind to a register. */
struct check_touch {
    uint64_t seq, pc;
};

struct check_thread {
    uint64_t seq;                  /* of the last operation issued; 0 = none */
    uint64_t retired[CHECK_KINDS]; /* up to here they are counted out */
    uint64_t last[CHECK_KINDS][CHECK_COUNTED]; /* seqs of the last ones */
    uint64_t count[CHECK_KINDS];
    struct check_touch (*read)[CHECK_KINDS], (*write)[CHECK_KINDS]; /* [256] */
};

struct tile_thread;

/* A range of memory that an operation accesses; `rows` of struct check are in one
 * cell of RANGES_CELL bytes each. */
struct check_range {
    uint64_t from, to; /* memory_name */
    uint64_t seq, pc;
    struct tile_thread *thread;
    uint8_t kind;
    bool write, atomic;
    uint32_t group;  /* TMA: its commit group */
    uint64_t object; /* TMA: memory_name of its mbarrier; ~semaphore; or 0 */
    bool complete;   /* TMA: executed */
};

struct check_list {
    struct check_range *at;
    size_t n, capacity;
};

struct check {
    bool on;
    struct check_list rows,
        tma;                 /* under way; rows may be counted out already */
    struct hash_index cells; /* rows by their cell */
    size_t sweep_at;         /* so many rows: those counted out are removed */
    uint64_t compared;       /* compared ranges */
    struct ventus_tile_hazard hazard[CHECK_HAZARDS_MAX];
    size_t hazards;
};

/* The unit whose operations are of a kind. */
enum ventus_tile_unit
hazard_unit(unsigned kind);

/* Once for each pair of instructions. */
void
hazard_report(struct check *c, struct ventus_tile_hazard found);
