/* SPDX-License-Identifier: Apache-2.0 */
#include "obj/elf.h"

#include "sample.h"
#include "test.h"

struct read {
    struct arena arena;
    struct diag_sink sink;
    struct elf elf;
    uint8_t *bytes;
    size_t size;
    bool ok;
};

/* A copy of the sample, to be spoiled, then read. */
static void
begin(struct read *r)
{
    *r = (struct read){ 0 };
    r->sink.arena = &r->arena;
    const uint8_t *bytes = sample_object(&r->arena, &r->size, &r->sink);
    CHECK_EQ(r->sink.errors, 0);
    r->bytes =
        (uint8_t *)arena_strndup(&r->arena, (const char *)bytes, r->size);
}

static void
read_it(struct read *r)
{
    r->ok = elf_read(&r->arena, "k.o", r->bytes, r->size, &r->elf, &r->sink);
}

/* Spoils four bytes, then expects that message. */
static void
check_refused(size_t offset, uint32_t x, const char *message)
{
    struct read r;
    begin(&r);
    for (unsigned i = 0; i < 4; i++)
        r.bytes[offset + i] = (uint8_t)(x >> 8 * i);
    read_it(&r);
    CHECK(!r.ok);
    CHECK_EQ(r.sink.errors, 1);
    CHECK_STR(r.sink.first ? r.sink.first->message : NULL, message);
    arena_free(&r.arena);
}

static uint32_t
word_at(const struct read *r, size_t offset)
{
    const uint8_t *b = r->bytes + offset;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 |
           (uint32_t)b[3] << 24;
}

/* Where the header of a section is in the sample. */
static size_t
header_of(unsigned section)
{
    struct read r;
    begin(&r);
    size_t offset = word_at(&r, 32) + section * 40u;
    arena_free(&r.arena);
    return offset;
}

/* By hand, from the ELF specification. */
TEST(golden_bytes)
{
    static const uint8_t
        expected
            [] = {
                0x7f, 'E',  'L', 'F', 1,    1,   1,  0,
                0,    0,    0,   0,   0,    0,   0,  0, /* ident */
                1,    0,    243, 0,   1,    0,   0,  0, /* type, machine */
                0,    0,    0,   0,   0,    0,   0,  0, /* entry, segments */
                0x6c, 0,    0,   0,   0x05, 0,   0,  0, /* sections, flags */
                52,   0,    0,   0,   0,    0,   40, 0,
                5,    0,    4,   0, /* sizes, counts */
                0x0b, 0x40, 0,   0, /* .text */
                0,    0,    0,   0,   0,    0,   0,  0,
                0,    0,    0,   0,   0,    0,   0,  0, /* symbol 0 */
                0,                                      /* .strtab */
                0,    '.',  't', 'e', 'x',  't', 0,  '.',
                's',  'y',  'm', 't', 'a',  'b', 0,
            };
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    struct elf_out o = { .arena = &a, .flags = 5 };
    struct buf b = { 0 };
    unsigned text = elf_out_section(&o, ".text", ELF_SHT_PROGBITS,
                                    ELF_SHF_ALLOC | ELF_SHF_EXEC, 4);
    CHECK_EQ(text, 1);
    CHECK_EQ(elf_out_find(&o, ".text"), 1);
    CHECK_EQ(elf_out_find(&o, ".data"), 0);
    buf_u32(elf_out_contents(&o, text), 0x0000400b);
    CHECK(elf_write(&o, "k.o", &b, &sink));
    CHECK_EQ(b.n, 0x6c + 5 * 40);
    for (size_t i = 0; i < sizeof expected; i++)
        if (!CHECK_EQ(b.at[i], expected[i]))
            printf("at byte %zu\n", i);
    elf_out_free(&o);
    buf_free(&b);
    arena_free(&a);
}

TEST(same_input_same_bytes)
{
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    size_t n, m;
    const uint8_t *x = sample_object(&a, &n, &sink);
    const uint8_t *y = sample_object(&a, &m, &sink);
    CHECK(n == m && memcmp(x, y, n) == 0);
    arena_free(&a);
}

