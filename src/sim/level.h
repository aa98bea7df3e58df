/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>

/* Has this processor a level of x86-64, "v2", "v3" or "v4"?  "plain": all have. */
bool
lanes_has_level(const char *name);
