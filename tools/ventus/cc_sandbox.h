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

/* A file that clang writes: it is made first, so that nothing else need be
 * permitted. */
void
sandbox_allow_depfile(struct sandbox *s, struct arena *a, const char *file);

/* From now on the end of processor time is told before the signal ends us. */
void
sandbox_tell_time_over(const struct sandbox *s);
