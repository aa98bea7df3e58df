/* SPDX-License-Identifier: Apache-2.0 */
/* The files of a command line that the compiler's sandbox lets through. */
#pragma once

#include "cc/sandbox.h"

/* A file that is read, and the files beside it. */
void
sandbox_allow_input(struct sandbox *s, struct arena *a, const char *file);

/* A file that file_write will write; "-" is standard output. */
void
sandbox_allow_output(struct sandbox *s, struct arena *a, const char *file);

/* From now on the end of processor time and a crash are told, `hidden` (or NULL) is
 * removed, and the exit status is 1; a file that grows too large is an error of
 * writing. */
void
sandbox_tell_ends(const struct sandbox *s, const char *hidden);
