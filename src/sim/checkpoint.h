/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * A checkpoint of memory: copies of pages, made before their first write, from
 * which memory can be restored.  Thread-safe.
 */
struct sim_checkpoint;

/* NULL: no host memory. */
struct sim_checkpoint *
checkpoint_create(void);

void
checkpoint_destroy(struct sim_checkpoint *c);

/* Call it before the first write to the page of this byte of the host. */
bool
checkpoint_before_write(struct sim_checkpoint *c, uint8_t *host);

/* Call it when the machine itself reads this page: code, or a page table. */
void
checkpoint_on_read(struct sim_checkpoint *c, const uint8_t *host);

/*
 * False: a page was written that the machine reads, or one could not be copied.
 */
bool
checkpoint_is_complete(const struct sim_checkpoint *c);

/* Merges two consecutive checkpoints into the first, to which pages move that only the
 * later has; the later is discarded. */
bool
checkpoint_merge(struct sim_checkpoint *c, struct sim_checkpoint *later);

/* The copies are of no more use: as after checkpoint_create. */
void
checkpoint_forget(struct sim_checkpoint *c);

/* Restores all copied pages. */
void
checkpoint_restore(const struct sim_checkpoint *c);
