/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <ventus/dev.h>

#include "cl/object.h"

/* Checks of kernels and of leaks: VENTUS_CHECK is a list of kinds of
 * docs/debugging.md, or all. */

/* Enables the checks of a new device's launches, if they are requested. */
void
checks_open(struct ventus_dev *d);

/* Registers a function that is called at exit for each object of the type that still
 * lives. */
void
checks_at_end(enum object_type type, void (*fn)(void *object));

/* Whether mistakes in the use of the API are to be reported. */
bool
checks_api(void);

/* Reports a wrong use of the API that is no error there, if these checks are enabled.
 * `finding` and `place`, the call, are not copied; `kernel` may be NULL. */
void
checks_note(const char *finding, const char *kernel, const char *place,
            const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Counts shared memory of size_B bytes that the program has allocated (n = 1) or freed
 * (-1). */
void
checks_shared(int n, size_t size_B);
