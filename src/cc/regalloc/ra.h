/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/cc.h"
#include "cc/live.h"

/*
 * Register allocation by graph colouring (Chaitin, Briggs): values that are
 * live at the same time interfere; copies whose sides do not are merged; then
 * colours are given in the reverse order of removal from the graph.  A graph
 * and not SSA's trees, because scalars live by the physical flow, in which
 * definitions do not dominate uses.
 */
struct ra_member {
    ir_val v;
    uint8_t at;
};

/* Values in registers in a row, each `at` so many words behind its start. */
struct ra_group {
    struct ra_group *into; /* merged into this group, or itself */
    vec(struct ra_member) members;
    bool broken; /* there are no registers for it */
};

struct ra_node {
    ir_val into;   /* merged into this value, or itself */
    uint32_t *adj; /* values it interferes with, some merged since */
    unsigned n_adj, cap_adj;
    unsigned degree; /* in words of the neighbours, while simplifying */
    bool removed, spilled;
    bool doubtful;          /* had too many neighbours when it was removed */
    float cost;             /* of spilling it, by loop depth */
    struct ra_group *group; /* or NULL: ra_group_of() */
    uint8_t at;             /* in the group */
};

struct ra_graph {
    struct cc *c;
    struct ir_func *f;
    struct arena *arena; /* of one round */
    bool hurry;          /* spills all that was doubtful: rounds are many */
    struct live live;
    struct ra_node *node;
    uint64_t *matrix; /* a bit for each pair of values, unless too many */
    ir_val marked;    /* else the value whose neighbours are marked, */
    ir_val *seen;     /* by its number */
};

/* regalloc/graph.c: builds it, merges copies. */
void
ra_build(struct ra_graph *g);

void
ra_coalesce(struct ra_graph *g);

/* Merges spilled values with what they are copied to and from, where that
 * saves accesses to memory.  By root: `made_again` needs no memory. */
void
ra_merge_spilled(struct ra_graph *g, const bool *made_again);

ir_val
ra_find(const struct ra_graph *g, ir_val v);

bool
ra_interferes(const struct ra_graph *g, ir_val a, ir_val b);

/* regalloc/group.c: what loads and stores of several words want in a row; their
 * values, the first in front: RA_ROW at most. */
enum { RA_ROW = 4 };

unsigned
ra_row(const struct ir_insn *in, ir_val row[RA_ROW]);

/* Before the graph is built: splits what cannot be in a row. */
void
ra_find_groups(struct ra_graph *g);

struct ra_group *
ra_group_of(const struct ra_graph *g, ir_val v);

/* For a copy between a and b, which do not interfere: may b become a? */
bool
ra_may_merge(const struct ra_graph *g, ir_val a, ir_val b);

void
ra_merge_groups(struct ra_graph *g, ir_val a, ir_val b);

/* What a spilled value or a broken group is in becomes one access for each. */
void
ra_split_groups(struct ra_graph *g);

/* regalloc/color.c: true if every value has a register; else some are `spilled`. */
bool
ra_color(struct ra_graph *g);

/* How many registers of a class may be used. */
unsigned
ra_limit(const struct ra_graph *g, enum ir_class cls);

/* The i-th register to try, -1 behind the last. */
int
ra_register(const struct ra_graph *g, enum ir_class cls, unsigned i);

/* regalloc/spill.c: rewrites the spilled values. */
void
ra_spill(struct ra_graph *g);

/* regalloc/slots.c: memory for all spilled words; scalars beyond it are vectors. */
void
ra_slots(struct ra_graph *g);
