/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stddef.h>

/* The call that created an object, in words, for reports of checks: "the 3rd
 * clCreateBuffer, in main (app.c:57) of app".  `call` is counted.  NULL: checks are
 * off, or no host memory.  The caller frees the text. */
char *
origin_describe(const char *call, unsigned *count);

/* The call site of the current entry in the program: ", in main (app.c:57) of app"; ""
 * if unknown. */
void
origin_of_call(char *text, size_t capacity);

/* The call site as an address, and its description, for later.  NULL: unknown. */
void *
origin_caller(void);

void
origin_of_caller(void *caller, char *text, size_t capacity);

/* The call site in memory that the caller frees.  NULL: as origin_describe. */
char *
origin_place(void);
