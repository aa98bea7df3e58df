/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/front/module.h"

/* Prepares variables so that they can be followed through the passes, with -g; before
 * these. */
void
front_prepare_debug(struct front_build *b);

/* Splits the records of vectors, with -g, before vectors become their elements. */
void
front_split_debug(struct front_build *b);

/* Makes places to stop where inlined functions are called and begin, with -g and
 * without optimisation; after it was chosen which are inlined. */
void
front_place_calls(struct front_build *b);
