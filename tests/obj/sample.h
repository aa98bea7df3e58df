/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdlib.h>

#include "base/defer.h"
#include "obj/dwarf.h"
#include "obj/elf.h"
#include "obj/kernels.h"
#include "obj/note.h"

/*
 * An object with everything in it, for the tests of this folder: two kernels
 * in two sections, data, .bss, an undefined symbol, lines, and what
 * .ventus.kernels and .note.ventus say.
 */
static const struct kernel_arg sample_args[] = {
    { "a", "float*", KERNEL_ARG_GLOBAL, 0, KERNEL_ARG_CONST, 4, 4 },
    { "n", "int", KERNEL_ARG_VALUE, 0, 0, 4, 4 },
    { "d", "double2", KERNEL_ARG_VALUE, 0, 0, 16, 16 },
    { "scratch", "int*", KERNEL_ARG_LOCAL, 0, KERNEL_ARG_VOLATILE, 4, 4 },
    { "c", "uchar", KERNEL_ARG_VALUE, 0, 0, 1, 1 },
    { "img", "image2d_t", KERNEL_ARG_IMAGE, KERNEL_ACCESS_READ_ONLY, 0, 4, 4 },
    { "s", "sampler_t", KERNEL_ARG_SAMPLER, 0, 0, 4, 4 },
    { "t", "float*", KERNEL_ARG_CONSTANT, 0, KERNEL_ARG_RESTRICT, 4, 4 },
};

static const struct kernel_info sample_kernels[] = {
    { .name = "first",
      .isa = 1,
      .sgprs = 32,
      .vgprs = 12,
      .local_B = 1024,
      .exchange_at = 256,
      .exchange_B = 768,
      .private_B = 16,
      .required_wg = { 64, 1, 1 },
      .required_sub_group = 16,
      .args = sample_args,
      .n_args = 8 },
    { .name = "second",
      .isa = 1,
      .vgprs = 256,
      .hint_wg = { 8, 8, 2 },
      .spills = 7,
      .uniform_groups = true,
      .hint_type = "float4" },
};

static const struct dwarf_out_file sample_files[] = {
    { "k.cl", NULL, "one\n  two\r\n\nfour" },
    { "math.h", "/usr/include/cl", NULL },
    { "inc.h", "inc", NULL },
};
static const struct dwarf_out_row sample_rows_1[] = {
    { 0, 0, 10, 1, false },
    { 4, 0, 11, 5, false },
    { 8, 1, 300, 9, false },
};
static const struct dwarf_out_row sample_rows_2[] = {
    { 0, 2, 7, 0, false },
    { 400, 2, 6, 2, false },
};

static inline void
sample_lines(struct elf_out *o, unsigned text_1, unsigned text_2,
             struct diag_sink *sink)
{
    struct dwarf_out_sequence sequences[] = {
        { text_1, 16, sample_rows_1, 3 },
        { text_2, 404, sample_rows_2, 2 },
    };
    struct dwarf_unit unit = { .producer = "sample",
                               .comp_dir = "/code",
                               .files = sample_files,
                               .n_files = 3,
                               .sequences = sequences,
                               .n_sequences = 2 };
    dwarf_line_write(&unit, o, "sample.o", sink);
}

/* The bytes are in the arena. */
static inline const uint8_t *
sample_object(struct arena *a, size_t *size, struct diag_sink *sink)
{
    struct elf_out o = { .arena = a };
    struct oom_cleanup free_o, free_b;
    elf_out_defer(&free_o, &o);
    unsigned text_1 = elf_out_section(&o, ".text", ELF_SHT_PROGBITS,
                                      ELF_SHF_ALLOC | ELF_SHF_EXEC, 4);
    unsigned text_2 = elf_out_section(&o, ".text.second", ELF_SHT_PROGBITS,
                                      ELF_SHF_ALLOC | ELF_SHF_EXEC, 4);
    unsigned data = elf_out_section(&o, ".data", ELF_SHT_PROGBITS,
                                    ELF_SHF_ALLOC | ELF_SHF_WRITE, 8);
    unsigned bss = elf_out_section(&o, ".bss", ELF_SHT_NOBITS,
                                   ELF_SHF_ALLOC | ELF_SHF_WRITE, 16);
    o.sections.at[bss - 1].nobits_size = 64;
    for (int i = 0; i < 4; i++)
        buf_u32(elf_out_contents(&o, text_1), 0x00000013); /* nop */
    for (int i = 0; i < 101; i++)
        buf_u32(elf_out_contents(&o, text_2), 0x00000013);
    buf_u32(elf_out_contents(&o, data), 0);
    buf_u32(elf_out_contents(&o, data), 0xfeedbeef);
    unsigned first =
        elf_out_symbol(&o, &(struct elf_out_symbol){ .name = "first",
                                                     .section = text_1,
                                                     .size = 16,
                                                     .binding = ELF_STB_GLOBAL,
                                                     .type = ELF_STT_FUNC });
    elf_out_symbol(&o, &(struct elf_out_symbol){
                           .name = "local", .section = data, .value = 4 });
    elf_out_symbol(&o, &(struct elf_out_symbol){ .name = "second",
                                                 .section = text_2,
                                                 .size = 404,
                                                 .binding = ELF_STB_GLOBAL,
                                                 .type = ELF_STT_FUNC });
    elf_out_symbol(&o,
                   &(struct elf_out_symbol){ .name = "constant",
                                             .section = ELF_SHN_ABS,
                                             .value = 0x70000000,
                                             .binding = ELF_STB_GLOBAL,
                                             .visibility = ELF_STV_HIDDEN });
    elf_out_symbol(&o, &(struct elf_out_symbol){ .name = "elsewhere",
                                                 .binding = ELF_STB_WEAK });
    elf_out_reloc(&o, data,
                  (struct elf_out_reloc){
                      .type = ELF_R_RISCV_32, .symbol = first, .addend = -4 });
    sample_lines(&o, text_1, text_2, sink);
    kernels_write(&o, "sample.o", sample_kernels, 2, sink);
    note_write_isa(&o, 1);
    struct buf b = { 0 };
    oom_defer_buf(&free_b, &b);
    elf_write(&o, "sample.o", &b, sink);
    const uint8_t *bytes = (uint8_t *)arena_strndup(a, (char *)b.at, b.n);
    *size = b.n;
    oom_release(&free_b);
    oom_release(&free_o);
    return bytes;
}
