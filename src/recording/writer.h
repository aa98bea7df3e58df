/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "recording/recording.h"

/* A writer of recordings.  One thread at a time calls; another one packs (packer.h).
 * The first error (a full disk, no host memory) is kept: from then on all calls do
 * nothing, and recording_writer_close returns it. */
struct recording_writer;

/* Opens a writer.  NULL: errno says why.  path NULL: a file in memory, for
 * recording_writer_take. */
struct recording_writer *
recording_writer_open(const char *path);

/* Whether no error has occurred. */
bool
recording_writer_ok(const struct recording_writer *w);

/* Writes a linked ELF and returns its number; equal bytes have the same number. */
uint32_t
recording_writer_program(struct recording_writer *w, const void *elf,
                         size_t size);

/* Writes a page of memory, RECORDING_PAGE bytes, and returns its number. */
uint64_t
recording_writer_page(struct recording_writer *w, const uint8_t *page);

/* A buffer for at most *capacity pages, of which the first will have the number *first,
 * for a caller that decides while copying which pages to write; NULL: an error has
 * occurred. */
uint8_t *
recording_writer_reserve(struct recording_writer *w, size_t *capacity,
                         uint64_t *first);

/* Writes the first `n` pages of that buffer. */
void
recording_writer_add(struct recording_writer *w, size_t n);

/* Write a launch and a result; their pages and programs were written before. */
void
recording_writer_launch(struct recording_writer *w,
                        const struct recording_launch *l);

void
recording_writer_result(struct recording_writer *w,
                        const struct recording_result *r);

/* Closes the file, and renames it to its path if `keep`, else removes it.  False:
 * there is no file, errno says why.  NULL does nothing. */
bool
recording_writer_close(struct recording_writer *w, bool keep);

/* Closes a file in memory and returns its descriptor, owned by the caller; -1: errno. */
int
recording_writer_take(struct recording_writer *w);
