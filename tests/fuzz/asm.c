/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any text, both versions, with and without listing and lines: no crash, no
 * hang; and what assembles is an ELF file that our reader takes.
 */
#include <stdlib.h>

#include <ventus/asm.h>

#include "obj/elf.h"

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* The first byte: bit 0 the version, bit 1 lines, bit 2 listing. */
int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (!size)
        return 0;
    struct asm_options options = { .file = "fuzz.s",
                                   .version = bytes[0] & 1 ? ISA_V2 : ISA_V1,
                                   .debug = bytes[0] & 2,
                                   .listing = bytes[0] & 4 };
    struct asm_result r;
    if (asm_assemble(&options, (const char *)bytes + 1, size - 1, &r)) {
        struct arena a = { 0 };
        struct diag_sink sink = { .arena = &a };
        struct elf elf;
        if (!elf_read(&a, "fuzz.o", r.object, r.object_size, &elf, &sink))
            abort();
        arena_free(&a);
    } else if (!r.errors) {
        abort(); /* refused without saying why */
    }
    asm_free(&r);
    return 0;
}
