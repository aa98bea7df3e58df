/* SPDX-License-Identifier: Apache-2.0 */
/* .macro, .rept, .irp, .irpc, .include: texts that are read before the rest of the current one. */
#include <assert.h>

#include "asm/expr.h"
#include "asm/macro.h"
#include "asm/source.h"
#include "base/defer.h"
#include "base/text.h"

struct param {
    struct span name, value; /* the default */
    bool required, vararg;
};

struct macro {
    struct span name, body;
    struct param *params;
    size_t count;
    const char *file;
    struct position position;
    unsigned line; /* of the body */
};

typedef vec(struct span) spans;

static bool
is_one_of(struct span s, const char *const *words)
{
    for (; s.n && *words; words++)
        if (span_is(s, *words))
            return true;
    return false;
}

/*
 * Behind the statement that opens a body: takes it, and the word that closes
 * it.  False, after an error, if nothing does.
 */
static bool
take_body(struct assembler *a, const char *const *open,
          const char *const *close, struct span *body, unsigned *line)
{
    struct position from = position_here(a, a->start);
    unsigned depth = 1;
    lex_skip_statement(a);
    const char *start = *a->p == ';' || *a->p == '\n' ? a->p + 1 : a->p;
    *line = a->frame->line + (*a->p == '\n');
    for (;;) {
        if (*a->p == '\n') {
            a->frame->line++;
            a->frame->line_text = a->p + 1;
        }
        if (*a->p)
            a->p++;
        if (!*a->p) {
            asm_report(a, DIAG_ERROR, &from, "no %s for this", close[0]);
            a->p--; /* onto the last '\n' */
            a->frame->line--;
            return false;
        }
        lex_blanks(a);
        const char *at = a->p;
        struct span name = lex_name(a);
        if (is_one_of(name, open))
            depth++;
        if (is_one_of(name, close) && --depth == 0) {
            assert(at >= start);
            *body = (struct span){ start, (size_t)(at - start) };
            return true;
        }
        lex_skip_statement(a);
    }
}

static const char *const macro_open[] = { ".macro", NULL };
static const char *const macro_close[] = { ".endm", ".endmacro", NULL };
static const char *const loop_open[] = { ".rept", ".rep", ".irp", ".irpc",
                                         NULL };
static const char *const loop_close[] = { ".endr", NULL };

/* name[=default] or name:req or name:vararg */
static bool
read_param(struct assembler *a, struct param *p)
{
    *p = (struct param){ .name = lex_name(a) };
    if (!p->name.n) {
        asm_error(a, a->p, "expected the name of a parameter, found %s",
                  lex_found(a, a->p));
        return false;
    }
    lex_blanks(a);
    if (*a->p == ':') {
        a->p++;
        struct span s = lex_name(a);
        p->required = span_is(s, "req");
        p->vararg = span_is(s, "vararg");
        if (!p->required && !p->vararg) {
            asm_error(a, s.at, "expected 'req' or 'vararg', found %s",
                      lex_found(a, s.at));
            return false;
        }
        lex_blanks(a);
    }
    if (*a->p == '=') {
        a->p++;
        lex_blanks(a);
        p->value.at = a->p;
        while (!lex_at_end(a) && *a->p != ',' && !lex_is(*a->p, CLASS_BLANK))
            a->p++;
        p->value.n = (size_t)(a->p - p->value.at);
        lex_blanks(a);
    }
    return true;
}

static bool
read_params(struct assembler *a, struct macro *m)
{
    vec(struct param) params = { 0 };
    lex_take(a, ',');
    while (!lex_at_end(a)) {
        struct param p;
        if (params.n && params.at[params.n - 1].vararg) {
            asm_error(a, a->p, "a vararg parameter must be the last");
            return false;
        }
        if (!read_param(a, &p))
            return false;
        vec_push(a->arena, &params, p);
        lex_take(a, ',');
    }
    m->params = params.at;
    m->count = params.n;
    return true;
}

