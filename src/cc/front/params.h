/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/front/module.h"

/* False with an error if a function has too many parameters for LLVM. */
bool
front_check_params(struct front_build *b, const void *bitcode, size_t size);
