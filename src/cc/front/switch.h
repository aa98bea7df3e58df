/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/front/module.h"

/* Before lower-switch, and behind it: its compares get the lines of the switches. */
void
front_mark_switches(struct front_build *b);

void
front_settle_switches(struct front_build *b);