TEST(sections_come_back)
{
    struct read r;
    begin(&r);
    read_it(&r);
    CHECK(r.ok && !r.elf.is_64);
    CHECK_EQ(r.elf.type, ELF_ET_REL);
    CHECK_EQ(r.elf.machine, ELF_EM_RISCV);
    const struct elf_section *data = elf_find_section(&r.elf, ".data");
    const struct elf_section *bss = elf_find_section(&r.elf, ".bss");
    if (CHECK(data && bss)) {
        CHECK_EQ(data->size, 8);
        CHECK_EQ(data->flags, ELF_SHF_ALLOC | ELF_SHF_WRITE);
        CHECK_EQ(data->offset % 8, 0);
        CHECK_EQ(data->contents[4], 0xef);
        CHECK_EQ(data->n_relocs, 1);
        CHECK_EQ(data->reloc[0].type, ELF_R_RISCV_32);
        CHECK_EQ(data->reloc[0].addend, -4);
        CHECK_STR(r.elf.symbol[data->reloc[0].symbol].name, "first");
        CHECK_EQ(bss->size, 64);
        CHECK(bss->contents == NULL);
    }
    CHECK(elf_find_section(&r.elf, ".none") == NULL);
    arena_free(&r.arena);
}

TEST(symbols_come_back)
{
    struct read r;
    begin(&r);
    read_it(&r);
    const struct elf_symbol *second = elf_find_symbol(&r.elf, "second");
    const struct elf_symbol *constant = elf_find_symbol(&r.elf, "constant");
    if (CHECK(second && constant)) {
        CHECK_EQ(second->binding, ELF_STB_GLOBAL);
        CHECK_EQ(second->type, ELF_STT_FUNC);
        CHECK_EQ(second->size, 404);
        CHECK_STR(r.elf.section[second->section].name, ".text.second");
        CHECK_EQ(constant->section, ELF_SHN_ABS);
        CHECK_EQ(constant->value, 0x70000000);
        CHECK_EQ(constant->visibility, ELF_STV_HIDDEN);
    }
    CHECK(elf_find_symbol(&r.elf, "elsewhere") == NULL);
    /* Locals first, and sh_info counts them. */
    const struct elf_section *table = elf_find_section(&r.elf, ".symtab");
    for (size_t i = 0; i < r.elf.n_symbols; i++)
        CHECK_EQ(r.elf.symbol[i].binding == ELF_STB_LOCAL, i < table->info);
    arena_free(&r.arena);
}

static void
check_not_written(struct elf_out *o, const char *message)
{
    struct diag_sink sink = { .arena = o->arena };
    struct buf b = { 0 };
    CHECK(!elf_write(o, "k.o", &b, &sink));
    CHECK_EQ(b.n, 0);
    CHECK_STR(sink.first ? sink.first->message : NULL, message);
    buf_free(&b);
}

TEST(writer_refuses)
{
    struct arena a = { 0 };
    struct elf_out o = { .arena = &a };
    unsigned s = elf_out_section(&o, ".text", ELF_SHT_PROGBITS, 0, 3);
    check_not_written(&o, "section '.text': alignment 3 is not a power of two");
    o.sections.at[s - 1].align = 4;
    elf_out_reloc(&o, s, (struct elf_out_reloc){ .offset = 4 });
    check_not_written(
        &o, "section '.text': relocation at 0x4 is past its end (0x0)");
    o.sections.at[s - 1].relocs.at[0] = (struct elf_out_reloc){ .symbol = 2 };
    check_not_written(&o, "section '.text': relocation at 0x0: symbol 2 of 0");
    o.sections.at[s - 1].relocs.n = 0;
    elf_out_symbol(&o, &(struct elf_out_symbol){ .name = "x", .section = 9 });
    check_not_written(&o, "symbol 'x': section 9 of 1");
    o.symbols.at[0].section = 0;
    check_not_written(&o, "symbol 'x' is local and not defined");
    elf_out_free(&o);
    arena_free(&a);
}

TEST(not_elf)
{
    check_refused(0, 0x12345678, "not an ELF file");
    check_refused(4, 0x00010103,
                  "ELF class 3: expected 1 (32 bits) or 2 (64 bits)");
    check_refused(4, 0x00010201,
                  "ELF data encoding 2: expected 1 (little endian)");
}

