/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/front/module.h"

/* The folder of the device library; NULL: reported. */
const char *
front_find_library(struct arena *a, const struct cc_target *target,
                   struct diag_sink *sink);

/* Calls of exact functions become calls of native ones. */
void
front_use_native(LLVMModuleRef module);

/* Links the parts of b->library that have functions which the module calls. */
void
front_link(struct front_build *b);
