/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep/values.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { RANGE_MAX = 10000 };

const char *
values_split(struct arena *a, const char *text, sweep_words *words)
{
    while (*(text += strspn(text, " \t"))) {
        char *word = arena_new(a, char, strlen(text) + 1);
        size_t n = 0;
        for (; *text && !isspace((unsigned char)*text); text++) {
            const char *end =
                *text == '\'' || *text == '"' ? strchr(text + 1, *text) : NULL;
            if (end) {
                memcpy(word + n, text + 1, (size_t)(end - text) - 1);
                n += (size_t)(end - text) - 1;
                text = end;
            } else if (*text == '\'' || *text == '"') {
                return "expected the end of a quotation";
            } else {
                word[n++] = *text;
            }
        }
        vec_push(a, words, word);
    }
    return NULL;
}

/* Reads a number, followed by K, M, G or nothing. */
static bool
read_number(const char **text, uint64_t *value, unsigned *shift)
{
    char *end;
    if (!isdigit((unsigned char)**text))
        return false;
    *value = strtoull(*text, &end, 10);
    *shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
    if (*value > UINT64_MAX >> *shift)
        return false;
    *value <<= *shift;
    *text = end + (*shift != 0);
    return true;
}

static const char *
print_number(struct arena *a, uint64_t x, unsigned shift)
{
    assert(shift % 10 == 0 && shift <= 30);
    const char *unit = shift == 10 ? "K" : shift == 20 ? "M" : "G";
    if (!shift || x & ((UINT64_C(1) << shift) - 1))
        return arena_printf(a, "%" PRIu64, x);
    return arena_printf(a, "%" PRIu64 "%s", x >> shift, unit);
}

/* Adds FROM..TO+STEP, FROM..TO*FACTOR, or FROM..TO with steps of 1. */
static const char *
add_range(struct arena *a, const char *text, sweep_words *values)
{
    uint64_t from, to, step = 1;
    unsigned shift, other;
    if (!read_number(&text, &from, &shift) || strncmp(text, "..", 2) != 0)
        return "expected FROM..TO";
    text += 2;
    if (!read_number(&text, &to, &other))
        return "expected a number after '..'";
    char how = *text ? *text++ : '+';
    if ((how != '+' && how != '*') ||
        (text[-1] == how && !read_number(&text, &step, &other)) || *text)
        return "expected +STEP or *FACTOR at the end of a range";
    if (from > to || !step || (how == '*' && (step < 2 || !from)))
        return "expected a range that goes up";
    for (uint64_t x = from, n = 0;; n++) {
        if (n == RANGE_MAX)
            return "a range of more than 10000 values";
        assert(from <= x && x <= to && "steps go up and do not wrap");
        vec_push(a, values, print_number(a, x, shift));
        if (how == '+' ? to - x < step : x > to / step)
            return NULL;
        x = how == '+' ? x + step : x * step;
    }
}

const char *
values_expand(struct arena *a, const char *text, sweep_words *values)
{
    sweep_words words = { 0 };
    const char *wrong = values_split(a, text, &words);
    for (size_t i = 0; i < words.n && !wrong; i++) {
        if (isdigit((unsigned char)*words.at[i]) && strstr(words.at[i], ".."))
            wrong = add_range(a, words.at[i], values);
        else
            vec_push(a, values, words.at[i]);
    }
    return wrong;
}
