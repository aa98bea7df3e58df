/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"

/* Reads a whole file ("-" is standard input) into the arena, and a zero byte after it.
 * NULL, and an error in the sink, if it cannot be read. */
uint8_t *
file_read(struct arena *a, const char *path, size_t *size,
          struct diag_sink *sink);

/* Writes a whole file, as output.h does. */
bool
file_write(const char *path, const void *bytes, size_t size,
           struct diag_sink *sink);

/* Whether writing one file would overwrite the other, by another path or through a
 * link.  Files need not exist.  False for devices and for standard output ("-"). */
bool
file_is_same(const char *a, const char *b);

/*
 * The prefix that gives a path a folder: "./" for a plain name, else "".  GDB finds a
 * file by the end of the path that a program has of it, from a slash on, so k.cl and
 * ./k.cl are both found as ./k.cl.
 */
const char *
file_folder(const char *path);
