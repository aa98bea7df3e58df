/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/regalloc/ra.h"

/* The number of registers of a class that may be assigned. */
unsigned
ra_limit(const struct ra_graph *g, enum ir_class cls);

/* The i-th register in the order of preference; -1 after the last. */
int
ra_register(const struct ra_graph *g, enum ir_class cls, unsigned i);
