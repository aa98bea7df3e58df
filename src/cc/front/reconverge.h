/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/front/module.h"

/* Makes the control flow of functions that may call functions of sub-groups structured: lanes
 * that part at a branch are together after its statement.  For a module without switches. */
void
front_reconverge(struct front_build *b);