bool
directive_macro(struct assembler *a, int argument)
{
    struct macro *m = arena_new(a->arena, struct macro, 1);
    (void)argument;
    lex_blanks(a);
    m->position = position_here(a, a->p);
    m->name = lex_symbol_name(a, "the name of a macro");
    bool ok = m->name.n && read_params(a, m);
    if (!take_body(a, macro_open, macro_close, &m->body, &m->line) || !ok)
        return ok;
    m->file = a->frame->origin->file;
    void **at = map_put(a->arena, &a->macros, m->name.at, m->name.n);
    if (*at) {
        asm_report(a, DIAG_ERROR, &m->position,
                   "macro '%.*s' is already defined", (int)m->name.n,
                   m->name.at);
        asm_report(a, DIAG_NOTE, &((struct macro *)*at)->position, "here");
    }
    *at = m;
    return true;
}

bool
directive_purgem(struct assembler *a, int argument)
{
    (void)argument;
    struct span name = lex_symbol_name(a, "the name of a macro");
    if (!name.n)
        return false;
    void **at = map_find(&a->macros, name.at, name.n);
    if (!at || !*at) {
        asm_error(a, name.at, "there is no macro '%.*s'", (int)name.n, name.at);
        return false;
    }
    *at = NULL;
    return true;
}

bool
directive_exitm(struct assembler *a, int argument)
{
    (void)argument;
    lex_skip_statement(a);
    if (source_leave_macro(a))
        return true;
    asm_error(a, a->start, ".exitm outside of a macro");
    return false;
}

bool
directive_endm(struct assembler *a, int argument)
{
    asm_error(a, a->start,
              argument ? ".endr without .rept or .irp"
                       : ".endm without .macro");
    return false;
}

/* Bytes that join what stands on both sides of blanks: a + b is one. */
static bool
joins(char c)
{
    return c && strchr("+-*/%&|^<>=!~(", c) != NULL;
}

/* Reads an argument from *p on, up to `end`; blanks separate as commas do. */
static struct span
read_argument(const char **p, const char *end)
{
    const char *at = *p, *c = at;
    unsigned depth = 0;
    for (; c < end; c++) {
        if (*c == '"') {
            for (c++; c < end && *c != '"'; c++)
                if (*c == '\\')
                    c++;
            if (c >= end)
                break;
        } else if (*c == '(') {
            depth++;
        } else if (*c == ')' && depth) {
            depth--;
        } else if (*c == ',' && !depth) {
            break;
        } else if (lex_is(*c, CLASS_BLANK) && !depth) {
            const char *next = c;
            while (next < end && lex_is(*next, CLASS_BLANK))
                next++;
            if (next == end || *next == ',' || !(joins(*next) || joins(c[-1])))
                break;
        }
    }
    if (c > end)
        c = end;
    assert(c >= at && c <= end);
    struct span s = { at, (size_t)(c - at) };
    while (c < end && lex_is(*c, CLASS_BLANK))
        c++;
    if (c < end && *c == ',')
        c++;
    while (c < end && lex_is(*c, CLASS_BLANK))
        c++;
    *p = c;
    return s;
}

static struct span
unquote(struct span s)
{
    if (s.n >= 2 && s.at[0] == '"' && s.at[s.n - 1] == '"')
        return (struct span){ s.at + 1, s.n - 2 };
    return s;
}

static struct param *
find_param(struct param *params, size_t count, struct span name)
{
    for (size_t i = 0; i < count; i++)
        if (params[i].name.n == name.n &&
            memcmp(params[i].name.at, name.at, name.n) == 0)
            return &params[i];
    return NULL;
}

/* `name=value` of a call; the parameter, p after the '='. */
static struct param *
named(const struct macro *m, const char **p, const char *end)
{
    const char *c = *p;
    while (c < end && lex_is(*c, CLASS_NAME | CLASS_DIGIT))
        c++;
    struct span name = { *p, (size_t)(c - *p) };
    if (c == end || *c != '=' || (c + 1 < end && c[1] == '='))
        return NULL;
    struct param *param = find_param(m->params, m->count, name);
    if (param)
        *p = c + 1;
    return param;
}

