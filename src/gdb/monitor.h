/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "gdb/session.h"

void
gdb_monitor(struct gdb *g, const char *command, struct buf *out);
