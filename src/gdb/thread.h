/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "gdb/state.h"

/*
 * Work-items as GDB's threads.  A thread's number says which work-item it is,
 * in this launch: workgroup, warp and lane, counted from 1 (packets have others:
 * names.h).  A thread exists while its workgroup runs.
 *
 * A thread is at the instruction that it executes next.  A lane that is not
 * active waits on the SIMT stack: it is where the entry continues that it is
 * in.  Stepping it runs its warp until the lane has executed an instruction.
 */
struct gdb_thread {
    uint64_t group; /* linear number */
    unsigned warp, lane;
};

enum { GDB_NO_THREAD = 0 };

uint64_t
gdb_thread_number(const struct gdb_machine *m, const struct gdb_thread *t);

/* False: there is none of that number. */
bool
gdb_thread_of(const struct gdb_machine *m, uint64_t number,
              struct gdb_thread *t);

/* The number of the thread after `number`; 0: there is none.  After 0: the first. */
uint64_t
gdb_thread_next(const struct gdb_machine *m, uint64_t number);

/* The warp that a thread is of; it exists. */
struct sim_warp *
gdb_thread_warp(const struct gdb_machine *m, const struct gdb_thread *t);

bool
gdb_thread_active(const struct sim_warp *w, unsigned lane);

uint32_t
gdb_thread_pc(const struct sim_warp *w, unsigned lane);

/* The instruction that the warp executes next, its prefix included. */
uint32_t
gdb_warp_pc(const struct sim_warp *w);

/* The workgroup's place of a thread that exists; its number if none does. */
struct sim_group *
gdb_group_of(const struct gdb_machine *m, uint64_t number, unsigned *slot);

/*
 * Memory as a thread sees it: addresses below the size of its private memory are
 * offsets there, 0x70000000 to 0x7fffffff is the local memory of its workgroup; and
 * what debug information calls memory, in windows below that (docs/abi.md): private
 * and local memory, registers.  Bytes read or written, from the first on, until one
 * is not there.
 */
size_t
gdb_memory_read(const struct gdb_machine *m, const struct gdb_thread *t,
                uint64_t address, void *to, size_t size);

/* Writes memory by hand, so that time begins anew. */
size_t
gdb_memory_write(struct gdb_machine *m, const struct gdb_thread *t,
                 uint64_t address, const void *from, size_t size);

/* The address that the machine uses for one of a thread's. */
uint64_t
gdb_memory_address(const struct gdb_machine *m, const struct gdb_thread *t,
                   uint64_t address);
