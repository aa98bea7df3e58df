/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * Memory as it was: a page is kept before it is first written, so that all
 * that was written since can be undone.  From any thread.
 */
struct sim_undo;

/* NULL: no host memory. */
struct sim_undo *
undo_create(void);

void
undo_destroy(struct sim_undo *u);

/* A page of the host, where this byte is, is about to be written. */
bool
undo_write(struct sim_undo *u, uint8_t *host);

/* The machine itself has read this: code, or a page table. */
void
undo_read(struct sim_undo *u, const uint8_t *host);

/*
 * False: a page was written that the machine reads, or one could not be kept.
 */
bool
undo_is_sure(const struct sim_undo *u);

/* All kept pages are what they were. */
void
undo_restore(const struct sim_undo *u);
