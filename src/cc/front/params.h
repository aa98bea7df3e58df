/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/front/module.h"

/* Reports a function that has too many parameters for LLVM; false if there is one. */
bool
front_check_params(struct front_build *b, const void *bitcode, size_t size);
