/* SPDX-License-Identifier: Apache-2.0 */
/* The files of a command line that the compiler's sandbox permits. */
#pragma once

#include "cc/sandbox/sandbox.h"

/* Permits reading a file, and the files beside it. */
void
sandbox_allow_input(struct sandbox *s, struct arena *a, const char *file);

/* Permits file_write to write a file; "-" is standard output. */
void
sandbox_allow_output(struct sandbox *s, struct arena *a, const char *file);

/* Reports the end of processor time and crashes from now on: `hidden` (or NULL) is
 * removed, and the exit status is 1; a file that grows too large is a write error. */
void
sandbox_tell_ends(const struct sandbox *s, const char *hidden);
