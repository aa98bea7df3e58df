/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>

/* Whether this processor has a microarchitecture level of x86-64: "v2", "v3" or "v4"; every
 * processor has "plain". */
bool
cpu_has_level(const char *name);
