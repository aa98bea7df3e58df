/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/regalloc/ra.h"

/* Builds the interference graph. */
void
ra_build(struct ra_graph *g);

/* Merges the two sides of copies, conservatively (Briggs). */
void
ra_coalesce(struct ra_graph *g);

/* Merges spilled values with what they are copied to and from, where that
 * saves accesses to memory.  `rematerialised`, by root: the value needs no memory. */
void
ra_merge_spilled(struct ra_graph *g, const bool *rematerialised);
