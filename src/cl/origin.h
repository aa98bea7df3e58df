/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stddef.h>

/*
 * Which call of the program created an object, in words, for reports of checks: "the
 * 3rd clCreateBuffer, in main (app.c:57) of app".  `call` is counted.  NULL: no checks
 * are wanted, or no host memory.  The caller frees it.
 */
char *
origin_describe(const char *call, unsigned *count);

/* Where the program has called the entry that runs: ", in main (app.c:57) of app"; "" if
 * that is not known. */
void
origin_of_call(char *text, size_t room);
