/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/sim.h>

#include "base/hash.h"

/* Counters of each instruction of a launch, by pc.  An all-zero table is empty; the
 * index of a row never changes. */
enum { SPOT_CAUSES = 16 };

/* Accesses and branches of the lanes of an instruction, over all warps. */
struct spot_use {
    uint64_t accesses, bytes; /* accesses to memory other than local memory */
    /* L1D lines of the accesses; lines that their bytes fill. */
    uint64_t lines, least;
    /* Accesses of one address, the same as that of the access before. */
    uint64_t same;
    /* Accesses of local memory; passes over its banks. */
    uint64_t local, passes, least_passes;
    uint64_t branches, splits; /* branches of lanes; those that diverged */
    /* Accesses of several addresses, except atomics and private ones; their lines. */
    uint64_t several, several_lines;
    /* Lanes of atomics; accesses of one word per lane whose neighbours access
     * neighbouring words. */
    uint64_t atomics, scalars;
    uint64_t last; /* last address, for `same` */
    bool load, private, barrier, atomic;
};

struct spot {
    struct spot_use use;
    uint32_t pc;
    char text[64]; /* "" until the instruction is executed */
    uint64_t issued, lanes;
    uint64_t slots[SPOT_CAUSES]; /* cycles of issue slots by cause */
};

struct spots {
    struct spot *row;
    struct hash_index index; /* index of the rows by pc */
    size_t n, cap;
};

/* The row of a pc, added if it is new; NULL: no memory. */
struct spot *
spots_at(struct spots *t, uint32_t pc);

/* Sets the text of a row from an executed instruction. */
void
spot_name(struct spot *row, const struct ventus_sim_step *step);

void
spots_free(struct spots *t);
