/* SPDX-License-Identifier: Apache-2.0 */
#include "asm/source.h"

#include <assert.h>
#include <sys/stat.h>

#include "asm/directive.h"
#include "asm/expr.h"
#include "asm/finish.h"
#include "asm/insn.h"
#include "asm/symbol.h"
#include "base/file.h"
#include "base/text.h"

char *
source_copy(struct assembler *a, const char *text, size_t size,
            size_t *out_size)
{
    char *copy = arena_new(a->arena, char, size + 2);
    if (size)
        memcpy(copy, text, size);
    if (!size || text[size - 1] != '\n')
        copy[size++] = '\n';
    assert(copy[size - 1] == '\n' && !copy[size]); /* what lex.c stops at */
    *out_size = size;
    return copy;
}

static const char *
find_zero(const char *text, size_t size)
{
    return size ? memchr(text, 0, size) : NULL;
}

/* Replaces zero bytes, which mark the end, by blanks and reports an error. */
static void
refuse_zeros(struct assembler *a, const struct source *s)
{
    char *text = (char *)(uintptr_t)s->text;
    char *zero = (char *)(uintptr_t)find_zero(text, s->size);
    if (!zero)
        return;
    asm_error(a, NULL, "%s has a zero byte, at offset %zu: it is no text",
              s->file, (size_t)(zero - text));
    for (size_t i = 0; i < s->size; i++)
        if (!text[i])
            text[i] = ' ';
}

static struct origin *
make_origin(struct assembler *a, const struct source *s, const char *at)
{
    struct origin *o = arena_new(a->arena, struct origin, 1);
    o->file = s->file;
    o->what = s->what;
    if (!a->frame)
        return o;
    struct place from = s->from ? *s->from : place_here(a, at);
    o->parent = from.origin;
    o->parent_line = from.line;
    o->parent_text = from.line_text;
    if (from.at && from.at >= from.line_text)
        o->parent_col = (unsigned)(from.at - from.line_text) + 1;
    if (!o->file)
        o->file = o->parent->file;
    if (!o->what)
        o->what = arena_printf(a->arena, "'%s'", o->file);
    return o;
}

void
source_too_much(struct assembler *a, const char *at)
{
    if (!a->stop)
        asm_error(a, at, "more than %d MiB of macros and loops",
                  MAX_OUTPUT >> 20);
    a->stop = true;
}

static bool
may_expand(struct assembler *a, uint64_t bytes)
{
    a->expanded += bytes + 16; /* an empty loop must end, too */
    return a->expanded <= MAX_OUTPUT;
}

bool
source_push(struct assembler *a, const struct source *s, const char *at)
{
    unsigned depth = a->frame ? a->frame->depth + 1 : 0;
    if (depth > MAX_DEPTH) {
        asm_error(a, at, "macros and includes are nested deeper than %d",
                  MAX_DEPTH);
        a->stop = true;
        return false;
    }
    if (a->frame && !may_expand(a, s->size)) {
        source_too_much(a, at);
        return false;
    }
    assert(!s->size || s->text[s->size - 1] == '\n');
    assert(!s->text[s->size]);
    struct frame *f = a->spare_frames;
    if (f)
        a->spare_frames = f->up;
    else
        f = arena_new(a->arena, struct frame, 1);
    *f = (struct frame){ .origin = make_origin(a, s, at),
                         .up = a->frame,
                         .line_text = s->text,
                         .end = s->text + s->size,
                         .line = s->line,
                         .depth = depth,
                         .conditions = (unsigned)a->conditions.n,
                         .loop = s->text,
                         .loop_line = s->line,
                         .loops = s->loops };
    if (a->frame)
        a->frame->at = a->p;
    a->frame = f;
    a->p = s->text;
    if (!s->what)
        refuse_zeros(a, s);
    return true;
}

