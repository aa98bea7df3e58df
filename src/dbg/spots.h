/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/sim.h>

#include "base/hash.h"

/*
 * Counters of each instruction of a launch, by pc.  An all-zero table is empty;
 * the number of a row stays the same.
 */
enum { SPOT_CAUSES = 16 };

/* What the lanes of an instruction did, of all warps. */
struct spot_use {
    uint64_t accesses, bytes; /* of memory outside of the local one */
    uint64_t lines, least;    /* L1D lines of them; those that the bytes fill */
    uint64_t same;            /* of one address, that of the access before */
    uint64_t local, passes, least_passes; /* of local memory; of its banks */
    uint64_t branches, splits;       /* of lanes; where they went both ways */
    uint64_t several, several_lines; /* accesses of several addresses, but
                                        atomics and private ones; their lines */
    uint64_t atomics, scalars; /* lanes of atomics; accesses of all lanes whose
                                  neighbours have neighbouring words */
    uint64_t last;             /* address, for `same` */
    bool load, private, barrier, atomic;
};

struct spot {
    struct spot_use use;
    uint32_t pc;
    char text[64]; /* "" until it was executed */
    uint64_t issued, lanes;
    uint64_t slots[SPOT_CAUSES]; /* cycles it was the cause of, by cause */
};

struct spots {
    struct spot *row;
    struct hash_index index; /* rows by pc */
    size_t n, cap;
};

/* The row of a pc, added if it is new; NULL: no memory. */
struct spot *
spots_at(struct spots *t, uint32_t pc);

/* Takes its text from an instruction that was executed. */
void
spot_name(struct spot *row, const struct ventus_sim_step *step);

void
spots_free(struct spots *t);
