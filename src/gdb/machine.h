/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "gdb/state.h"

/* Runs a launch, instruction by instruction or turn by turn. */
enum gdb_ran {
    GDB_RAN,
    GDB_BREAK,  /* before an instruction with a breakpoint */
    GDB_TOUCH,  /* after one that accessed what is guarded */
    GDB_FAULT,  /* at one that faulted; k->fault */
    GDB_NOTICE, /* after one in which a check set `noticed` */
};

/* False: no host memory. */
bool
gdb_machine_open(struct gdb_machine *m, struct sim_run *run,
                 const struct ventus_sim_instrumentation *check,
                 const struct gdb_printing *printing);

void
gdb_machine_close(struct gdb_machine *m);

/* Makes the warp of the next instruction current; false: there is none. */
bool
gdb_machine_choose(struct gdb_machine *m);

/* Gives this warp the turn, at the frontier, if it can run. */
void
gdb_machine_prefer(struct gdb_machine *m, unsigned slot, unsigned warp);

/* The budget of the current warp: how many instructions it may execute in one go. */
uint64_t
gdb_machine_budget(const struct gdb_machine *m);

/*
 * Runs the current warp for at most so many instructions, no more than its budget.
 */
enum gdb_ran
gdb_machine_run(struct gdb_machine *m, uint64_t instructions);

/* The function of an instruction with a breakpoint. */
const struct sim_op *
gdb_break(struct sim_warp *w, const struct sim_op *op);

/* Runs forwards to a time not after the frontier; marks: takes snapshots shortly
 * before it. */
bool
gdb_machine_run_to(struct gdb_machine *m, uint64_t time, bool marks);
