/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every length and every changed byte of the sample goes through all readers:
 * under AddressSanitizer a read past the end is a failure.
 */
#include "sample.h"
#include "test.h"

/* A copy on the heap, so that what lies behind it is poisoned. */
static void
read_everything(const uint8_t *bytes, size_t n)
{
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    struct elf elf;
    struct dwarf_lines lines;
    struct kernel_list kernels;
    unsigned isa;
    uint8_t *copy = malloc(n ? n : 1);
    if (n)
        memcpy(copy, bytes, n);
    if (elf_read(&a, "h.o", copy, n, &elf, &sink)) {
        size_t length = 0;
        for (size_t i = 0; i < elf.n_sections; i++)
            length += strlen(elf.section[i].name);
        for (size_t i = 0; i < elf.n_symbols; i++)
            length += strlen(elf.symbol[i].name);
        CHECK(length < 1000000);
        if (dwarf_line_read(&a, &elf, &lines, &sink))
            for (size_t i = 0; i < lines.n_rows; i++)
                dwarf_file_path(&a, &lines.file[lines.row[i].file]);
        if (kernels_read(&a, &elf, &kernels, &sink))
            kernels_find(&kernels, "none");
        note_read_isa(&elf, &isa, &sink);
    } else {
        CHECK(sink.errors == 1);
    }
    free(copy);
    arena_free(&a);
}

static const uint8_t *
make(struct arena *a, size_t *n)
{
    struct diag_sink sink = { .arena = a };
    const uint8_t *bytes = sample_object(a, n, &sink);
    CHECK_EQ(sink.errors, 0);
    return bytes;
}

TEST(every_length)
{
    struct arena a = { 0 };
    size_t n;
    const uint8_t *bytes = make(&a, &n);
    for (size_t i = 0; i <= n; i++)
        read_everything(bytes, i);
    arena_free(&a);
}

TEST(every_byte)
{
    static const uint8_t change[] = { 0x01, 0x80, 0xff };
    struct arena a = { 0 };
    size_t n;
    const uint8_t *bytes = make(&a, &n);
    uint8_t *copy = (uint8_t *)arena_strndup(&a, (const char *)bytes, n);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < sizeof change; k++) {
            copy[i] = bytes[i] ^ change[k];
            read_everything(copy, n);
            copy[i] = bytes[i];
        }
    arena_free(&a);
}

/* Each word of the file and of its tables as the largest and odd numbers. */
TEST(every_word)
{
    static const uint32_t value[] = { 0xffffffff, 0x80000000, 0x7fffffff, 0 };
    struct arena a = { 0 };
    size_t n;
    const uint8_t *bytes = make(&a, &n);
    uint8_t *copy = (uint8_t *)arena_strndup(&a, (const char *)bytes, n);
    for (size_t i = 0; i + 4 <= n; i += 4) {
        for (size_t k = 0; k < sizeof value / sizeof *value; k++) {
            for (unsigned j = 0; j < 4; j++)
                copy[i + j] = (uint8_t)(value[k] >> 8 * j);
            read_everything(copy, n);
        }
        memcpy(copy + i, bytes + i, 4);
    }
    arena_free(&a);
}

TEST_MAIN
