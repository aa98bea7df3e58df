/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/front/module.h"

/* Reports calls of functions that are neither inlined, kept nor intrinsics. */
void
front_check_calls(struct front_build *b);
