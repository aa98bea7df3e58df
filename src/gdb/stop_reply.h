/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "gdb/session.h"

/* Puts the reply to `?` and to packets that resume. */
void
gdb_put_stop(struct gdb *g);

/* The thread that steps if GDB names none. */
struct gdb_thread
gdb_current_thread(const struct gdb *g);
