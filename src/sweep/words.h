/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/vec.h"

typedef vec(const char *) sweep_words;

/* The words of a command: separated by spaces; 'a b' and "a b" are one.  NULL,
 * or what is wrong with it. */
const char *
words_split(struct arena *a, const char *text, sweep_words *words);

/* The values that a text gives: words and ranges.  NULL, or what is wrong. */
const char *
words_values(struct arena *a, const char *text, sweep_words *values);