TEST(section_past_the_end)
{
    struct read r;
    begin(&r);
    uint32_t offset = word_at(&r, header_of(3) + 16);
    char *message = arena_printf(
        &r.arena,
        "section 3 '.data': offset 0x%x + size 0xffffffff is past the end of "
        "the file (%zu bytes)",
        offset, r.size);
    check_refused(header_of(3) + 20, 0xffffffff, message);
    message = arena_printf(
        &r.arena,
        "section 3 '.data': offset 0xfffffffc + size 0x8 is past the end of "
        "the file (%zu bytes)",
        r.size);
    check_refused(header_of(3) + 16, 0xfffffffc, message);
    /* Each fits, their sum does not. */
    message = arena_printf(
        &r.arena,
        "section 3 '.data': offset 0x%x + size 0x%zx is past the end of the "
        "file (%zu bytes)",
        offset, r.size, r.size);
    check_refused(header_of(3) + 20, (uint32_t)r.size, message);
    arena_free(&r.arena);
}

TEST(bad_tables)
{
    struct read r;
    begin(&r);
    read_it(&r);
    const struct elf_section *table = elf_find_section(&r.elf, ".symtab");
    unsigned i = (unsigned)(table - r.elf.section);
    check_refused(header_of(i) + 36, 0,
                  arena_printf(&r.arena,
                               "section %u '.symtab': entries of 0 bytes: "
                               "expected 16",
                               i));
    check_refused(header_of(i) + 24, 77,
                  arena_printf(&r.arena,
                               "section %u '.symtab': section 77 of %zu is no "
                               "string table",
                               i, r.elf.n_sections));
    /* The name of symbol 1. */
    check_refused(
        (size_t)table->offset + 16, 0x7fffffff,
        arena_printf(&r.arena,
                     "symbol 1: its name, at 0x7fffffff, is past "
                     "the end of the string table (0x%x)",
                     (unsigned)elf_find_section(&r.elf, ".strtab")->size));
    arena_free(&r.arena);
}

TEST(strings_without_end)
{
    struct read r;
    begin(&r);
    read_it(&r);
    const struct elf_section *s = elf_find_section(&r.elf, ".strtab");
    r.bytes[s->offset + s->size - 1] = 'x';
    read_it(&r);
    CHECK(!r.ok);
    CHECK(r.sink.first && strstr(r.sink.first->message,
                                 "'.strtab': the string table does not end in "
                                 "a zero byte"));
    arena_free(&r.arena);
}

/* Many tables over the same bytes must not take memory for each. */
TEST(overlapping_tables)
{
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    struct elf_out o = { .arena = &a };
    struct buf b = { 0 };
    struct elf elf;
    for (int i = 0; i < 20; i++) {
        unsigned s = elf_out_section(&o, "s", ELF_SHT_PROGBITS, 0, 1);
        elf_out_reloc(&o, s, (struct elf_out_reloc){ 0 });
        buf_fill(elf_out_contents(&o, s), 0, 100);
    }
    CHECK(elf_write(&o, "k.o", &b, &sink));
    size_t headers = b.at[32] | (size_t)b.at[33] << 8;
    for (size_t i = 21; i < 41; i++) {
        memset(b.at + headers + i * 40 + 16, 0, 8);
        b.at[headers + i * 40 + 16] = 52; /* 300 zero bytes */
        b.at[headers + i * 40 + 20] = 0x2c;
        b.at[headers + i * 40 + 21] = 0x01;
    }
    CHECK(!elf_read(&a, "k.o", b.at, b.n, &elf, &sink));
    CHECK(sink.first && strstr(sink.first->message, "tables overlap"));
    elf_out_free(&o);
    buf_free(&b);
    arena_free(&a);
}

