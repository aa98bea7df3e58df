/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <ventus/dev.h>

#include "cl/object.h"

/*
 * Checks of kernels and of what the program leaves behind: VENTUS_CHECK is a
 * list of kinds of docs/debugging.md, or all.
 */

/* A device is there: its launches are checked, if that is wanted. */
void
checks_open(struct ventus_dev *d);

/* Called for each object of the type that is left at the end of the program. */
void
checks_at_end(enum object_type type, void (*fn)(void *object));

/* Are mistakes of the program to be told? */
bool
checks_api(void);

/* A wrong use of the API that is no error there, if these checks are on.  `finding`
 * and `place`, the call, live on; `kernel` may be NULL. */
void
checks_note(const char *finding, const char *kernel, const char *place,
            const char *format, ...) __attribute__((format(printf, 4, 5)));

/* The program has made (n = 1) or freed (-1) shared memory of so many bytes. */
void
checks_shared(int n, size_t size_B);
