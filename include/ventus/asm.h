/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The assembler: text to a relocatable ELF32 object.
 *
 *     struct ventus_asm_result r;
 *     struct ventus_asm_options options = { .file = "k.s",
 *                                           .version = VENTUS_ISA_V1 };
 *     if (ventus_asm_assemble(&options, text, size, &r))
 *         fwrite(r.object, 1, r.object_size, out);
 *     ventus_asm_print_messages(&r, stderr, isatty(2));
 *     ventus_asm_free(&r);
 *
 * The language is that of GNU as for RISC-V, with the instructions of Ventus:
 * labels, directives, macros, expressions; docs/asm.md is the manual.  The
 * assembler inserts a prefix word (regext and similar) before an instruction
 * whose registers or immediate need one.
 *
 * The result has all errors of the text; with an error there is no object.
 * The linker resolves names that the text does not define.
 *
 * The result owns all its memory, messages included; it stays valid after the
 * text and the options are freed.  No state is kept between calls, so several
 * threads may call at once.  Files are read only for .include and .incbin.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <ventus/isa.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__ /* Exported, whatever -fvisibility says. */
#pragma GCC visibility push(default)
#endif

struct ventus_asm_options {
    const char *file; /* name of the source in messages; NULL: "<input>" */
    enum ventus_isa_version version; /* 0: VENTUS_ISA_V1 */
    bool debug;   /* line numbers of this source, unless it has .loc itself */
    bool listing; /* fill the listing of the result */
    const char *const *include_dirs; /* for .include and .incbin */
    size_t include_dir_count;
    const char *const *defines; /* "name=value" or "name" (1), as with .set */
    size_t define_count;
};

enum ventus_asm_severity {
    VENTUS_ASM_ERROR,
    VENTUS_ASM_WARNING,
    VENTUS_ASM_NOTE
};

/* A note belongs to the error or warning before it. */
struct ventus_asm_message {
    enum ventus_asm_severity severity;
    const char *file;
    unsigned line, col;    /* from 1; 0: the message has no position */
    const char *line_text; /* the source line, ends at '\n' or 0; or NULL */
    const char *text;      /* lower case, no full stop */
};

struct ventus_asm_result {
    uint8_t *object; /* NULL if there was an error */
    size_t object_size;
    char *listing; /* NULL unless asked for; ends with a zero byte */
    size_t listing_size;
    const struct ventus_asm_message
        *messages; /* in order; at most 100 errors */
    size_t message_count;
    unsigned errors, warnings; /* all of them, kept or not */
    struct ventus_asm_memory *memory;
};

/* False if the text has an error.  ventus_asm_free is needed in either case. */
bool
ventus_asm_assemble(const struct ventus_asm_options *options, const char *text,
                    size_t size, struct ventus_asm_result *result);

/* Prints the messages, each with its source line and a caret. */
void
ventus_asm_print_messages(const struct ventus_asm_result *result, FILE *out,
                          bool color);

void
ventus_asm_free(struct ventus_asm_result *result);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
