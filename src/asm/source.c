/* SPDX-License-Identifier: Apache-2.0 */
#include "asm/source.h"

#include <assert.h>
#include <sys/stat.h>

#include "asm/expr.h"
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
    struct position from = s->from ? *s->from : position_here(a, at);
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
void
source_pop(struct assembler *a, bool leave)
{
    struct frame *f = a->frame;
    while (a->conditions.n > f->conditions) {
        a->conditions.n--;
        if (!leave && !a->stop)
            asm_report(a, DIAG_ERROR,
                       &a->conditions.at[a->conditions.n].position,
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
        source_pop(a, true);
    source_pop(a, true);
    return true;
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
