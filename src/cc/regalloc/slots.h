/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/regalloc/ra.h"

/* Assigns memory to all spilled words; scalars that do not fit become
 * vectors. */
void
ra_slots(struct ra_graph *g);
