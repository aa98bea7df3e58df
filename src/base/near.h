/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stddef.h>

/* "did you mean": of the names that are offered, the one most like a word. */
struct near {
    const char *word;
    const char *name; /* NULL: none of those offered is near */
    unsigned edits;   /* of that name */
};

/*
 * Edits that make one word of the other: a letter inserted, removed or replaced,
 * or two neighbours swapped (optimal string alignment).  UINT_MAX if one of them
 * has more than 63 bytes.
 */
unsigned
near_edits(const char *a, const char *b);

/*
 * Takes `name`, which must outlive `n`, if it is nearer than all before: at most
 * one edit, two from six letters on, three from twelve letters on; or, where no other
 * is near, one of the two begins with the other, of three letters and more.
 */
void
near_offer(struct near *n, const char *name);
