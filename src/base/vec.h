/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/arena.h"

/*
 * Growable arrays that live in an arena.  Growing copies and leaves the old
 * array to the arena, so pointers into a vec are valid until the next push.
 *
 *     vec(struct sym) syms = {0};
 *     vec_push(&arena, &syms, ((struct sym){ .name = "main" }));
 *     for (size_t i = 0; i < syms.n; i++) use(&syms.at[i]);
 */
#define vec(type)      \
    struct {           \
        type *at;      \
        size_t n, cap; \
    }

#define vec_push(a, v, ...)                                                   \
    ((v)->n == (v)->cap ? (void)((v)->at = vec_grow((a), (v)->at, &(v)->cap,  \
                                                    (v)->n, sizeof *(v)->at)) \
                        : (void)0,                                            \
     (v)->at[(v)->n++] = (__VA_ARGS__))

/* A larger copy of the `n` elements of `size` bytes at `at`; sets `*cap`. */
void *
vec_grow(struct arena *a, const void *at, size_t *cap, size_t n, size_t size);
