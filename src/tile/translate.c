/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tile instructions as data for an ordinary RISC-V assembler, each a `.4byte`
 * in its own place, and back.
 */
#include "tile/translate.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "isa/words.h"

/* Could it be a tile instruction?  Those have a dot or begin with tcsr. */
static bool
looks_like_one(const char *at, const char *end)
{
    if (end - at < 4 || *at != 't')
        return false;
    if (memcmp(at, "tcsr", 4) == 0)
        return true;
    const char *p = at;
    while (p < end && *p != ' ' && *p != '\t' && *p != '.')
        p++;
    return p < end && *p == '.';
}

int
tile_replace(const char *statement, struct buf *out, char *error, size_t size)
{
    struct ventus_tile_insn in;
    uint32_t words[VENTUS_TILE_WORDS_MAX];
    if (!looks_like_one(statement, statement + strlen(statement)))
        return 0;
    if (!words_parse(&tile_words, statement, &in, error, size))
        return -1;
    unsigned count = ventus_tile_encode(&in, words);
    assert(count >= 1 && count <= VENTUS_TILE_WORDS_MAX);
    for (unsigned i = 0; i < count; i++)
        buf_printf(out, "%s0x%08x", i ? ", " : ".4byte ", words[i]);
    buf_printf(out, " # %s", statement);
    return 1;
}

/* ---- and back ------------------------------------------------------------ */

static unsigned
disassemble_one(char *text, size_t size, const uint8_t *at, size_t left,
                uint64_t pc)
{
    uint32_t words[VENTUS_TILE_WORDS_MAX] = { 0 };
    struct ventus_words_print options = { .has_pc = true, .pc = pc };
    struct ventus_tile_insn tile;
    struct ventus_rv64_insn rv64;
    size_t n = left < sizeof words ? left : sizeof words;
    memcpy(words, at, n);
    if (ventus_tile_is_word(words[0]) &&
        ventus_tile_decode(words, n / 4, &tile)) {
        ventus_tile_print(&tile, &options, text, size);
        return tile.size;
    }
    unsigned bytes =
        n >= 4 || (words[0] & 3) != 3 ? ventus_rv64_decode(words[0], &rv64) : 0;
    if (bytes && bytes <= left) {
        ventus_rv64_print(&rv64, &options, text, size);
        return bytes;
    }
    bytes = left < 2 ? 1 : (words[0] & 3) == 3 && left >= 4 ? 4 : 2;
    snprintf(text, size, "%s 0x%x",
             bytes == 4   ? ".4byte"
             : bytes == 2 ? ".2byte"
                          : ".byte",
             bytes == 4 ? words[0] : words[0] & (bytes == 2 ? 0xffff : 0xff));
    return bytes;
}

static void
print_labels(struct buf *out, const struct elf *e, size_t section, uint64_t pc)
{
    for (size_t i = 1; i < e->n_symbols; i++) {
        const struct elf_symbol *s = &e->symbol[i];
        if (s->section == section && s->value == pc && s->name[0] &&
            s->name[0] != '$' && strncmp(s->name, ".L", 2) != 0)
            buf_printf(out, "\n%s:\n", s->name);
    }
}

void
tile_disassemble(struct buf *out, const struct elf *e)
{
    char text[VENTUS_TILE_TEXT_MAX];
    for (size_t i = 1; i < e->n_sections; i++) {
        const struct elf_section *s = &e->section[i];
        if (!(s->flags & ELF_SHF_EXEC) || !s->contents)
            continue;
        buf_printf(out, "section %s\n", s->name);
        for (uint64_t at = 0; at < s->size;) {
            print_labels(out, e, i, s->addr + at);
            unsigned n = disassemble_one(text, sizeof text, s->contents + at,
                                         (size_t)(s->size - at), s->addr + at);
            assert(n > 0 && n <= s->size - at);
            buf_printf(out, "%8llx:  %s\n", (unsigned long long)(s->addr + at),
                       text);
            at += n;
        }
    }
}