/* The values of a call, instead of the defaults; false after an error. */
static bool
read_arguments(struct assembler *a, const struct macro *m, struct span rest,
               struct span *values)
{
    const char *p = rest.at, *end = rest.at + rest.n;
    size_t next = 0;
    while (p < end) {
        struct param *param = named(m, &p, end);
        const char *at = p;
        if (!param && next < m->count)
            param = &m->params[next++];
        if (!param) {
            asm_error(a, at, "macro '%.*s' takes %zu argument%s, not more",
                      (int)m->name.n, m->name.at, m->count,
                      text_plural(m->count));
            return false;
        }
        struct span value = { p, (size_t)(end - p) };
        if (param->vararg)
            p = end;
        else
            value = unquote(read_argument(&p, end));
        assert(param >= m->params && param < m->params + m->count);
        if (value.n)
            values[param - m->params] = value;
    }
    for (size_t i = 0; i < m->count; i++) {
        if (!m->params[i].required || values[i].n)
            continue;
        asm_error(a, a->start, "macro '%.*s' needs argument '%.*s'",
                  (int)m->name.n, m->name.at, (int)m->params[i].name.n,
                  m->params[i].name.at);
        return false;
    }
    return true;
}

/* The parameter that begins at p (after a backslash), longest first. */
static size_t
match_param(const struct param *params, size_t count, const char *p,
            const char *end, size_t *which)
{
    const char *c = p;
    while (c < end && lex_is(*c, CLASS_NAME | CLASS_DIGIT))
        c++;
    for (; c > p; c--) {
        if (c < end && lex_is(c[-1], CLASS_NAME | CLASS_DIGIT) &&
            lex_is(*c, CLASS_NAME | CLASS_DIGIT) && *c != '.')
            continue;
        for (size_t i = 0; i < count; i++) {
            if (params[i].name.n != (size_t)(c - p) ||
                memcmp(params[i].name.at, p, params[i].name.n) != 0)
                continue;
            assert(params[i].name.n <= (size_t)(end - p));
            *which = i;
            return params[i].name.n;
        }
    }
    return 0;
}

/* The body with \name, \@ and \() replaced, as a text; NULL if too much. */
static char *
substitute(struct assembler *a, struct span body, const struct param *params,
           const struct span *values, size_t count, size_t *size)
{
    struct buf b = { 0 };
    struct oom_cleanup free_b;
    const char *p = body.at, *end = body.at + body.n;
    bool ok = true;
    oom_defer_buf(&free_b, &b);
    while (p < end && ok) {
        const char *slash = memchr(p, '\\', (size_t)(end - p));
        size_t plain = (size_t)((slash ? slash : end) - p), which, n;
        buf_put(&b, p, plain);
        p += plain;
        if (!slash)
            break;
        p++;
        if (p < end && *p == '@') {
            buf_printf(&b, "%u", a->macro_count);
            p++;
        } else if (end - p >= 2 && p[0] == '(' && p[1] == ')') {
            p += 2;
        } else if ((n = match_param(params, count, p, end, &which)) != 0) {
            assert(which < count);
            buf_put(&b, values[which].at, values[which].n);
            p += n;
        } else {
            buf_u8(&b, '\\');
            if (p < end)
                buf_u8(&b, (uint8_t)*p++);
        }
        ok = b.n <= MAX_OUTPUT;
    }
    char *text = NULL;
    if (ok && a->expanded + b.n <= MAX_OUTPUT)
        text = source_copy(a, (char *)b.at, b.n, size);
    else
        source_too_much(a, a->start);
    oom_release(&free_b);
    return text;
}

