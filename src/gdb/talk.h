/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "gdb/session.h"

/* GDB stands before the next instruction of the machine. */
void
gdb_stop_here(struct gdb *g);

/*
 * GDB has not read the symbols of this program: a stop, after which it reads
 * them, sets its breakpoints and continues by itself.
 */
enum gdb_next
gdb_tell_code(struct gdb *g, enum gdb_next next);

/* Serves GDB's requests until the launch is to continue, and returns how. */
enum gdb_next
gdb_converse(struct gdb *g);

/* Goes on and stops until GDB leaves, the launch ends (g->stop), or GDB goes to
 * another launch. */
enum gdb_next
gdb_talk(struct gdb *g, enum gdb_next next);

/* Runs what is left of the launch. */
void
gdb_run_to_end(struct gdb *g);
