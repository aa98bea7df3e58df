/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stddef.h>

/* The file from which a program has read a source, for debuggers, which name positions
 * by files: an argument of the program, or a file below its working directory, with
 * the same contents as the source. */

/* The path of the file, relative to the working directory as a rule; NULL: not found.
 * The caller frees it. */
char *
source_file_find(const char *text, size_t size);
