/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>

/*
 * Expressions of a plan over keys, counters and other columns of its table:
 *
 *     [metrics]
 *     energy_nJ = 0.3 * memory_B + 0.02 * lane_operations
 *     area = num_sm * (1.5 + dcache_sets * dcache_ways / 512)
 *
 * Numbers, names (letters, digits, _ and .), + - * / ^ and parentheses, with the usual
 * precedence, and min(a, b), max(a, b), sqrt(a), log2(a).  They do nothing else.
 */

/* The value of a name; false: there is none. */
typedef bool
metric_lookup(void *ctx, const char *name, double *value);

/* NULL, and *value; or what is wrong with the text.  A name without a value, a division by
 * zero and the like: *value is not finite. */
const char *
metric_value(const char *text, metric_lookup *lookup, void *ctx, double *value);
