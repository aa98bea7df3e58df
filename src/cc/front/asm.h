/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/front/module.h"

/* False with an error if there is assembly outside of functions. */
bool
front_refuse_asm(struct front_build *b);
