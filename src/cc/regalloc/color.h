/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/regalloc/ra.h"

/* True if each value has a register; else some are `spilled` now. */
bool
ra_color(struct ra_graph *g);
