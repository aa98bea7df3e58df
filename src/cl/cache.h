/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/buf.h"
#include "base/sha256.h"

/*
 * Compiled programs on disk, in VENTUS_CACHE_DIR or XDG_CACHE_HOME/ventus or
 * ~/.cache/ventus; VENTUS_CACHE=0 switches it off.
 *
 * An entry is a file named by the hash of everything that went into it:
 * source, options, target, the compiler.  What the source includes is known
 * only afterwards, so the entry lists these files with their hashes, and one
 * that changed makes it a miss.  Entries are written beside and renamed, and
 * begin with a hash of their name and of the rest, so readers see a whole entry
 * or none (cache_file.h says which files are entries at all).  One of more than
 * VENTUS_CACHE_ENTRY_MB is neither read nor written.  Once a minute at most, if
 * the folder is larger than VENTUS_CACHE_MB, those used longest ago go.
 */
struct cache_entry {
    struct buf binary, log;
};

/* True: found, and the buffers are filled. */
bool
cache_find(const uint8_t key[SHA256_SIZE], struct cache_entry *entry);

/* `files`: paths of what was included, each ended by a zero byte. */
void
cache_store(const uint8_t key[SHA256_SIZE], const struct cache_entry *entry,
            const struct buf *files);

void
cache_entry_free(struct cache_entry *entry);

/* The hash of a file's contents; false if it cannot be read. */
bool
cache_hash_file(const char *path, uint8_t digest[SHA256_SIZE]);
