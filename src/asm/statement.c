/* SPDX-License-Identifier: Apache-2.0 */
/* Reads statements: labels, and what the first name begins. */
#include "asm/statement.h"

#include <assert.h>
#include <string.h>

#include "asm/condition.h"
#include "asm/directive.h"
#include "asm/expansion.h"
#include "asm/expr.h"
#include "asm/listing.h"
#include "asm/macro.h"
#include "asm/mnemonic.h"
#include "asm/source.h"
#include "asm/symbol.h"
#include "base/text.h"

/* Whether a name at p was a label; then p is after its colon. */
static bool
take_label(struct assembler *a)
{
    const char *p = a->p;
    if (*p == ':') {
        a->p++;
        return true;
    }
    if (!lex_is(*p, CLASS_BLANK))
        return false;
    lex_blanks(a);
    if (*a->p == ':') {
        a->p++;
        return true;
    }
    return false;
}

/* Assembles a statement by its first name: a macro call, an assignment, a directive or
 * an instruction. */
static bool
dispatch(struct assembler *a, struct span name)
{
    lex_blanks(a);
    if (a->macros.n && *a->p != '=' && directive_macro_call(a, name))
        return true;
    if (a->expansion)
        return expansion_statement(a, name);
    if (*a->p == '=') {
        directive_assign(a, name);
        return true;
    }
    return mnemonic_statement(a, name);
}

/* A digit or a quote: `1:`, `"name":`. */
static bool
odd_label(struct assembler *a)
{
    struct span s = { a->p, 0 };
    if (lex_is(*a->p, CLASS_DIGIT)) {
        while (lex_is(*a->p, CLASS_DIGIT))
            a->p++;
        s.n = (size_t)(a->p - s.at);
        if (*a->p == ':') {
            a->p++;
            symbol_define_local(a, s);
            return true;
        }
    } else if (*a->p == '"') {
        struct span name = lex_symbol_name(a, "a label");
        if (name.n && *a->p == ':') {
            a->p++;
            symbol_define_label(a, name);
            return true;
        }
    }
    a->p = s.at;
    return false;
}

static void
finish_statement(struct assembler *a, bool ok)
{
    if (ok) {
        lex_blanks(a);
        if (!lex_at_end(a)) {
            asm_error(a, a->p, "expected the end of the statement, found %s",
                      lex_found(a, a->p));
            ok = false;
        }
    }
    if (!ok || *a->p == '#' || *a->p == '/')
        lex_skip_statement(a);
}

static void
statement(struct assembler *a)
{
    a->start = a->p;
    for (;;) {
        lex_blanks(a);
        a->start = a->p;
        if (lex_at_end(a))
            break;
        struct span name = lex_name(a);
        if (a->conditions.n && !a->conditions.at[a->conditions.n - 1].active) {
            directive_skipped(a, name);
            return;
        }
        if (name.n && take_label(a)) {
            if (a->expansion)
                expansion_label(a, name);
            else
                symbol_define_label(a, name);
            continue;
        }
        if (!name.n) {
            if (odd_label(a)) {
                if (a->expansion)
                    expansion_label(a, name);
                continue;
            }
            asm_error(a, a->p,
                      "expected a label, a directive or an "
                      "instruction, found %s",
                      lex_found(a, a->p));
            finish_statement(a, false);
            return;
        }
        const struct frame *frame = a->frame;
        bool ok = dispatch(a, name);
        if (a->frame == frame) /* no macro or include began */
            finish_statement(a, ok);
        return;
    }
    finish_statement(a, true);
}

/* p is where a statement ended: goes to the next one, or ends the frame. */
static void
advance(struct assembler *a)
{
    struct frame *f = a->frame;
    assert(lex_is(*a->p, CLASS_END)); /* statement() stops nowhere else */
    if (*a->p == ';') {
        a->p++;
    } else if (*a->p == '\n') {
        a->p++;
        f->line++;
        f->line_text = a->p;
    }
    if (!*a->p)
        source_pop(a, false);
}

void
statement_run(struct assembler *a)
{
    while (a->frame) {
        const struct frame *f = a->frame;
        if (a->stop) {
            source_pop(a, true);
            continue;
        }
        if (!a->options->listing) {
            statement(a);
        } else {
            struct list_mark mark = list_begin(a);
            statement(a);
            list_end(a, &mark);
        }
        if (a->frame == f)
            advance(a);
    }
}

void
statement_read(struct assembler *a, const char *text, size_t size)
{
    struct source s = { .file = a->options->file, .line = 1 };
    if (!s.file)
        s.file = "<input>";
    size_t mark = text_mark(text, size);
    s.file = arena_strndup(a->arena, s.file, strlen(s.file));
    s.text = source_copy(a, text + mark, size - mark, &s.size);
    source_push(a, &s, NULL);
    statement_run(a);
}

void
statement_define(struct assembler *a, const char *define)
{
    const char *eq = strchr(define, '=');
    size_t n = eq ? (size_t)(eq - define) : strlen(define), size;
    char *line = arena_printf(a->arena, ".set %.*s, %s", (int)n, define,
                              eq ? eq + 1 : "1");
    const char *text = source_copy(a, line, strlen(line), &size);
    struct source s = {
        .file = "<command line>", .text = text, .size = size, .line = 1
    };
    source_push(a, &s, NULL);
    statement_run(a);
}
