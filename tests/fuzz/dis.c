/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as an ELF file: disassembled, with data and source lines, or
 * refused with a message. */
#include <stdlib.h>

#include "asm/dis/file.h"

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    struct buf out = { 0 };
    struct dis_file_options o = { .data = true, .source = true };
    o.code.style = size % 3 ? VENTUS_ISA_STYLE_GNU : VENTUS_ISA_STYLE_LOG;
    bool ok = dis_elf(&out, &o, "input", bytes, size, &sink);
    if (!ok && !sink.errors)
        abort();
    buf_free(&out);
    arena_free(&a);
    return 0;
}