/* Ends the innermost frame, or begins its next round. */
static void
pop(struct assembler *a, bool leave)
{
    struct frame *f = a->frame;
    while (a->conditions.n > f->conditions) {
        a->conditions.n--;
        if (!leave && !a->stop)
            asm_report(a, DIAG_ERROR, &a->conditions.at[a->conditions.n].place,
                       "this .if has no .endif");
    }
    assert(a->conditions.n <= f->conditions);
    if (!leave && f->loops > 1) {
        f->loops--;
        f->line = f->loop_line;
        f->line_text = a->p = f->loop;
        if (may_expand(a, (uint64_t)(f->end - f->loop)))
            return;
        source_too_much(a, f->loop);
    }
    assert(!f->up || f->up->depth <= f->depth);
    a->frame = f->up;
    if (a->frame)
        a->p = a->frame->at;
    f->up = a->spare_frames;
    a->spare_frames = f;
}

static bool
is_macro(const struct frame *f)
{
    return f->origin->what && strncmp(f->origin->what, "macro", 5) == 0;
}

bool
source_leave_macro(struct assembler *a)
{
    struct frame *f = a->frame;
    while (f && f->origin->what && *f->origin->what == '.')
        f = f->up;
    if (!f || !is_macro(f))
        return false;
    while (a->frame != f)
        pop(a, true);
    pop(a, true);
    return true;
}

bool
source_assign(struct assembler *a, struct span name)
{
    struct value v;
    a->p++;
    if (*a->p == '=')
        a->p++;
    if (!expr_read(a, &v)) {
        lex_skip_statement(a);
        return false;
    }
    if (name.n == 1 && *name.at == '.')
        return directive_org(a, v, name.at);
    symbol_set(a, name, expr_resolve(a, v), false);
    return true;
}

/* Whether a name at p was a label; then p is behind its colon. */
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

/* What a name begins: an assignment, a macro, a directive, an instruction. */
static bool
dispatch(struct assembler *a, struct span name)
{
    lex_blanks(a);
    if (a->macros.n && *a->p != '=' && directive_macro_call(a, name))
        return true;
    if (a->expansion)
        return expand_statement(a, name);
    if (*a->p == '=') {
        source_assign(a, name);
        return true;
    }
    return insn_statement(a, name);
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
                expand_label(a, name);
            else
                symbol_define_label(a, name);
            continue;
        }
        if (!name.n) {
            if (odd_label(a)) {
                if (a->expansion)
                    expand_label(a, name);
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
        pop(a, false);
}

void
source_run(struct assembler *a)
{
    while (a->frame) {
        const struct frame *f = a->frame;
        if (a->stop) {
            pop(a, true);
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
source_read(struct assembler *a, const char *text, size_t size)
{
    struct source s = { .file = a->options->file, .line = 1 };
    if (!s.file)
        s.file = "<input>";
    size_t mark = text_mark(text, size);
    s.file = arena_strndup(a->arena, s.file, strlen(s.file));
    s.text = source_copy(a, text + mark, size - mark, &s.size);
    source_push(a, &s, NULL);
    source_run(a);
}

static char *
load(struct assembler *a, const char *path, size_t *size)
{
    struct stat st;
    struct diag_sink quiet = { .arena = a->arena };
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size > MAX_OUTPUT)
        return NULL;
    return (char *)file_read(a->arena, path, size, &quiet);
}

char *
source_load(struct assembler *a, const char *name, const char *at, size_t *size)
{
    char *text = load(a, name, size);
    const char *slash = strrchr(a->frame->origin->file, '/');
    if (!text && slash && *name != '/')
        text = load(a,
                    arena_printf(a->arena, "%.*s/%s",
                                 (int)(slash - a->frame->origin->file),
                                 a->frame->origin->file, name),
                    size);
    for (size_t i = 0; !text && i < a->options->include_dir_count; i++)
        text = load(
            a,
            arena_printf(a->arena, "%s/%s", a->options->include_dirs[i], name),
            size);
    if (!text)
        asm_error(a, at, "cannot read '%s' (a regular file, here or in -I)",
                  name);
    return text;
}

void
source_define(struct assembler *a, const char *define)
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
    source_run(a);
}
