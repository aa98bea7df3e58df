/* SPDX-License-Identifier: Apache-2.0 */
#include "obj/note.h"

#include <assert.h>
#include <string.h>

#include "base/cursor.h"

static const char section_name[] = ".note.ventus";
static const char owner[] = "Ventus";
enum { TYPE_ISA = 1 };

void
note_write_isa(struct elf_out *o, unsigned isa)
{
    assert(isa == 1 || isa == 2);
    unsigned section =
        elf_out_section(o, section_name, ELF_SHT_NOTE, 0, sizeof(uint32_t));
    struct buf *b = elf_out_contents(o, section);
    buf_u32(b, sizeof owner);
    buf_u32(b, sizeof(uint32_t));
    buf_u32(b, TYPE_ISA);
    buf_put(b, owner, sizeof owner);
    buf_align(b, 4, 0);
    assert(b->n % 4 == 0 && "descriptions are one word");
    buf_u32(b, isa);
}

/* Format: RISC-V psABI, chapter 5: 'A', then for each vendor its size, name and parts;
 * a part has a tag, its size and attributes. */
void
note_write_attributes(struct elf_out *o)
{
    static const char vendor[] = "riscv";
    static const char arch[] =
        "rv32i2p1_m2p0_a2p1_zicsr2p0_zfinx1p0_zve32x1p0_zvl32b1p0_xventus1p0";
    enum { TAG_FILE = 1, TAG_ARCH = 5, WORD = 4 };
    enum { PART = 1 + WORD + 1 + sizeof arch };
    unsigned section =
        elf_out_section(o, ".riscv.attributes", ELF_SHT_RISCV_ATTRIBUTES, 0, 1);
    struct buf *b = elf_out_contents(o, section);
    buf_u8(b, 'A');
    buf_u32(b, WORD + sizeof vendor + PART);
    buf_put(b, vendor, sizeof vendor);
    buf_u8(b, TAG_FILE);
    buf_u32(b, PART);
    buf_u8(b, TAG_ARCH);
    buf_put(b, arch, sizeof arch);
}

static bool
note_fail(const struct elf *elf, struct diag_sink *sink, const char *message)
{
    diag_report(sink, DIAG_ERROR, (struct diag_at){ .file = elf->file },
                "section '%s': %s", section_name, message);
    return false;
}

static bool
set_isa(const struct elf *elf, unsigned *isa, uint32_t found,
        struct diag_sink *sink)
{
    if (found != 1 && found != 2)
        return note_fail(elf, sink, "unknown version of the instruction set");
    if (*isa && *isa != found)
        return note_fail(
            elf, sink,
            "code for v1 and for v2 of the instruction set is mixed");
    *isa = found;
    return true;
}

/* The size of a name or a description including the padding to a word. */
static uint64_t
padded(uint32_t size)
{
    return ((uint64_t)size + 3) & ~(uint64_t)3;
}

static bool
read_section(const struct elf *elf, const struct elf_section *s, unsigned *isa,
             struct diag_sink *sink)
{
    struct cursor c = cursor_over(s->contents, (size_t)s->size);
    while (cursor_left(&c)) {
        uint32_t name_size = cursor_u32(&c);
        uint32_t size = cursor_u32(&c);
        uint32_t type = cursor_u32(&c);
        const uint8_t *name = cursor_bytes(&c, padded(name_size));
        const uint8_t *value = cursor_bytes(&c, padded(size));
        if (c.failed)
            return note_fail(elf, sink, "the note is cut off");
        if (name_size != sizeof owner ||
            memcmp(name, owner, sizeof owner) != 0 || type != TYPE_ISA)
            continue;
        if (size != sizeof(uint32_t))
            return note_fail(elf, sink, "a version of 4 bytes is expected");
        struct cursor v = cursor_over(value, size);
        if (!set_isa(elf, isa, cursor_u32(&v), sink))
            return false;
    }
    return true;
}

bool
note_read_isa(const struct elf *elf, unsigned *isa, struct diag_sink *sink)
{
    *isa = 0;
    for (size_t i = 1; i < elf->n_sections; i++) {
        const struct elf_section *s = &elf->section[i];
        if (s->contents && strcmp(s->name, section_name) == 0 &&
            !read_section(elf, s, isa, sink))
            return false;
    }
    return true;
}
