/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/*
 * Files of the cache.  Its folder may be one that others can write to, so a
 * name in it may be anything: a symbolic link, a pipe, a device, another
 * user's file, a file without end.  An entry is read only if it is a regular
 * file of the user who runs this process and not larger than `limit_B`; it is
 * written beside and renamed over whatever has the name.  Nothing here follows
 * a link in the folder, waits for a peer, or ends the process.
 */

/* The whole file; NULL: it is not such a file.  To be freed. */
uint8_t *
cache_file_read(int folder, const char *name, size_t limit_B, size_t *size);

/* False: it could not be written; what had the name is as it was. */
bool
cache_file_write(int folder, const char *name, const struct buf *bytes);

/* Does OpenCL C ask whether there is a file (__has_include, __has_embed)? */
bool
cache_text_asks(const void *bytes, size_t size);

/* Likewise of a file; yes if it cannot be read. */
bool
cache_file_asks(const char *path);

/* Its time of use becomes now. */
void
cache_file_touch(int folder, const char *name);
