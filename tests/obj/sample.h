/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdlib.h>

#include "obj/elf.h"

/*
 * An object with everything in it, for the tests of this folder: two kernels
 * in two sections, data, .bss, an undefined symbol.
 */
/* The bytes are in the arena. */
static inline const uint8_t *
sample_object(struct arena *a, size_t *size, struct diag_sink *sink)
{
    struct elf_out o = { .arena = a };
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
    struct buf b = { 0 };
    elf_write(&o, "sample.o", &b, sink);
    elf_out_free(&o);
    const uint8_t *bytes = (uint8_t *)arena_strndup(a, (char *)b.at, b.n);
    *size = b.n;
    buf_free(&b);
    return bytes;
}
