/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* Files of the cache.  Its folder may be writable by others, so a name in it may be
 * anything: a symbolic link, a pipe, a device, another user's file, a file without
 * end.  An entry is read only if it is a regular file of the user who runs this
 * process and not larger than `limit_B`; it is written beside and renamed over
 * whatever has the name.  These functions never follow a link in the folder, wait for
 * a peer, or end the process. */

/* Reads a whole file, which the caller frees; NULL: it is no such file. */
uint8_t *
cache_file_read(int folder, const char *name, size_t limit_B, size_t *size);

/* Writes a file.  False: it failed; the file with that name is unchanged. */
bool
cache_file_write(int folder, const char *name, const struct buf *bytes);

/* Whether OpenCL C text tests for the existence of a file (__has_include,
 * __has_embed). */
bool
cache_text_asks(const void *bytes, size_t size);

/* Whether a file does; true if it cannot be read. */
bool
cache_file_asks(const char *path);

/* Sets the file's time of use to now. */
void
cache_file_touch(int folder, const char *name);
