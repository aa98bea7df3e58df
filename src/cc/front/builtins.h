/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/front/module.h"

/* Replaces calls whose results are known by these; after inlining. */
void
front_resolve_builtins(struct front_build *b);

/* Whether `insn` is clang's call for a sampler that the program has as a constant. */
bool
front_is_sampler_constant(LLVMValueRef insn);
