/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/regalloc/ra.h"

/* Inserts spill code for the spilled values. */
void
ra_spill(struct ra_graph *g);
