/* SPDX-License-Identifier: Apache-2.0 */
/* The public calls: assembles a text, prints and frees the result. */
#include <stdlib.h>

#include <ventus/asm.h>

#include "asm/directive.h"
#include "asm/insn.h"
#include "asm/listing.h"
#include "asm/mnemonic.h"
#include "asm/object.h"
#include "asm/statement.h"
#include "asm/symbol.h"

struct ventus_asm_memory {
    struct arena arena;
    struct diag_sink sink;
    struct buf object, listing;
};

/* Warns of a prefix at the end of the text, which has no instruction. */
static void
check_end(struct assembler *a)
{
    if (a->pending.section)
        asm_report(a, DIAG_WARNING, &a->pending.position,
                   "'%s' has no effect: the text ends after it",
                   ventus_isa_info[a->pending.op].name);
}

/* Copies the messages into the list that the public header declares. */
static void
take_messages(struct ventus_asm_memory *m, struct ventus_asm_result *result)
{
    size_t n = 0;
    for (const struct diag *d = m->sink.first; d; d = d->next)
        n++;
    struct ventus_asm_message *list =
        arena_new(&m->arena, struct ventus_asm_message, n + 1);
    result->messages = list;
    result->message_count = n;
    result->errors = m->sink.errors;
    result->warnings = m->sink.warnings;
    for (const struct diag *d = m->sink.first; d; d = d->next)
        *list++ = (struct ventus_asm_message){
            .severity = d->severity == DIAG_ERROR     ? VENTUS_ASM_ERROR
                        : d->severity == DIAG_WARNING ? VENTUS_ASM_WARNING
                                                      : VENTUS_ASM_NOTE,
            .file = d->file,
            .line = d->line,
            .col = d->col,
            .line_text = d->line_text,
            .text = d->message
        };
}

static bool
assemble(struct assembler *a, struct ventus_asm_memory *m, const char *text,
         size_t size)
{
    mnemonic_fill(a);
    directive_fill(a);
    a->section = section_find(a, (struct span){ ".text", 5 });
    for (size_t i = 0; i < a->options->define_count; i++)
        statement_define(a, a->options->defines[i]);
    a->list.n = 0;
    statement_read(a, text, size);
    check_end(a);
    bool ok = object_write(a, &m->object);
    if (a->options->listing)
        listing_write(a, &m->listing);
    return ok && !m->sink.errors;
}

struct job {
    const struct ventus_asm_options *options;
    const char *text;
    size_t size;
    struct ventus_asm_memory *memory;
    struct assembler *assembler;
    struct ventus_asm_result *result;
    bool ok;
};

static void
run_assemble(void *ctx)
{
    struct job *j = ctx;
    struct ventus_asm_memory *m = j->memory;
    struct assembler *a = arena_new(&m->arena, struct assembler, 1);
    j->assembler = a;
    a->options = j->options;
    a->version = j->options->version ? j->options->version : VENTUS_ISA_V1;
    a->arena = &m->arena;
    a->sink = &m->sink;
    a->last_section = &a->sections;
    j->ok = assemble(a, m, j->text, j->size);
    take_messages(m, j->result);
}

/* Replaces all other messages, as there may be no memory for their list. */
static const struct ventus_asm_message no_memory = { .severity =
                                                         VENTUS_ASM_ERROR,
                                                     .text = "out of memory" };

static void
tell_no_memory(struct ventus_asm_result *result)
{
    result->messages = &no_memory;
    result->message_count = 1;
    result->errors = 1;
    result->warnings = 0;
}

bool
ventus_asm_assemble(const struct ventus_asm_options *options, const char *text,
                    size_t size, struct ventus_asm_result *result)
{
    *result = (struct ventus_asm_result){ 0 };
    struct ventus_asm_memory *m = calloc(1, sizeof *m);
    struct job j = { options, text, size, m, NULL, result, false };
    if (!m) {
        tell_no_memory(result);
        return false;
    }
    m->sink.arena = &m->arena;
    result->memory = m;
    bool had_memory = oom_call(run_assemble, &j);
    for (struct section *s = j.assembler ? j.assembler->sections : NULL; s;
         s = s->next)
        buf_free(&s->bytes);
    if (!had_memory) {
        diag_out_of_memory(&m->sink);
        tell_no_memory(result);
        return false;
    }
    result->listing = (char *)m->listing.at;
    result->listing_size = m->listing.n;
    if (j.ok) {
        result->object = m->object.at;
        result->object_size = m->object.n;
    }
    return j.ok;
}

void
ventus_asm_print_messages(const struct ventus_asm_result *result, FILE *out,
                          bool color)
{
    if (result->memory)
        diag_print(&result->memory->sink, out, color);
    else if (result->message_count)
        fprintf(out, "error: %s\n", result->messages->text);
}

void
ventus_asm_free(struct ventus_asm_result *result)
{
    struct ventus_asm_memory *m = result->memory;
    if (m) {
        buf_free(&m->object);
        buf_free(&m->listing);
        arena_free(&m->arena);
        free(m);
    }
    *result = (struct ventus_asm_result){ 0 };
}
