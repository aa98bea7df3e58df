/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of event files: docs/events.md. */
#include "dbg/event_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"

const char event_letters[EVENT_KINDS + 1] = "GIAWSRMEDF";
const char *const event_names[EVENT_KINDS] = {
    "workgroup taken", "issue",       "LSU entry",    "write-back",
    "store",           "memory read", "memory write", "warp end",
    "workgroup done",  "kernel done"
};

enum { FIELDS = 6, SMS_MAX = 1 << 16 };

static const uint64_t cycle_max = UINT64_C(1) << 40;

/* A field of a line; it ends after `size` characters, without a zero byte. */
struct field {
    const char *at;
    size_t size;
};

struct parser {
    struct arena *arena;
    struct diag_sink *sink;
    struct diag_at at;
    struct event_file *file;
    bool ok;
};

static void
refuse_line(struct parser *p, struct field f, const char *what)
{
    struct diag_at at = p->at;
    at.col = f.at ? (unsigned)(f.at - at.line_text) + 1 : 0;
    enum { SHOWN = 40 };
    diag_report(p->sink, DIAG_ERROR, at, "expected %s, found '%.*s'%s", what,
                (int)(f.size < SHOWN ? f.size : SHOWN), f.at ? f.at : "",
                f.size > SHOWN ? "..." : "");
    p->ok = false;
}

static int
digit_of(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : 16;
}

/* Reads a whole field as a number of at most `max`. */
static bool
read_number(struct field f, unsigned base, uint64_t max, uint64_t *value)
{
    if (base == 16 && f.size > 2 && f.at[0] == '0' && (f.at[1] | 32) == 'x') {
        f.at += 2;
        f.size -= 2;
    }
    *value = 0;
    for (size_t i = 0; i < f.size; i++) {
        unsigned digit = (unsigned)digit_of(f.at[i]);
        if (digit >= base || *value > (max - digit) / base)
            return false;
        *value = *value * base + digit;
    }
    return f.size > 0;
}

static bool
is_none(struct field f)
{
    return f.size == 1 && *f.at == '-';
}

static bool
is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Splits a line; returns the number of its fields, FIELDS + 1 for more. */
static unsigned
split_fields(const char *line, const char *end, struct field field[FIELDS + 1])
{
    unsigned n = 0;
    while (line < end && n <= FIELDS) {
        while (line < end && is_blank(*line))
            line++;
        const char *from = line;
        while (line < end && !is_blank(*line))
            line++;
        if (line > from)
            field[n++] = (struct field){ from, (size_t)(line - from) };
    }
    return n;
}

static struct event_launch *
add_launch(struct parser *p)
{
    if (!p->file->launches.n)
        vec_push(p->arena, &p->file->launches,
                 ((struct event_launch){ .name = "" }));
    return &p->file->launches.at[p->file->launches.n - 1];
}

static void
begin_launch(struct parser *p, const struct field *field, const char *end)
{
    const char *name = field->at + 1;
    while (name < end && is_blank(*name))
        name++;
    while (end > name && is_blank(end[-1]))
        end--;
    vec_push(
        p->arena, &p->file->launches,
        ((struct event_launch){
            .name = arena_strndup(p->arena, name, (size_t)(end - name)) }));
}

/* The fields that a kind requires. */
static const struct {
    bool warp, pc;
} needs[EVENT_KINDS] = {
    [EVENT_ISSUE] = { true, true },     [EVENT_ACCESS] = { true, true },
    [EVENT_WRITEBACK] = { true, true }, [EVENT_STORED] = { true, true },
    [EVENT_READ] = { false, true },     [EVENT_WRITE] = { false, true },
    [EVENT_WARP_END] = { true, false }, [EVENT_GROUP_END] = { true, false },
};

/* Reads a number, or - for 0 if the kind does not require it. */
static bool
read_optional(struct field f, bool needed, unsigned base, uint64_t max,
              uint64_t *value)
{
    *value = 0;
    return (!needed && is_none(f)) || read_number(f, base, max, value);
}

static bool
read_sm(struct field f, int *sm)
{
    uint64_t value;
    *sm = EVENT_NO_SM;
    if (is_none(f))
        return true;
    if (f.size > 2 && memcmp(f.at, "sm", 2) == 0)
        f = (struct field){ f.at + 2, f.size - 2 };
    if (!read_number(f, 10, SMS_MAX - 1, &value))
        return false;
    *sm = (int)value;
    return true;
}