static bool
expand(struct assembler *a, const struct macro *m)
{
    struct span *values = arena_new(a->arena, struct span, m->count + 1);
    for (size_t i = 0; i < m->count; i++)
        values[i] = m->params[i].value;
    const char *at = a->start;
    lex_blanks(a);
    if (!read_arguments(a, m, lex_rest(a), values))
        return false;
    struct source s = { .file = m->file, .line = m->line };
    s.text = substitute(a, m->body, m->params, values, m->count, &s.size);
    if (!s.text)
        return false;
    a->macro_count++;
    s.what = arena_printf(a->arena, "macro '%.*s'", (int)m->name.n, m->name.at);
    return source_push(a, &s, at);
}

bool
directive_macro_call(struct assembler *a, struct span name)
{
    void **at = map_find(&a->macros, name.at, name.n);
    if (!at || !*at)
        return false;
    if (!expand(a, *at))
        lex_skip_statement(a);
    return true;
}

/* .rept n */
bool
directive_rept(struct assembler *a, int argument)
{
    int64_t n = 0;
    struct span body;
    const char *at = a->start;
    struct position from = position_here(a, at);
    struct source s = { .what = ".rept", .from = &from };
    (void)argument;
    if (!expr_number(a, &n))
        n = 0;
    if (n < 0)
        asm_error(a, at, "a count of %lld", (long long)n);
    if (!take_body(a, loop_open, loop_close, &body, &s.line))
        return false;
    if (n <= 0)
        return true;
    if (a->expanded + body.n > MAX_OUTPUT) {
        source_too_much(a, at);
        return true;
    }
    s.text = source_copy(a, body.at, body.n, &s.size);
    s.loops = (uint64_t)n;
    lex_skip_statement(a);
    return source_push(a, &s, at);
}

/* The last value is pushed first, so that the first is read first. */
static bool
push_rounds(struct assembler *a, struct span body, struct span name,
            const spans *values, unsigned line, const struct position *from)
{
    struct param param = { .name = name };
    struct frame *outer = a->frame;
    unsigned depth = outer->depth;
    const char *resume = a->p;
    for (size_t i = values->n; i-- > 0;) {
        struct source s = { .what = ".irp", .line = line, .from = from };
        s.text = substitute(a, body, &param, &values->at[i], 1, &s.size);
        if (!s.text)
            return true;
        s.what = arena_printf(a->arena, ".irp with '%.*s'",
                              (int)values->at[i].n, values->at[i].at);
        if (!source_push(a, &s, from->at))
            return true;
        a->frame->depth = depth + 1; /* beside each other, not nested */
    }
    outer->at = resume;
    return true;
}

/* .irp name, values; .irpc name, characters */
bool
directive_irp(struct assembler *a, int is_chars)
{
    struct position from = position_here(a, a->start);
    spans values = { 0 };
    struct span body;
    unsigned line;
    struct span name = lex_symbol_name(a, "the name of a parameter");
    if (name.n)
        lex_take(a, ',');
    struct span rest = lex_rest(a);
    const char *p = rest.at, *end = rest.at + rest.n;
    while (p < end && !is_chars)
        vec_push(a->arena, &values, unquote(read_argument(&p, end)));
    rest = unquote(rest);
    for (size_t i = 0; i < rest.n && is_chars; i++)
        vec_push(a->arena, &values, ((struct span){ rest.at + i, 1 }));
    if (!values.n) /* once, with nothing */
        vec_push(a->arena, &values, ((struct span){ from.at, 0 }));
    if (!take_body(a, loop_open, loop_close, &body, &line) || !name.n)
        return false;
    lex_skip_statement(a);
    return push_rounds(a, body, name, &values, line, &from);
}

bool
directive_include(struct assembler *a, int argument)
{
    const char *at = a->start;
    size_t size;
    (void)argument;
    lex_blanks(a);
    const char *name_at = a->p;
    char *name = lex_string_copy(a, NULL);
    char *text = name ? source_load(a, name, name_at, &size) : NULL;
    if (!text)
        return false;
    struct source s = { .file = name, .line = 1 };
    size_t mark = text_mark(text, size);
    s.text = source_copy(a, text + mark, size - mark, &s.size);
    lex_skip_statement(a);
    return source_push(a, &s, at);
}
