/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>

/*
 * Memory by lifetime.  An arena hands out zeroed memory that is never freed
 * piece by piece: a mark and a reset give back what one pass used, arena_free
 * gives back everything.  An all-zero arena is ready to use:
 *
 *     struct arena a = {0};
 *     struct insn *i = arena_new(&a, struct insn, 1);
 *     char *name = arena_printf(&a, "%s.%u", stem, n);
 *     arena_free(&a);
 *
 * Out of memory, or a size that overflows, ends the protected call (oom.h), in
 * a tool the program.  One arena belongs to one thread.  Under AddressSanitizer
 * what was not handed out is poisoned.
 */
struct arena_block;

struct arena {
    struct arena_block *last; /* newest block, linked to older ones */
    char *next, *end;         /* free part of the newest block */
};

struct arena_mark {
    struct arena_block *last;
    char *next;
};

#define arena_new(a, type, count) \
    ((type *)arena_alloc((a), (count), sizeof(type), alignof(type)))

/* Zeroed memory for `count` objects of `size` bytes. */
void *
arena_alloc(struct arena *a, size_t count, size_t size, size_t align);

/* A copy of the `n` bytes at `s`, with a zero byte after them. */
char *
arena_strndup(struct arena *a, const char *s, size_t n);

char *
arena_printf(struct arena *a, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

char *
arena_vprintf(struct arena *a, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

struct arena_mark
arena_mark(const struct arena *a);

void
arena_reset(struct arena *a, struct arena_mark mark);

void
arena_free(struct arena *a);
