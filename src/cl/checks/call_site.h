/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stddef.h>

/* The call that created an object, in words, for reports of checks: "the 3rd
 * clCreateBuffer, in main (app.c:57) of app".  `call` is counted.  NULL: checks are
 * off, or no host memory.  The caller frees the text. */
char *
call_site_describe(const char *call, unsigned *count);

/* The call site of the current entry in the program: ", in main (app.c:57) of app"; ""
 * if unknown. */
void
call_site_current(char *text, size_t capacity);

/* The call site as an address, and its description, for later.  NULL: unknown. */
void *
call_site_address(void);

void
call_site_of_address(void *caller, char *text, size_t capacity);

/* The call site in memory that the caller frees.  NULL: as call_site_describe. */
char *
call_site_copy(void);
