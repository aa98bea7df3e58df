/* SPDX-License-Identifier: Apache-2.0 */
#include "base/arena.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/oom.h"

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define ARENA_ASAN 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define ARENA_ASAN 1
#endif

#ifdef ARENA_ASAN
#include <sanitizer/asan_interface.h>
#define poison(at, n)   __asan_poison_memory_region((at), (n))
#define unpoison(at, n) __asan_unpoison_memory_region((at), (n))
/* Poisoned bytes after every piece, so that AddressSanitizer reports an overflow. */
enum { GAP = 8 };
#else
#define poison(at, n)   ((void)(at), (void)(n))
#define unpoison(at, n) ((void)(at), (void)(n))
enum { GAP = 0 };
#endif

#ifdef VENTUS_TINY
/* A block so small that nearly every allocation starts a new one. */
enum { BLOCK_SIZE = 64 };
#else
enum { BLOCK_SIZE = 64 * 1024 };
#endif

/* A block of memory, linked to the block before it; arena_reset frees the newest
 * first. */
struct arena_block {
    struct arena_block *older;
    char *end;
    alignas(max_align_t) char data[];
};

/* Starts a block that holds at least `need` bytes. */
static void
add_block(struct arena *a, size_t need)
{
    size_t capacity = need > BLOCK_SIZE ? need : BLOCK_SIZE;
    struct arena_block *block = malloc(sizeof *block + capacity);
    if (!block)
        base_out_of_memory(1, need);
    block->older = a->last;
    block->end = block->data + capacity;
    a->last = block;
    a->next = block->data;
    a->end = block->end;
    poison(a->next, capacity);
}

static size_t
padding(const char *at, size_t align)
{
    return -(uintptr_t)at & (align - 1);
}

static bool
fits(const struct arena *a, size_t bytes, size_t align)
{
    return a->last &&
           bytes + padding(a->next, align) <= (size_t)(a->end - a->next);
}

void *
arena_alloc(struct arena *a, size_t count, size_t size, size_t align)
{
    assert(align && (align & (align - 1)) == 0);
    /* The half leaves space for gap, padding and block header: sums cannot wrap. */
    if (size && count > PTRDIFF_MAX / 2 / size)
        base_out_of_memory(count, size);
    size_t bytes = count * size;
    if (!fits(a, bytes + GAP, align))
        add_block(a, bytes + GAP + align);
    char *at = a->next + padding(a->next, align);
    a->next = at + bytes + GAP;
    unpoison(at, bytes);
    return memset(at, 0, bytes);
}

char *
arena_strndup(struct arena *a, const char *s, size_t n)
{
    if (n == SIZE_MAX)
        base_out_of_memory(1, n);
    char *copy = arena_new(a, char, n + 1);
    if (n)
        memcpy(copy, s, n);
    return copy;
}

char *
arena_printf(struct arena *a, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *s = arena_vprintf(a, format, args);
    va_end(args);
    return s;
}

char *
arena_vprintf(struct arena *a, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    assert(n >= 0 && "format cannot be printed");
    char *s = arena_new(a, char, (size_t)n + 1);
    vsnprintf(s, (size_t)n + 1, format, again);
    va_end(again);
    return s;
}

struct arena_mark
arena_mark(const struct arena *a)
{
    return (struct arena_mark){ .last = a->last, .next = a->next };
}

void
arena_reset(struct arena *a, struct arena_mark mark)
{
    while (a->last != mark.last) {
        struct arena_block *block = a->last;
        assert(block && "the mark is of another arena, or was reset over");
        a->last = block->older;
        unpoison(block->data, (size_t)(block->end - block->data));
        free(block);
    }
    a->next = mark.next;
    a->end = a->last ? a->last->end : NULL;
    if (a->last)
        poison(a->next, (size_t)(a->end - a->next));
}

void
arena_free(struct arena *a)
{
    arena_reset(a, (struct arena_mark){ 0 });
}
