/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "gdb/session.h"

/* Takes GDB from the present launch to others, and back to its beginning. */
enum gdb_next
gdb_visit_others(struct gdb *g);

/* Continues a visit whose launch has begun. */
void
gdb_visit_begun(struct gdb *g);
