/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"

/* Sets specialization constants of a SPIR-V module, in its bytes: each of n words is
 * ID=VALUE, with a whole number, true, false, or a floating-point number, as the constant's
 * type is.  False: a word is wrong, or the module has no such constant, which is
 * reported. */
bool
constants_set(void *module, size_t size, const char *const *words, size_t n,
              struct diag_sink *sink);
