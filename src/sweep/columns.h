/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>

/* The number of columns that identify the origin of a row, as members of the record. */
enum { COLUMNS_OF_RECORD = 11 };
extern const char *const columns_of_record[COLUMNS_OF_RECORD];

/* Whether any table has a column of this name, without a dot. */
bool
columns_have(const char *name);