/* What relocations of symbol 0 name is there in a file without symbols, too. */
TEST(relocations_without_symbols)
{
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    struct elf_out o = { .arena = &a };
    struct buf b = { 0 };
    struct elf elf;
    unsigned s = elf_out_section(&o, "s", ELF_SHT_PROGBITS, 0, 1);
    elf_out_reloc(&o, s, (struct elf_out_reloc){ 0 });
    buf_fill(elf_out_contents(&o, s), 0, 8);
    CHECK(elf_write(&o, "k.o", &b, &sink));
    CHECK(elf_read(&a, "k.o", b.at, b.n, &elf, &sink));
    size_t headers = b.at[32] | (size_t)b.at[33] << 8;
    size_t table = (size_t)(elf_find_section(&elf, ".symtab") - elf.section);
    b.at[headers + table * 40 + 4] = ELF_SHT_PROGBITS;
    for (size_t i = 1; i < elf.n_sections; i++)
        if (elf.section[i].type == ELF_SHT_RELA)
            memset(b.at + headers + i * 40 + 24, 0, 4); /* its symbol table */
    if (CHECK(elf_read(&a, "k.o", b.at, b.n, &elf, &sink))) {
        CHECK_EQ(elf.n_symbols, 0);
        CHECK_EQ(elf.section[s].reloc[0].symbol, 0);
        CHECK_STR(elf.symbol[0].name, "");
        CHECK_EQ(elf.symbol[0].section, 0);
    }
    elf_out_free(&o);
    buf_free(&b);
    arena_free(&a);
}

/* The other class, a program header and a symbol, by hand. */
TEST(elf64)
{
    struct buf b = { 0 };
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    struct elf elf;
    buf_put(&b, "\177ELF\2\1\1", 8);
    buf_fill(&b, 0, 8);
    buf_u16(&b, ELF_ET_EXEC);
    buf_u16(&b, ELF_EM_RISCV);
    buf_u32(&b, 1);
    buf_u64(&b, 0x100000000); /* entry */
    buf_u64(&b, 64);          /* segments */
    buf_u64(&b, 0);           /* sections */
    buf_u32(&b, 5);
    buf_u16(&b, 64);
    buf_u16(&b, 56);
    buf_u16(&b, 1);
    buf_u16(&b, 0);
    buf_u32(&b, 0);
    buf_u32(&b, ELF_PT_LOAD);
    buf_u32(&b, 5);
    buf_u64(&b, 0);
    buf_u64(&b, 0x100000000);
    buf_u64(&b, 0x100000000);
    buf_u64(&b, 120);
    buf_u64(&b, 4096);
    buf_u64(&b, 4096);
    CHECK(elf_read(&a, "t", b.at, b.n, &elf, &sink));
    CHECK(elf.is_64);
    CHECK_EQ(elf.entry, 0x100000000);
    CHECK_EQ(elf.n_segments, 1);
    CHECK_EQ(elf.segment[0].vaddr, 0x100000000);
    CHECK_EQ(elf.segment[0].mem_size, 4096);
    CHECK(elf.segment[0].contents == b.at);
    memset(b.at + 64 + 40, 0xff, 8); /* mem_size */
    CHECK(!elf_read(&a, "t", b.at, b.n, &elf, &sink));
    CHECK_STR(sink.last->message,
              "segment 0: address 0x100000000 + size 0xffffffffffffffff is "
              "past the end of the address space");
    buf_free(&b);
    arena_free(&a);
}

/* A pair of relocations is the distance between two labels. */
TEST(relocated_data)
{
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    struct elf_out o = { .arena = &a };
    struct buf b = { 0 };
    struct elf elf;
    unsigned s = elf_out_section(&o, ".d", ELF_SHT_PROGBITS, 0, 1);
    buf_put(elf_out_contents(&o, s), "\1\0\0\0\2\0\0\xc0\x80\x01", 10);
    unsigned from = elf_out_symbol(
        &o, &(struct elf_out_symbol){ .name = "f", .section = s, .value = 2 });
    unsigned to = elf_out_symbol(
        &o, &(struct elf_out_symbol){ .name = "t", .section = s, .value = 9 });
    struct elf_out_reloc relocs[] = {
        { 0, ELF_R_RISCV_32, to, 0x100 },
        { 4, ELF_R_RISCV_ADD16, to, 0 },
        { 4, ELF_R_RISCV_SUB16, from, 0 },
        { 6, ELF_R_RISCV_SET8, to, -1 },
        { 7, ELF_R_RISCV_SET6, to, 0 },
        { 7, ELF_R_RISCV_SUB6, from, 0 },
        { 8, ELF_R_RISCV_SET_ULEB128, to, 0x100 },
        { 8, ELF_R_RISCV_SUB_ULEB128, from, 0 },
        { 10, ELF_R_RISCV_RELAX, 0, 0 },
    };
    for (size_t i = 0; i < sizeof relocs / sizeof *relocs; i++)
        elf_out_reloc(&o, s, relocs[i]);
    CHECK(elf_write(&o, "k.o", &b, &sink));
    CHECK(elf_read(&a, "k.o", b.at, b.n, &elf, &sink));
    const uint8_t *d = elf_relocated(&a, &elf, &elf.section[s], &sink);
    CHECK(d && memcmp(d, "\x09\x01\0\0\x09\0\x08\xc7\x87\x02", 10) == 0);
    buf_free(&b);
    elf_out_reloc(&o, s, (struct elf_out_reloc){ 9, ELF_R_RISCV_32, to, 0 });
    CHECK(elf_write(&o, "k.o", &b, &sink));
    CHECK(elf_read(&a, "k.o", b.at, b.n, &elf, &sink));
    CHECK(!elf_relocated(&a, &elf, &elf.section[s], &sink));
    CHECK_STR(sink.last->message, "relocation at 0x9 of type 1: past the end "
                                  "of its section (0xa)");
    buf_free(&b);
    elf_out_free(&o);
    arena_free(&a);
}

