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
 * An expression has numbers, names (letters, digits, _ and .), + - * / ^ and
 * parentheses, with the usual precedence, and min(a, b), max(a, b), sqrt(a), log2(a).
 */

/* Finds the value of a name; false: unknown. */
typedef bool
metric_lookup(void *ctx, const char *name, double *value);

/* Evaluates a text.  NULL, and *value; or the error in the text.  A name without a
 * value, a division by zero and the like make *value infinite or NaN. */
const char *
metric_value(const char *text, metric_lookup *lookup, void *ctx, double *value);
