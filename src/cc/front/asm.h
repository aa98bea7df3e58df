/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/front/module.h"

/* Reports assembly outside of functions; false if there is some. */
bool
front_refuse_asm(struct front_build *b);
