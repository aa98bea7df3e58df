/* SPDX-License-Identifier: Apache-2.0 */
/* A mutator of texts: words and lines are what is changed, and the new words
 * come from a vocabulary. */
#pragma once

#include <ctype.h>

#include "random.h"

struct text {
    struct rng *r;
    uint8_t *at;
    size_t n, capacity;
    const char *const *words;
    unsigned n_words;
};

static inline void
text_replace(struct text *t, size_t from, size_t size, const void *with,
             size_t n)
{
    if (t->n - size + n > t->capacity)
        return;
    memmove(t->at + from + n, t->at + from + size, t->n - from - size);
    memcpy(t->at + from, with, n);
    t->n += n - size;
}

/* The word, line or single other character that `at` is in. */
static inline size_t
text_unit(const struct text *t, size_t at, bool lines, size_t *end)
{
    size_t from = at, to = at;
    if (lines) {
        while (from && t->at[from - 1] != '\n')
            from--;
        while (to < t->n && t->at[to] != '\n')
            to++;
        *end = to < t->n ? to + 1 : to;
        return from;
    }
    while (from && (isalnum(t->at[from - 1]) || t->at[from - 1] == '_'))
        from--;
    while (to < t->n && (isalnum(t->at[to]) || t->at[to] == '_'))
        to++;
    *end = to > from ? to : at + 1;
    return from;
}

static inline void
text_number(struct text *t, size_t from, size_t size)
{
    static const char *const numbers[] = { "0",
                                           "1",
                                           "-1",
                                           "2",
                                           "7",
                                           "31",
                                           "32",
                                           "63",
                                           "64",
                                           "65",
                                           "255",
                                           "256",
                                           "4095",
                                           "4096",
                                           "65535",
                                           "65536",
                                           "2147483647",
                                           "-2147483648",
                                           "4294967295",
                                           "4294967296",
                                           "9223372036854775807",
                                           "18446744073709551615",
                                           "18446744073709551616",
                                           "0x80000000",
                                           "1e30" };
    const char *with =
        numbers[rng_below(t->r, sizeof numbers / sizeof *numbers)];
    text_replace(t, from, size, with, strlen(with));
}

/* Copies a unit of the text over, or before, another of the same sort. */
static inline void
text_copy(struct text *t, size_t from, size_t end, bool lines, bool over)
{
    uint8_t kept[512];
    size_t other_end;
    size_t other =
        text_unit(t, rng_below(t->r, (uint32_t)t->n), lines, &other_end);
    size_t n =
        other_end - other < sizeof kept ? other_end - other : sizeof kept;
    memcpy(kept, t->at + other, n);
    text_replace(t, from, over ? end - from : 0, kept, n);
}

static inline void
text_mutate_once(struct text *t)
{
    bool lines = rng_one_of(t->r, 3);
    size_t end = 0, from = 0;
    if (t->n)
        from = text_unit(t, rng_below(t->r, (uint32_t)t->n), lines, &end);
    const char *word = t->words[rng_below(t->r, t->n_words)];
    switch (t->n ? rng_below(t->r, 10) : 0) {
    case 0:
    case 1: /* a word, with a space now and then */
        text_replace(t, from, 0, word, strlen(word));
        if (rng_one_of(t->r, 2))
            text_replace(
                t, from + strlen(word) < t->n ? from + strlen(word) : t->n, 0,
                " ", 1);
        return;
    case 2:
    case 3:
    case 4:
        text_replace(t, from, lines ? 0 : end - from, word, strlen(word));
        return;
    case 5:
        text_replace(t, from, end - from, "", 0);
        return;
    case 6:
        if (!lines && isdigit(t->at[from]))
            text_number(t, from, end - from);
        return;
    case 7:
        text_copy(t, from, end, lines, true);
        return;
    case 8:
        text_copy(t, from, end, lines, false);
        return;
    default:
        t->at[rng_below(t->r, (uint32_t)t->n)] = (uint8_t)rng_word(t->r);
        return;
    }
}

/* Changes what is behind the first `head` bytes; returns the new size. */
static inline size_t
text_mutate(unsigned seed, uint8_t *bytes, size_t size, size_t max_size,
            size_t head, const char *const *words, unsigned n_words)
{
    struct rng r = rng_of(seed);
    if (size < head || rng_one_of(&r, 40))
        return LLVMFuzzerMutate(bytes, size, max_size);
    if (head && rng_one_of(&r, 10))
        bytes[rng_below(&r, (uint32_t)head)] = (uint8_t)rng_word(&r);
    struct text t = { &r,    bytes + head, size - head, max_size - head,
                      words, n_words };
    for (unsigned n = 1 + rng_below(&r, 4); n; n--)
        text_mutate_once(&t);
    return head + t.n;
}
