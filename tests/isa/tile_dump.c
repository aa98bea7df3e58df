/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines of up to 5 hex words from standard input, decoded: how many words the
 * instruction takes and its text, or 0.  What decodes must encode to the same
 * words again.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ventus/tile_isa.h>

int
main(void)
{
    char line[128], text[TILE_TEXT_MAX];
    while (fgets(line, sizeof line, stdin)) {
        uint32_t words[5], back[TILE_WORDS_MAX];
        size_t count = 0;
        for (char *at = line, *end; count < 5; at = end) {
            words[count] = (uint32_t)strtoul(at, &end, 16);
            if (at == end)
                break;
            count++;
        }
        struct tile_insn in;
        unsigned n = tile_decode(words, count, &in);
        if (!n) {
            puts("0");
            continue;
        }
        if (tile_encode(&in, back) != n || memcmp(words, back, n * 4) != 0) {
            puts("does not encode to itself");
            return 1;
        }
        tile_print(&in, NULL, text, sizeof text);
        printf("%u %s\n", n, text);
    }
    return 0;
}
