/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stddef.h>

/*
 * Binary search: BISECT(i, n, before) sets the variable `i` to the first index of [0,
 * n) at which the expression `before`, which names i, is false, and to n if it is true
 * at all of them.  The expression is monotonic: once false, it is false at all later
 * indices.
 *
 *     size_t i;
 *     BISECT(i, n, key[i] < k);     the lower bound of k: the first that is k or more
 *     BISECT(i, n, key[i] <= k);    the upper bound: the first that is more
 */
#define BISECT(i, n, before)                                   \
    do {                                                       \
        size_t bisect_from = 0, bisect_to = (n);               \
        while (bisect_from < bisect_to) {                      \
            (i) = bisect_from + (bisect_to - bisect_from) / 2; \
            if (before)                                        \
                bisect_from = (i) + 1;                         \
            else                                               \
                bisect_to = (i);                               \
        }                                                      \
        (i) = bisect_from;                                     \
    } while (0)
