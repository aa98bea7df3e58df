/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The input is two words for each instruction.  What decodes must encode to
 * the same words, decode to the same again, and print in both styles into any
 * room without going past it.
 */
#include <stdlib.h>
#include <string.h>

#include <ventus/isa.h>

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void
require(bool ok)
{
    if (!ok)
        abort();
}

static void
try(enum ventus_isa_version version, const uint32_t *words, size_t room)
{
    struct ventus_isa_insn in, again;
    uint32_t back[2] = { 0, 0 };
    unsigned n = ventus_isa_decode(version, words, 2, &in);
    if (!n)
        return;
    require(ventus_isa_encode(&in, back) == n);
    require(memcmp(words, back, n * sizeof *words) == 0);
    require(ventus_isa_decode(version, back, n, &again) == n);
    char text[VENTUS_ISA_TEXT_MAX];
    for (int style = 0; style < 2; style++) {
        struct ventus_isa_print p = { .style = (enum ventus_isa_style)style };
        require(ventus_isa_print(&in, &p, text, sizeof text) < sizeof text - 1);
        char *cut = malloc(room + 1);
        ventus_isa_print(&in, &p, cut, room);
        free(cut);
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i + 8 <= size; i += 8) {
        uint32_t words[2];
        memcpy(words, bytes + i, sizeof words);
        try(VENTUS_ISA_V1, words, size % 40);
        try(VENTUS_ISA_V2, words, size % 40);
    }
    return 0;
}
