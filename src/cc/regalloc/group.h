/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/regalloc/ra.h"

/* The tuple of a load or store of several words, of at most RA_TUPLE
 * values; how many. */
enum { RA_TUPLE = 4 };

unsigned
ra_tuple(const struct ir_insn *in, ir_val tuple[RA_TUPLE]);

/* Finds the tuples, and splits accesses whose values cannot be one; before the graph is
 * built. */
void
ra_find_groups(struct ra_graph *g);

/* Whether the tuples of a and b allow that the two, which do not interfere, are merged. */
bool
ra_may_merge(const struct ra_graph *g, ir_val a, ir_val b);

void
ra_merge_groups(struct ra_graph *g, ir_val a, ir_val b);

/* Splits the accesses of spilled values and broken tuples into one for each value. */
void
ra_split_groups(struct ra_graph *g);
