/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any text, both versions, with and without listing and lines: no crash, no
 * hang; and what assembles is an ELF file that our reader takes.
 */
#include <stdlib.h>

#include <ventus/asm.h>

#include "asm/expand.h"
#include "obj/elf.h"

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static int
replace_none(const char *statement, struct buf *out, char *error,
             size_t error_size)
{
    (void)statement;
    (void)out;
    (void)error;
    (void)error_size;
    return 0;
}

static void
expand(const struct ventus_asm_options *options, const char *text, size_t size)
{
    struct buf out = { 0 };
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    asm_expand(options, text, size, replace_none, &out, &a, &sink);
    buf_free(&out);
    arena_free(&a);
}

/* The first byte: bit 0 the version, 1 lines, 2 listing, 3 only expand. */
int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (!size)
        return 0;
    struct ventus_asm_options options = { .file = "fuzz.s",
                                          .version = bytes[0] & 1
                                                         ? VENTUS_ISA_V2
                                                         : VENTUS_ISA_V1,
                                          .debug = bytes[0] & 2,
                                          .listing = bytes[0] & 4 };
    if (bytes[0] & 8) {
        expand(&options, (const char *)bytes + 1, size - 1);
        return 0;
    }
    struct ventus_asm_result r;
    if (ventus_asm_assemble(&options, (const char *)bytes + 1, size - 1, &r)) {
        struct arena a = { 0 };
        struct diag_sink sink = { .arena = &a };
        struct elf elf;
        if (!elf_read(&a, "fuzz.o", r.object, r.object_size, &elf, &sink))
            abort();
        arena_free(&a);
    } else if (!r.errors) {
        abort(); /* refused without saying why */
    }
    ventus_asm_free(&r);
    return 0;
}
