/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "recording/recording.h"

/*
 * Writes the blocks of a recording: a thread packs and writes them while the program
 * continues.  One thread at a time calls.
 *
 *     uint8_t *buffer = packer_buffer(p, size); NULL: an error has occurred
 *     ... fill it ...
 *     packer_put(p, RECORDING_PAGES, buffer, n, false);  n of the bytes; the packer
 *                                               owns the buffer again
 *
 * At most PACKER_WAITING bytes wait: packer_buffer blocks until there are fewer.  The
 * first error (a full disk, no host memory) is kept: from then on all calls do
 * nothing, and packer_close returns it.  Where the host has no thread, packer_put
 * packs.  The child of a fork has no thread either: there all calls do nothing, and
 * packer_close fails with ECHILD.
 */
struct packer;

enum { PACKER_WAITING = 1 << 25 };

/* Opens a packer.  NULL: errno says why.  path NULL: a file in memory, for
 * packer_take. */
struct packer *
packer_open(const char *path);

/* Whether no error has occurred. */
bool
packer_ok(struct packer *p);

/* Records an errno, unless there is one already. */
void
packer_fail(struct packer *p, int why);

uint8_t *
packer_buffer(struct packer *p, size_t size);

/* Passes a buffer to be written.  `quick`: packed less, in half the time. */
void
packer_put(struct packer *p, enum recording_block_kind kind, uint8_t *buffer,
           size_t size, bool quick);

/* Returns a buffer that is not put. */
void
packer_drop(struct packer *p, uint8_t *buffer);

/* Waits for all blocks, and renames the file to its path if `keep`, else removes it.
 * False: there is no file, errno says why. */
bool
packer_close(struct packer *p, bool keep);

/* Closes a file in memory and returns its descriptor, owned by the caller; -1: errno. */
int
packer_take(struct packer *p);
