/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/vec.h"

typedef vec(const char *) sweep_words;

/* Splits a command into words, separated by spaces; 'a b' and "a b" are one.  NULL, or
 * the error. */
const char *
values_split(struct arena *a, const char *text, sweep_words *words);

/* Lists the values in a text: words and ranges.  NULL, or the error. */
const char *
values_expand(struct arena *a, const char *text, sweep_words *values);
