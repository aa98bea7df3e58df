/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "gdb/stops.h"
#include "gdb/thread.h"

/*
 * Resumes a launch, forwards or backwards, until there is a reason to stop.
 *
 * Backwards means: from the snapshot before now it runs forwards to now and
 * remembers the last reason to stop; if there was none, from the snapshot
 * before that one to this one; then it runs to that time.
 *
 * GDB takes it that RISC-V stops at a watchpoint before the access, and steps
 * over it, in the direction in which it goes: so forwards the stop is before
 * the instruction (after it if there are no snapshots), and backwards after it.
 */
enum gdb_why {
    GDB_STOP_STEP,
    GDB_STOP_BREAK,
    GDB_STOP_WATCH,
    GDB_STOP_FAULT,
    GDB_STOP_NOTICE,
    GDB_STOP_INTERRUPT,
    GDB_STOP_BEGIN,   /* backwards: the launch begins here, or what is known */
    GDB_STOP_ARRIVED, /* at the beginning of the launch that was asked for */
    GDB_STOP_BLOCKED, /* the only warp that may run waits at a barrier */
    GDB_STOP_END      /* the launch has ended */
};

struct gdb_stop {
    enum gdb_why why;
    struct gdb_thread thread; /* whose stop it is, but for END */
    uint64_t address;         /* WATCH: as GDB has it */
    enum gdb_watch kind;
};

struct gdb_resume {
    bool steps;   /* `thread`, until its pc is outside of [from, to) */
    bool only;    /* and no other warp runs */
    bool prefers; /* `thread` at a breakpoint that several lanes are at */
    struct gdb_thread thread;
    uint32_t from, to;
    bool (*interrupted)(void *ctx); /* asked now and then */
    void *ctx;
};

struct gdb_stop
gdb_resume_forwards(struct gdb_machine *m, struct gdb_stops *s,
                    const struct gdb_launch *l, const struct gdb_resume *how);

struct gdb_stop
gdb_resume_backwards(struct gdb_machine *m, struct gdb_stops *s,
                     const struct gdb_launch *l, const struct gdb_resume *how);

/*
 * Runs a launch that has just begun to its end and back before its last
 * instruction, or to its fault.  False: it has no instruction.
 */
bool
gdb_seek_last(struct gdb_machine *m);

/*
 * When the bytes were written the last time before now, and by whom; the
 * machine is where it was.  False: not since the launch began.
 */
bool
gdb_last_write(struct gdb_machine *m, const struct gdb_launch *l,
               const struct gdb_watchpoint *bytes, uint64_t *time,
               struct gdb_thread *who, uint32_t *pc);
