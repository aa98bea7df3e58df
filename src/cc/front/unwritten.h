/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/front/module.h"

/* With -fcheck-init: variables begin with values that checks know; behind clang. */
void
front_mark_unwritten(struct front_build *b);

/* The same: variables that are still in memory end with their function. */
void
front_end_frames(struct front_build *b);
