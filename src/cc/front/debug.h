/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/front/module.h"

/* With -g: variables can be followed through what comes; before that. */
void
front_prepare_debug(struct front_build *b);

/* ... and vectors, where they become their elements: before that. */
void
front_split_debug(struct front_build *b);

/* With -g and without optimisation: places to stop where functions that are inlined
 * are called and begin; which are, is chosen before. */
void
front_place_calls(struct front_build *b);