static void
add_event(struct parser *p, const struct field field[FIELDS])
{
    struct event e = { .has_word = !is_none(field[5]) };
    uint64_t warp, word;
    const char *letter =
        field[1].size == 1 ? strchr(event_letters, *field[1].at) : NULL;
    if (!letter || !*letter) {
        refuse_line(p, field[1], "a kind of event, one of G I A W S R M E D F");
        return;
    }
    e.kind = (enum event_kind)(letter - event_letters);
    if (!read_number(field[0], 10, cycle_max, &e.cycle))
        refuse_line(p, field[0], "a cycle, decimal and at most 2^40");
    else if (!read_sm(field[2], &e.sm))
        refuse_line(p, field[2], "an SM's number below 65536, or -");
    else if (!read_optional(field[3], needs[e.kind].warp, 10, UINT32_MAX,
                            &warp))
        refuse_line(p, field[3], "the number of a warp slot or workgroup");
    else if (!read_optional(field[4], needs[e.kind].pc, 16, UINT64_MAX, &e.pc))
        refuse_line(p, field[4], "a pc or the address of a line, hexadecimal");
    else if (!read_optional(field[5], false, 16, UINT32_MAX, &word))
        refuse_line(p, field[5], "an instruction word, hexadecimal, or -");
    else {
        struct event_launch *l = add_launch(p);
        e.warp = (uint32_t)warp;
        e.word = (uint32_t)word;
        e.order = l->events.n;
        vec_push(p->arena, &l->events, e);
    }
}

static void
parse_line(struct parser *p, const char *line, const char *end)
{
    struct field f[FIELDS + 1] = { { 0 } };
    p->at.line_text = line;
    unsigned n = split_fields(line, end, f);
    if (!n || *f[0].at == '#')
        return;
    if (*f[0].at == 'K' && f[0].size == 1) {
        begin_launch(p, f, end);
        return;
    }
    if (n != FIELDS) {
        refuse_line(p, (struct field){ line, (size_t)(end - line) },
                    "cycle kind sm warp pc word");
        return;
    }
    if (f[0].size == 1 && *f[0].at == 'I') { /* a line of --issues */
        struct field cycle = f[1];
        f[1] = f[0];
        f[0] = cycle;
    }
    add_event(p, f);
}

static int
compare_cycles(const void *a, const void *b)
{
    const struct event *x = a, *y = b;
    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

bool
event_file_parse(struct arena *a, const char *path, const char *text,
                 struct event_file *file, struct diag_sink *sink)
{
    enum { ERRORS = 20 };
    struct parser p = { .arena = a,
                        .sink = sink,
                        .at = { .file = path },
                        .file = file,
                        .ok = true };
    unsigned errors = sink->errors;
    while (*text && sink->errors < errors + ERRORS) {
        const char *end = text + strcspn(text, "\n");
        p.at.line++;
        parse_line(&p, text, end);
        text = end + (*end == '\n');
    }
    for (size_t i = 0; i < file->launches.n; i++) {
        struct event_launch *l = &file->launches.at[i];
        if (l->events.n)
            qsort(l->events.at, l->events.n, sizeof *l->events.at,
                  compare_cycles);
    }
    return p.ok;
}

bool
event_file_read(struct arena *a, const char *path, struct event_file *file,
                struct diag_sink *sink)
{
    size_t size;
    const char *text = (const char *)file_read(a, path, &size, sink);
    if (!text)
        return false;
    if (strlen(text) != size) {
        diag_report(sink, DIAG_ERROR, (struct diag_at){ .file = path },
                    "expected text, found a zero byte at offset %zu",
                    strlen(text));
        return false;
    }
    if (size && text[size - 1] != '\n') {
        struct diag_at at = { .file = path, .line = 1 };
        for (const char *s = text; (s = strchr(s, '\n')); s++)
            at.line++;
        diag_report(sink, DIAG_WARNING, at,
                    "expected a newline at the end of the file, which may be "
                    "cut in the middle of a line");
    }
    return event_file_parse(a, path, text, file, sink);
}
