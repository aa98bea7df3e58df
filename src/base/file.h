/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/diag.h"

/*
 * Reads a whole file ("-" is standard input) into the arena, a zero byte
 * behind it.  NULL, and an error in the sink, if it cannot be read.
 */
uint8_t *
file_read(struct arena *a, const char *path, size_t *size,
          struct diag_sink *sink);

/*
 * Writes a whole file ("-" is standard output): into a temporary file beside
 * it, then renamed over it, so that readers see all of it or none.  A path
 * that exists and is no regular file (a pipe, /dev/null) is written in place.
 */
bool
file_write(const char *path, const void *bytes, size_t size,
           struct diag_sink *sink);

/*
 * A file that is written as it comes: "-" is standard output.  NULL: errno says
 * why it cannot be.
 */
FILE *
file_open_output(const char *path);

/* False: not all of it was written.  NULL is nothing. */
bool
file_close_output(FILE *out);

/*
 * Could file_write write it, as far as that is known before?  Creates nothing.
 * False: errno says why not.
 */
bool
file_may_write(const char *path);

/*
 * Would writing one write the other, by another path or through a link?  Files need
 * not exist.  Never of devices and of standard output ("-").
 */
bool
file_is_same(const char *a, const char *b);
