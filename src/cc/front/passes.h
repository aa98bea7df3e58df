/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/front/module.h"

/* Named metadata of a module that was compiled with -fcheck-race. */
#define EXACT_ATOMICS "ventus.exact_atomics"

/* Named metadata of one that was compiled with -fcheck-bounds. */
#define MARKED_OBJECTS "ventus.marked_objects"

bool
front_optimise(struct front_build *b);

/* No function but intrinsics may be left. */
bool
front_check(struct front_build *b);
