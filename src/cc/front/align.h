/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/front/module.h"

/* Inserts tests of the alignment of addresses, for -fcheck-bounds; on clang's module,
 * before the library is linked. */
void
front_mark_alignment(struct front_build *b);
