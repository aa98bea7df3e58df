/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stddef.h>

/* Spelling: the name most like a word, for "did you mean". */
struct spelling {
    const char *word;
    const char *name; /* NULL: no name that was offered is similar */
    unsigned edits;   /* edit distance of `name` */
};

/* The edit distance of two words: letters inserted, removed or replaced, and
 * neighbours swapped (optimal string alignment).  UINT_MAX if one has more than 63
 * bytes. */
unsigned
spelling_edits(const char *a, const char *b);

/* Offers `name`, which must outlive `n`.  It is taken if it is closer than all before:
 * at most one edit, two from six letters on, three from twelve letters on.  Where none
 * is, it is taken if one of the two begins with the other, of three letters or more. */
void
spelling_offer(struct spelling *n, const char *name);
