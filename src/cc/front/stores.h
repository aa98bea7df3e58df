/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/front/module.h"

/* Marks stores to variables in memory, before a pass that may remove them. */
void
front_mark_stores(struct front_build *b);

void
front_settle_stores(struct front_build *b);

/* Makes variables unknown where their stores were removed; after all passes. */
void
front_place_variables(struct front_build *b);
