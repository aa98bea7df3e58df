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

/* For later: where that is, and the words for it.  NULL: not known. */
void *
origin_caller(void);

void
origin_of_caller(void *caller, char *text, size_t room);

/* The same in memory that the caller frees.  NULL: as origin_describe. */
char *
origin_place(void);