/* gABI: in an object that has addresses already, a symbol is its section's
 * address and its value; a relative place is the section's and the offset. */
TEST(relocated_data_of_sections_with_addresses)
{
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    struct elf_out o = { .arena = &a };
    struct buf b = { 0 };
    struct elf elf;
    unsigned s = elf_out_section(&o, ".d", ELF_SHT_PROGBITS, 0, 1);
    unsigned other = elf_out_section(&o, ".e", ELF_SHT_PROGBITS, 0, 1);
    buf_fill(elf_out_contents(&o, s), 0, 12);
    buf_fill(elf_out_contents(&o, other), 0, 8);
    unsigned to = elf_out_symbol(
        &o,
        &(struct elf_out_symbol){ .name = "t", .section = other, .value = 6 });
    elf_out_reloc(&o, s, (struct elf_out_reloc){ 0, ELF_R_RISCV_32, to, 1 });
    elf_out_reloc(&o, s,
                  (struct elf_out_reloc){ 8, ELF_R_RISCV_32_PCREL, to, 0 });
    CHECK(elf_write(&o, "k.o", &b, &sink));
    /* e_shoff; a header is 40 bytes, sh_addr the fourth word. */
    uint32_t headers, addresses[] = { 0x1000, 0x20000 };
    memcpy(&headers, b.at + 32, 4);
    memcpy(b.at + headers + 40 * s + 12, &addresses[0], 4);
    memcpy(b.at + headers + 40 * other + 12, &addresses[1], 4);
    CHECK(elf_read(&a, "k.o", b.at, b.n, &elf, &sink));
    const uint8_t *d = elf_relocated(&a, &elf, &elf.section[s], &sink);
    CHECK(d && memcmp(d, "\x07\0\2\0\0\0\0\0\xfe\xef\1\0", 12) == 0);
    buf_free(&b);
    elf_out_free(&o);
    arena_free(&a);
}

/* An object of a call's address, a constant and a table behind it. */
static void
make_linkable(struct elf_out *o)
{
    unsigned text = elf_out_section(o, ".text", ELF_SHT_PROGBITS,
                                    ELF_SHF_ALLOC | ELF_SHF_EXEC, 4);
    unsigned data = elf_out_section(o, ".data", ELF_SHT_PROGBITS,
                                    ELF_SHF_ALLOC | ELF_SHF_WRITE, 16);
    unsigned start = elf_out_section(o, ".text.start", ELF_SHT_PROGBITS,
                                     ELF_SHF_ALLOC | ELF_SHF_EXEC, 4);
    unsigned lines = elf_out_section(o, ".lines", ELF_SHT_PROGBITS, 0, 1);
    buf_u32(elf_out_contents(o, text), 0x00000537); /* lui a0, 0 */
    buf_u32(elf_out_contents(o, text), 0x00050513); /* addi a0, a0, 0 */
    buf_fill(elf_out_contents(o, data), 0, 0x900);
    buf_u32(elf_out_contents(o, start), 0x0000400b); /* endprg */
    buf_u32(elf_out_contents(o, lines), 0);
    unsigned far =
        elf_out_symbol(o, &(struct elf_out_symbol){
                              .name = "far", .section = data, .value = 0x8fc });
    elf_out_symbol(o, &(struct elf_out_symbol){ .name = "_start",
                                                .section = start,
                                                .binding = ELF_STB_WEAK });
    elf_out_reloc(o, text,
                  (struct elf_out_reloc){ 0, ELF_R_RISCV_HI20, far, 0 });
    elf_out_reloc(o, text,
                  (struct elf_out_reloc){ 4, ELF_R_RISCV_LO12_I, far, 0 });
    elf_out_reloc(o, data,
                  (struct elf_out_reloc){ 0, ELF_R_RISCV_32,
                                          elf_out_section_symbol(o, text), 4 });
    elf_out_reloc(o, lines,
                  (struct elf_out_reloc){
                      0, ELF_R_RISCV_32, elf_out_section_symbol(o, lines), 3 });
}

