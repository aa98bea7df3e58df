/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/front/module.h"

/* Makes variables begin with values that checks know, for -fcheck-init; on clang's
 * module. */
void
front_mark_unwritten(struct front_build *b);

/* Ends variables that are still in memory with their function, for -fcheck-init. */
void
front_end_frames(struct front_build *b);
