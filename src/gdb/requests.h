/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "gdb/session.h"

/* Puts the reply into g->reply, unless the launch continues. */
enum gdb_next
gdb_request(struct gdb *g, const char *packet, size_t size);
