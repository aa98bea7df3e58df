/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"

/*
 * Reads a whole file ("-" is standard input) into the arena, a zero byte
 * behind it.  NULL, and an error in the sink, if it cannot be read.
 */
uint8_t *
file_read(struct arena *a, const char *path, size_t *size,
          struct diag_sink *sink);

/* Writes a whole file, as output.h does. */
bool
file_write(const char *path, const void *bytes, size_t size,
           struct diag_sink *sink);

/*
 * Would writing one write the other, by another path or through a link?  Files need
 * not exist.  Never of devices and of standard output ("-").
 */
bool
file_is_same(const char *a, const char *b);

/*
 * The prefix that gives a path a folder: "./" for a plain name, else "".  GDB finds a
 * file by the end of the path that a program has of it, from a slash on, so k.cl and
 * ./k.cl are both found as ./k.cl.
 */
const char *
file_folder(const char *path);
