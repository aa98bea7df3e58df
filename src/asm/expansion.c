/* SPDX-License-Identifier: Apache-2.0 */
/* Text for another assembler: labels and statements. */
#include "asm/expansion.h"

#include "asm/condition.h"
#include "asm/directive.h"
#include "asm/insn.h"
#include "asm/macro.h"
#include "asm/mnemonic.h"
#include "asm/symbol.h"
#include "base/defer.h"

/*
 * Writes a line marker first, unless the line follows the last one.  The empty
 * line before it is for LLVM, which ignores a marker right after an error.
 */
static void
put_line(struct assembler *a, unsigned line, const char *text, size_t n)
{
    struct expansion *e = a->expansion;
    const char *file = a->frame->origin->file;
    if (e->file != file || e->line != line)
        buf_printf(e->out, "\n# %u \"%s\"\n", line, file);
    buf_put(e->out, text, n);
    buf_u8(e->out, '\n');
    e->file = file;
    e->line = line + 1;
}

void
expansion_unknown_address(struct assembler *a)
{
    a->section = arena_new(a->arena, struct section, 1);
    a->section->name = "of another assembler";
}

void
expansion_label(struct assembler *a, struct span name)
{
    expansion_unknown_address(a);
    if (name.n)
        symbol_define_label(a, name);
    expansion_unknown_address(a);
    put_line(a, a->frame->line, a->start, (size_t)(a->p - a->start));
}

/* Directives that decide which text is read. */
static bool
is_ours(const struct mnemonic *m)
{
    static const directive_fn list[] = {
        directive_if,    directive_elseif, directive_else,    directive_endif,
        directive_macro, directive_endm,   directive_purgem,  directive_exitm,
        directive_rept,  directive_irp,    directive_include,
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
        if (m->directive == list[i])
            return true;
    return false;
}

/* The statement without its comments, and a zero byte. */
static void
take_statement(struct assembler *a, struct buf *text)
{
    bool quoted = false;
    for (a->p = a->start; *a->p != '\n' && (quoted || !lex_at_end(a));) {
        const char *from = a->p;
        if (!quoted && a->p[0] == '/' && a->p[1] == '*') {
            lex_skip_comments(a);
            buf_u8(text, ' ');
            continue;
        }
        if (*a->p == '"')
            quoted = !quoted;
        /* An escape, or a character: '#' is no comment, ';' no end. */
        else if (*a->p == (quoted ? '\\' : '\'') && a->p[1] != '\n')
            a->p++;
        a->p++;
        buf_put(text, from, (size_t)(a->p - from));
    }
    while (text->n && lex_is((char)text->at[text->n - 1], CLASS_BLANK))
        text->n--;
    buf_u8(text, 0);
}

static bool
pass_on(struct assembler *a)
{
    char error[160];
    struct buf text = { 0 }, other = { 0 };
    struct oom_cleanup free_text, free_other;
    const char *at = a->start;
    unsigned line = a->frame->line;
    oom_defer_buf(&free_text, &text);
    oom_defer_buf(&free_other, &other);
    take_statement(a, &text);
    int what = a->expansion->replace((const char *)text.at, &other, error,
                                     sizeof error);
    if (what < 0)
        asm_error(a, at, "%s", error);
    else if (what)
        put_line(a, line, (const char *)other.at, other.n);
    else
        put_line(a, line, (const char *)text.at, text.n - 1);
    oom_release(&free_other);
    oom_release(&free_text);
    return true;
}

bool
expansion_statement(struct assembler *a, struct span name)
{
    void **found = map_find(&a->mnemonics, name.at, name.n);
    const struct mnemonic *m = found ? *found : NULL;
    if (m && m->directive && is_ours(m))
        return m->directive(a, m->argument);
    bool is_set = *a->p == '=' || span_is(name, ".set") ||
                  span_is(name, ".equ") || span_is(name, ".equiv");
    bool here = name.n == 1 && *name.at == '.';
    if (!is_set || here)
        return pass_on(a);
    /* Known here for .if and .rept, and there. */
    bool ok =
        *a->p == '=' ? directive_assign(a, name) : m->directive(a, m->argument);
    return ok && pass_on(a);
}
