/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "gdb/gdb.h"
#include "gdb/state.h"

/*
 * Breakpoints and watchpoints.  While the launch runs, a breakpoint is the
 * function of its instruction in the decoded code, and a watchpoint is a
 * guarded page (sim/mmu.h): what neither touches costs nothing.
 */
enum gdb_watch { GDB_WATCH_WRITE = 2, GDB_WATCH_READ, GDB_WATCH_ACCESS };

struct gdb_condition {
    size_t size;
    uint8_t *code; /* agent.h */
};

struct gdb_breakpoint {
    uint32_t pc;
    struct gdb_condition *condition; /* one of them holds; none: always */
    size_t conditions;
    sim_fn *old; /* while it is armed */
};

struct gdb_watchpoint {
    uint64_t address, size; /* as the machine has it: a part of what is asked */
    uint64_t asked, asked_B; /* as GDB has it: of private memory an offset */
    enum gdb_watch kind;
    uint64_t group; /* of local memory: of this workgroup only */
};

/* Breakpoints and watchpoints of a GDB; all zero: none. */
struct gdb_stops {
    struct gdb_breakpoint *breakpoint;
    size_t breakpoints;
    struct gdb_watchpoint *watchpoint;
    size_t watchpoints;
};

/*
 * Conditions as in the packet Z0: ";X" and the size, "," and the bytes in
 * hexadecimal, repeated.  False: that is not what `conditions` says, or there
 * is no host memory.
 */
bool
gdb_stops_add_break(struct gdb_stops *s, uint32_t pc, const char *conditions);

void
gdb_stops_remove_break(struct gdb_stops *s, uint32_t pc);

/* Forgets all breakpoints: their code is no longer there. */
void
gdb_stops_forget_breaks(struct gdb_stops *s);

bool
gdb_stops_add_watch(struct gdb_stops *s, const struct gdb_watchpoint *w);

/* Removes all parts of a watchpoint. */
void
gdb_stops_remove_watch(struct gdb_stops *s, uint64_t asked, uint64_t size,
                       enum gdb_watch kind);

void
gdb_stops_free(struct gdb_stops *s);

/* Puts breakpoints and guards into the machine, and takes them out.  False: no host
 * memory. */
bool
gdb_stops_arm(struct gdb_stops *s, struct gdb_machine *m);

void
gdb_stops_disarm(struct gdb_stops *s, struct gdb_machine *m);

/*
 * The lane of the warp, at a breakpoint, for which it is to stop: `preferred`
 * if it can be.  -1: a condition holds for none.
 */
int
gdb_stops_lane(const struct gdb_stops *s, const struct gdb_machine *m,
               const struct gdb_launch *l, unsigned preferred);

/* The watchpoint that the machine has touched; NULL: of another workgroup. */
const struct gdb_watchpoint *
gdb_stops_touched(const struct gdb_stops *s, const struct gdb_machine *m);
