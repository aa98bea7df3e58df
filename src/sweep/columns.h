/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>

/* Columns that say where a row comes from, by their members of the record. */
enum { COLUMNS_OF_RECORD = 11 };
extern const char *const columns_of_record[COLUMNS_OF_RECORD];

/* Is there a column of this name, without a dot, in any table? */
bool
columns_have(const char *name);
