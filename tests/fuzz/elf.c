/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "obj/dwarf.h"
#include "obj/elf.h"
#include "obj/kernels.h"
#include "obj/note.h"

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* The input is an ELF file; everything that can be read from it is. */
int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    struct elf elf;
    struct dwarf_lines lines;
    struct kernel_list kernels;
    unsigned isa;
    if (elf_read(&a, "fuzz", bytes, size, &elf, &sink)) {
        dwarf_line_read(&a, &elf, &lines, &sink);
        for (size_t i = 0; i < lines.n_rows; i++)
            dwarf_line_find(&lines, lines.row[i].section, lines.row[i].address);
        for (size_t i = 0; i < lines.n_files; i++)
            dwarf_file_path(&a, &lines.file[i]);
        if (kernels_read(&a, &elf, &kernels, &sink))
            for (size_t i = 0; i < kernels.n; i++)
                kernels_lay_out_args(&kernels.at[i], NULL);
        note_read_isa(&elf, &isa, &sink);
    }
    arena_free(&a);
    return 0;
}