static uint32_t
word(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
           (uint32_t)at[3] << 24;
}

TEST(linked_program)
{
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    struct elf_out o = { .arena = &a }, program = { .arena = &a };
    struct buf b = { 0 };
    struct elf elf;
    make_linkable(&o);
    CHECK(elf_link(&o, "k.o", &program, &sink));
    CHECK(elf_write(&program, "k.elf", &b, &sink));
    CHECK(elf_read(&a, "k.elf", b.at, b.n, &elf, &sink));
    CHECK_EQ(elf.type, ELF_ET_EXEC);
    CHECK_EQ(elf.entry, 0x80000000);
    CHECK_EQ(elf.n_segments, 2);
    const uint8_t *text = elf.segment[0].contents;
    CHECK_EQ(elf.segment[0].vaddr, 0x80000000);
    CHECK_EQ(elf.segment[0].mem_size, 12);
    CHECK_EQ(elf.segment[0].flags, ELF_PF_R | ELF_PF_X);
    CHECK_EQ(word(text), 0x0000400b);
    CHECK_EQ(word(text + 4), 0x80002537); /* 0x800018fc is below 0x80002000 */
    CHECK_EQ(word(text + 8), 0x8fc50513);
    CHECK_EQ(elf.segment[1].vaddr, 0x80001000);
    CHECK_EQ(elf.segment[1].flags, ELF_PF_R | ELF_PF_W);
    CHECK_EQ(word(elf.segment[1].contents), 0x80000008);
    CHECK_EQ(elf_find_symbol(&elf, "far")->value, 0x800018fc);
    CHECK_EQ(word(elf_find_section(&elf, ".lines")->contents), 3);
    CHECK_EQ(elf.n_symbols, 3); /* those of sections are gone */
    buf_free(&b);
    elf_out_free(&program);
    elf_out_free(&o);
    arena_free(&a);
}

static void
check_not_linked(void (*spoil)(struct elf_out *o), const char *message)
{
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    struct elf_out o = { .arena = &a }, program = { .arena = &a };
    make_linkable(&o);
    spoil(&o);
    CHECK(!elf_link(&o, "k.o", &program, &sink));
    CHECK_STR(sink.last->message, message);
    elf_out_free(&program);
    elf_out_free(&o);
    arena_free(&a);
}

static void
add_tbss(struct elf_out *o)
{
    elf_out_section(o, ".tbss", ELF_SHT_NOBITS, ELF_SHF_ALLOC, 4);
}

static void
add_undefined(struct elf_out *o)
{
    elf_out_symbol(o, &(struct elf_out_symbol){ .name = "elsewhere",
                                                .binding = ELF_STB_GLOBAL });
}

static void
rename_start(struct elf_out *o)
{
    o->symbols.at[1].name = "start";
}

static void
add_jump(struct elf_out *o)
{
    enum { RVC_BRANCH = 44 };
    elf_out_reloc(o, 1, (struct elf_out_reloc){ 0, RVC_BRANCH, 1, 0 });
}

static void
move_reloc(struct elf_out *o)
{
    o->sections.at[0].relocs.at[0].offset = 6;
}

/* What one object cannot give. */
TEST(not_linked)
{
    check_not_linked(add_tbss,
                     "a program has no place for the section '.tbss'");
    check_not_linked(add_undefined, "undefined symbol 'elsewhere'");
    check_not_linked(rename_start, "undefined symbol '_start'");
    check_not_linked(add_jump, "a relocation cannot be applied in the section "
                               "'.text'");
    check_not_linked(move_reloc, "a relocation cannot be applied in the "
                                 "section '.text'");
}

TEST_MAIN
