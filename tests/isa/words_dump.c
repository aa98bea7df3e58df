/* SPDX-License-Identifier: Apache-2.0 */
/*
 * words_dump tile|rv64: lines of up to 5 hex words from standard input,
 * decoded: how many bytes the instruction takes and its text, or 0.  What
 * decodes must encode to the same words again.
 */
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

int
main(int argc, char **argv)
{
    const struct words_isa *isa =
        argc > 1 && strcmp(argv[1], "rv64") == 0 ? &rv64_words : &tile_words;
    struct words_print options = { .no_alias = isa == &rv64_words };
    char line[128], text[TILE_TEXT_MAX];
    union {
        struct tile_insn tile;
        struct rv64_insn rv64;
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
        printf("%u %s\n", n, text);
    }
    return 0;
}
