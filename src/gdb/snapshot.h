/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/buf.h"
#include "gdb/state.h"

/*
 * Snapshots of a launch: its turns, its workgroups with registers and local
 * memory, and memory by pages that are copied before their first write
 * (sim/checkpoint.h).  The pages of a snapshot lead from the next one, or from
 * now, back to it:
 *
 *     snapshot 0 <- pages -- snapshot 1 <- pages -- snapshot 2 <- pages -- now
 *
 * They are dense shortly before now and sparser before, in proportion to the
 * distance: their number grows with the logarithm of the time.
 */
struct gdb_snapshot {
    struct gdb_position at;
    uint32_t drained;
    struct buf state; /* of the workgroups */
    struct sim_checkpoint *memory;
};

/* Instructions between two snapshots. */
enum { GDB_SNAPSHOT_EVERY = 1 << 18 };

/*
 * Takes a snapshot at the machine's time, which is after the last one's.  False: no
 * host memory; then what is before this time is lost.
 */
bool
gdb_snapshot_take(struct gdb_machine *m);

/* Back to a snapshot; later ones are gone. */
void
gdb_snapshot_restore(struct gdb_machine *m, size_t number);

/* The last snapshot that is not after a time. */
size_t
gdb_snapshot_before(const struct gdb_machine *m, uint64_t time);

/* Memory or registers were changed by hand: time begins here. */
void
gdb_snapshot_begin_anew(struct gdb_machine *m);

void
gdb_snapshot_free_all(struct gdb_machine *m);

/* Forgets cached spans, as what is guarded or copied has changed. */
void
gdb_forget_spans(struct gdb_machine *m);
