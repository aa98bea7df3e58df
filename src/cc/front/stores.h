/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/front/module.h"

/* With -g: around a pass that may remove stores to variables in memory. */
void
front_mark_stores(struct front_build *b);

void
front_settle_stores(struct front_build *b);

/* Where they were, the variables are unknown; behind all passes. */
void
front_place_variables(struct front_build *b);
