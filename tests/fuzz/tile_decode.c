/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The input is words, with bits 6:0 made the tile opcode, or nothing would
 * decode.  What decodes must encode to the same words and print in any room.
 */
#include <stdlib.h>
#include <string.h>

#include <ventus/tile_isa.h>

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void
require(bool ok)
{
    if (!ok)
        abort();
}

static void
try(const uint32_t *words, size_t count, size_t room)
{
    struct ventus_tile_insn in;
    uint32_t back[VENTUS_TILE_WORDS_MAX];
    unsigned n = ventus_tile_decode(words, count, &in);
    if (!n)
        return;
    require(n <= count && in.size == n * 4);
    require(ventus_tile_encode(&in, back) == n);
    require(memcmp(words, back, n * sizeof *words) == 0);
    char text[VENTUS_TILE_TEXT_MAX];
    require(ventus_tile_print(&in, NULL, text, sizeof text) < sizeof text - 1);
    char *cut = malloc(room + 1);
    ventus_tile_print(&in, NULL, cut, room);
    free(cut);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    uint32_t words[5];
    for (size_t i = 0; i + sizeof words <= size; i += sizeof words) {
        memcpy(words, bytes + i, sizeof words);
        for (unsigned w = 0; w < 5; w++)
            words[w] = (words[w] & ~0x7fu) | VENTUS_TILE_OP;
        for (size_t count = 0; count <= 5; count++)
            try(words, count, size % 40);
    }
    return 0;
}
