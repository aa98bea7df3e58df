/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "tile/thread.h"

/* The hazard checker: hazard.h says what a hazard is. */
bool
check_create(struct ventus_tile_machine *m);

void
check_destroy(struct ventus_tile_machine *m);

/* An operation is issued: gives it op->seq, finds its hazards, records it. */
void
check_issue(struct tile_thread *t, struct thread_op *op);

/* The kinds of an operation, as a bit each. */
unsigned
check_kinds(const struct thread_op *op);

/* All but the last `left` operations of a kind are counted out. */
void
check_retire(struct tile_thread *t, enum check_kind kind, unsigned left);

/* A tensor copy has been executed; a commit closes a group; a wait ends it. */
void
check_tma_complete(struct tile_thread *t, const struct thread_op *op);

void
check_tma_commit(struct tile_thread *t, uint32_t group);

void
check_tma_retire_group(struct tile_thread *t, uint32_t group);

/* A thread has read an mbarrier or (~number) a semaphore. */
void
check_observe(struct ventus_tile_machine *m, uint64_t object);

/* The core itself accesses memory. */
void
check_scalar(struct tile_thread *t, uint64_t pc, uint64_t name, uint64_t size,
             bool write);

/* The thread ends: what still writes memory would be lost. */
void
check_exit(struct tile_thread *t);
