/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "gdb/session.h"

/* Packets that begin with "q" or "vFile:"; false: it is none of these. */
bool
gdb_query(struct gdb *g, struct gdb_text *t);

bool
gdb_file_request(struct gdb *g, struct gdb_text *t);
