/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/front/module.h"

/* Give the compares that lower-switch makes the lines of the switches: before and
 * after it. */
void
front_mark_switches(struct front_build *b);

void
front_settle_switches(struct front_build *b);
