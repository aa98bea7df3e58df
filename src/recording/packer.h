/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "recording/recording.h"

/*
 * Blocks of a recording on their way into the file: a thread packs and writes
 * them while the program goes on.  One thread at a time calls.
 *
 *     uint8_t *room = packer_room(p, size);     NULL: something has failed
 *     ... fill it ...
 *     packer_put(p, RECORDING_PAGES, room, n, false);  n of the bytes; it is the
 *                                               packer's again
 *
 * More than PACKER_WAITING bytes do not wait: packer_room does.  What fails (a
 * full disk, no host memory) is kept: from then on everything does nothing, and
 * packer_close says it.  Where the host has no thread, packer_put packs.  The
 * child of a fork has no thread either: there everything does nothing, and
 * packer_close fails with ECHILD.
 */
struct packer;

enum { PACKER_WAITING = 1 << 25 };

/* NULL: errno says why.  path NULL: a file in memory, for packer_take. */
struct packer *
packer_open(const char *path);

/* Has nothing failed so far? */
bool
packer_ok(struct packer *p);

/* errno of what failed first. */
void
packer_fail(struct packer *p, int why);

uint8_t *
packer_room(struct packer *p, size_t size);

/* `quick`: packed less, in half the time. */
void
packer_put(struct packer *p, enum recording_block_kind kind, uint8_t *room,
           size_t size, bool quick);

/* Of room that is not put. */
void
packer_drop(struct packer *p, uint8_t *room);

/* Waits for what is on its way, and renames the file to its path if `keep`, else
 * removes it.  False: errno says why it is not there. */
bool
packer_close(struct packer *p, bool keep);

/* The same of a file in memory: a descriptor of it, the caller's; -1: errno. */
int
packer_take(struct packer *p);
