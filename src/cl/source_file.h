/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stddef.h>

/*
 * The file from which a program has read a source, for debuggers, which name places by
 * files: an argument of the program, or a file below its working directory, whose
 * contents are the source.
 */

/* Its path, relative to the working directory as a rule; NULL: none was found.  The
 * caller frees it. */
char *
source_file_find(const char *text, size_t size);
