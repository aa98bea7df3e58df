/* SPDX-License-Identifier: Apache-2.0 */
#include "base/vec.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "base/oom.h"

#ifdef VENTUS_TINY
enum { FIRST_CAP = 1 };
#else
enum { FIRST_CAP = 8 };
#endif

void *
vec_grow(struct arena *a, const void *at, size_t *cap, size_t n, size_t size)
{
    assert(n <= *cap);
    if (*cap > SIZE_MAX / 2)
        base_out_of_memory(*cap, size);
    size_t bigger = *cap ? *cap * 2 : FIRST_CAP;
    /* The element type is unknown here: the alignment suits any. */
    void *grown = arena_alloc(a, bigger, size, alignof(max_align_t));
    /* Set after the allocation: if memory runs out, the array stays as it is. */
    *cap = bigger;
    if (n)
        memcpy(grown, at, n * size);
    return grown;
}
