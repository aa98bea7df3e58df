/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "recording/recording.h"

/*
 * Writes a recording.  One thread at a time; another one packs (packer.h).
 * What fails while it is written (a full disk, no host memory) is kept: then
 * everything does nothing, and recording_writer_close says it.
 */
struct recording_writer;

/* NULL: errno says why.  path NULL: a file in memory, for
 * recording_writer_take. */
struct recording_writer *
recording_writer_open(const char *path);

/* Has nothing failed so far? */
bool
recording_writer_ok(const struct recording_writer *w);

/* The number of a linked ELF; the same bytes have the same number. */
uint32_t
recording_writer_program(struct recording_writer *w, const void *elf,
                         size_t size);

/* The number of the next page of memory, RECORDING_PAGE bytes. */
uint64_t
recording_writer_page(struct recording_writer *w, const uint8_t *page);

/* Where the next pages go, *most at most, the first of which gets the number *first, for a
 * caller who finds out while copying which are wanted; NULL: something has failed. */
uint8_t *
recording_writer_room(struct recording_writer *w, size_t *most,
                      uint64_t *first);

/* `n` pages are in the room now. */
void
recording_writer_add(struct recording_writer *w, size_t n);

/* Of pages and programs that were written before. */
void
recording_writer_launch(struct recording_writer *w,
                        const struct recording_launch *l);

void
recording_writer_result(struct recording_writer *w,
                        const struct recording_result *r);

/* Renames it to its path if `keep`, else removes it.  False: errno says why it
 * is not there.  NULL does nothing. */
bool
recording_writer_close(struct recording_writer *w, bool keep);

/* The same of a file in memory: a descriptor of it, the caller's; -1: errno. */
int
recording_writer_take(struct recording_writer *w);
