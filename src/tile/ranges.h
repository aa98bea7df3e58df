/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "tile/thread.h"

/*
 * Memory that operations under way access, found by place: rows in a hash table
 * by cells, so that an access looks at those of its cells only, however many others are
 * under way; TMA's ranges, which are long and few, in a list that each access looks at.
 */
enum { RANGES_CELL = VENTUS_TILE_B };

/* Whether the operation is still under way. */
bool
ranges_is_alive(const struct check_range *r);

/* Reports collisions of an access with what is under way; `stays`: it is, too. */
void
ranges_access(struct check *c, const struct check_range *new,
              enum ventus_tile_unit unit, bool stays);

/* Removes one; the last takes its place. */
void
ranges_drop(struct check_list *l, size_t i);

void
ranges_free(struct check *c);
