/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/buf.h"
#include "base/sha256.h"

/*
 * Compiled programs on disk, in VENTUS_CACHE_DIR or XDG_CACHE_HOME/ventus or
 * ~/.cache/ventus; VENTUS_CACHE=0 switches the cache off.
 *
 * An entry is a file named by the hash of all inputs: source, options, target, the
 * compiler.  The included files are known only after the compilation, so the entry
 * lists them with their hashes, and a changed one makes the look-up a miss.  Entries
 * are written beside and renamed, and begin with a hash of their name and of the rest,
 * so that readers see a whole entry or none (cache_file.h says which files are entries
 * at all).  An entry of more than VENTUS_CACHE_ENTRY_MB is neither read nor written.
 * Once a minute at most, if the folder is larger than VENTUS_CACHE_MB, the least
 * recently used entries are evicted.
 */
struct cache_entry {
    struct buf binary, log;
};

/* Finds an entry and fills the buffers.  False: a miss. */
bool
cache_find(const uint8_t key[SHA256_SIZE], struct cache_entry *entry);

/* Stores an entry.  `files`: paths of included files, each ended by a zero byte. */
void
cache_store(const uint8_t key[SHA256_SIZE], const struct cache_entry *entry,
            const struct buf *files);

void
cache_entry_free(struct cache_entry *entry);

/* The hash of a file's contents; false if it cannot be read. */
bool
cache_hash_file(const char *path, uint8_t digest[SHA256_SIZE]);
