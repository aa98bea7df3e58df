/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>

/* Columns of a table that are of a record as a whole, not of one of its launches. */
enum { COLUMN_ORIGINS = 11 };

extern const char *const column_origin[COLUMN_ORIGINS];

/* Is there a column of this name, without a dot, in any table? */
bool
column_is_measured(const char *name);
