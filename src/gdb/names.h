/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/map.h"
#include "base/vec.h"
#include "gdb/thread.h"

/*
 * The numbers of threads in packets.  GDB counts threads as they are named to it, and one
 * that a list lacks and that comes back is a new one.  The numbers here are given in
 * the same way, so a thread has one number, in messages of GDB, in its commands and in
 * what the stub shows.
 */
struct gdb_names {
    struct arena arena;
    struct map number;   /* by gdb_thread_number: its number; NULL: none */
    vec(uint64_t) known; /* by its number - 1: gdb_thread_number */
    vec(uint64_t) told;  /* numbers of threads that GDB has */
};

/* The number of a thread; 0: GDB was not told of it. */
uint64_t
gdb_name_of(const struct gdb_names *n, const struct gdb_machine *m,
            const struct gdb_thread *t);

/* The number of a thread that a packet names, which it keeps from then on. */
uint64_t
gdb_name_told(struct gdb_names *n, const struct gdb_machine *m,
              const struct gdb_thread *t);

/* Numbers all threads that exist, in order, before a list of them; those that do not
 * exist have no number. */
void
gdb_names_list(struct gdb_names *n, const struct gdb_machine *m);

/* False: no thread that exists has this number. */
bool
gdb_named(const struct gdb_names *n, const struct gdb_machine *m,
          uint64_t number, struct gdb_thread *t);

void
gdb_names_free(struct gdb_names *n);
