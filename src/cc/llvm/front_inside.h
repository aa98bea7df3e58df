/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/llvm/front_module.h"

/* Of a load or store that is inside of its variable if clang's tests say nothing. */
#define INSIDE_METADATA "ventus.inside"

/* With -fcheck-bounds: marks them, behind clang. */
void
front_mark_inside(struct front_build *b);
