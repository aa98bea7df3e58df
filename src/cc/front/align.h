/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/front/module.h"

/* With -fcheck-bounds: tests of addresses, behind clang and before the library. */
void
front_mark_alignment(struct front_build *b);
