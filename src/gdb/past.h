/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "gdb/session.h"

/* Returns the earlier launches that GDB may go back to, and in *at the number of the
 * present one; NULL: there are none. */
const struct gdb_past *
gdb_past_of(const struct gdb *g, uint64_t *at);

/* Whether GDB, after a stop, continues in another launch. */
bool
gdb_wants_other(struct gdb *g);
