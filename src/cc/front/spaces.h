/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/front/module.h"

/* Generic pointers get address spaces; after inlining. */
void
front_resolve_spaces(struct front_build *b);
