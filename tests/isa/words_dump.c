/* SPDX-License-Identifier: Apache-2.0 */
/*
 * words_dump tile|rv64: lines of up to 5 hex words from standard input,
 * decoded: how many bytes the instruction takes and its text, or 0.  What
 * decodes must encode to the same words again.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ventus/rv64_isa.h>
#include <ventus/tile_isa.h>

#include "isa/words.h"

static size_t
read_words(const char *line, uint32_t words[5])
{
    size_t count = 0;
    char *end;
    for (; count < 5; count++, line = end) {
        words[count] = (uint32_t)strtoul(line, &end, 16);
        if (line == end)
            break;
    }
    return count;
}

/* The text must assemble to words with the same text. */
static bool
reads_back(const char *text, const uint32_t *words, unsigned count)
{
    struct ventus_tile_insn in, again;
    uint32_t back[VENTUS_TILE_WORDS_MAX];
    char error[128] = "", other[VENTUS_TILE_TEXT_MAX];
    if (!words_parse(&tile_words, text, &in, error, sizeof error) ||
        ventus_tile_encode(&in, back) != count)
        return printf("%s: does not assemble: %s\n", text, error), false;
    /* Stores of x registers have several codes for one text. */
    ventus_tile_decode(back, count, &again);
    ventus_tile_print(&again, NULL, other, sizeof other);
    if (memcmp(words, back, 4 * count) == 0 ||
        (strncmp(text, "tmv.t.x", 7) == 0 && strcmp(text, other) == 0))
        return true;
    return printf("%s: assembles to %s\n", text, other), false;
}

int
main(int argc, char **argv)
{
    const struct words_isa *isa =
        argc > 1 && strcmp(argv[1], "rv64") == 0 ? &rv64_words : &tile_words;
    struct ventus_words_print options = { .no_alias = isa == &rv64_words };
    char line[128], text[VENTUS_TILE_TEXT_MAX];
    union {
        struct ventus_tile_insn tile;
        struct ventus_rv64_insn rv64;
    } in;
    while (fgets(line, sizeof line, stdin)) {
        uint32_t words[5], back[WORDS_MAX];
        size_t count = read_words(line, words);
        unsigned n = words_decode(isa, words, count, &in);
        if (!n) {
            puts("0");
            continue;
        }
        unsigned made = words_encode(isa, &in, back);
        if (made != (n + 3) / 4 || memcmp(words, back, made * 4) != 0) {
            printf("%s does not encode to itself\n", line);
            return 1;
        }
        words_print(isa, &in, &options, text, sizeof text);
        if (isa == &tile_words && !reads_back(text, back, made))
            return 1;
        printf("%u %s\n", n, text);
    }
    return 0;
}
