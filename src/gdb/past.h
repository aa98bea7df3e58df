/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "gdb/session.h"

/* What GDB may go back to, and where it is; NULL: nothing. */
const struct gdb_past *
gdb_past_of(const struct gdb *g, uint64_t *at);

/* It has stopped: does GDB go on in another launch? */
bool
gdb_wants_other(struct gdb *g);
