/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What tools.py compares with the tools of LLVM.
 *     write_sample object FILE      writes the sample
 *     write_sample note FILE ISA    writes an object with that note only
 *     write_sample lines FILE       prints the lines of an ELF file
 *     write_sample isa FILE         prints the version that its notes say
 *     write_sample kernels FILE     prints the names of its kernels
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "sample.h"

static bool
write_note(struct arena *a, const char *path, unsigned isa,
           struct diag_sink *sink)
{
    struct elf_out o = { .arena = a };
    struct buf b = { 0 };
    note_write_isa(&o, isa);
    bool ok =
        elf_write(&o, path, &b, sink) && file_write(path, b.at, b.n, sink);
    elf_out_free(&o);
    buf_free(&b);
    return ok;
}

static bool
print_lines(struct arena *a, const struct elf *elf, struct diag_sink *sink)
{
    struct dwarf_lines lines;
    if (!dwarf_line_read(a, elf, &lines, sink))
        return false;
    for (size_t i = 0; i < lines.n_rows; i++) {
        const struct dwarf_row *r = &lines.row[i];
        printf("0x%" PRIx64 " %u %u %s%s\n", r->address, r->line, r->column,
               dwarf_file_path(a, &lines.file[r->file]),
               r->end_sequence ? " end" : "");
    }
    return true;
}

static bool
print(struct arena *a, const char *what, const char *path,
      struct diag_sink *sink)
{
    size_t size;
    struct elf elf;
    unsigned isa;
    struct kernel_list list;
    const uint8_t *image = file_read(a, path, &size, sink);
    if (!image || !elf_read(a, path, image, size, &elf, sink))
        return false;
    if (strcmp(what, "lines") == 0)
        return print_lines(a, &elf, sink);
    if (strcmp(what, "isa") == 0)
        return note_read_isa(&elf, &isa, sink) && printf("%u\n", isa) > 0;
    if (!kernels_read(a, &elf, &list, sink))
        return false;
    for (size_t i = 0; i < list.n; i++)
        printf("%s\n", list.at[i].name);
    return true;
}

int
main(int argc, char **argv)
{
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    bool ok = false;
    if (argc == 3 && strcmp(argv[1], "object") == 0) {
        size_t size;
        const uint8_t *bytes = sample_object(&a, &size, &sink);
        ok = file_write(argv[2], bytes, size, &sink);
    } else if (argc == 4 && strcmp(argv[1], "note") == 0) {
        ok = write_note(&a, argv[2], (unsigned)atoi(argv[3]), &sink);
    } else if (argc == 3) {
        ok = print(&a, argv[1], argv[2], &sink);
    }
    diag_print(&sink, stderr, false);
    arena_free(&a);
    return !ok;
}
