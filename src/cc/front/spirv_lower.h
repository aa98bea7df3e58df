/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/*
 * Writes what llvm-spirv-15 cannot read in terms of what it can: instructions that came
 * with SPIR-V 1.4, composites of values that are not constant, null scalars, initializers
 * of private variables.
 *
 * `words` are a module in the machine's byte order.  Any may come: an instruction whose
 * types are not found stays as it is.  Returns the new module, of the arena; *n is the
 * number of words before and after.
 */
uint32_t *
front_spirv_lower(struct arena *a, const uint32_t *words, size_t *n);
