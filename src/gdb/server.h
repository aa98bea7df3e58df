/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "gdb/session.h"

/* The next event; GDB_BAD and g->gone: GDB is gone. */
enum gdb_event
gdb_next_event(struct gdb *g);

/* Tests whether GDB has asked for a stop while the launch runs; g is the ctx. */
bool
gdb_is_interrupted(void *g);

/* Sends g->reply as a packet. */
void
gdb_send_reply(struct gdb *g);

/* Waits for GDB; false: it does not come. */
bool
gdb_accept(struct gdb *g);

void
gdb_hang_up(struct gdb *g);

/* Shows text to the user; while GDB waits for a stop. */
void
gdb_say(struct gdb *g, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
