/* SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>

#include "asm/lex.h"

#include "base/defer.h"

#define N CLASS_NAME
#define D CLASS_DIGIT
#define E CLASS_END
#define B CLASS_BLANK

/* Bytes of 128 and more are letters, so that names may have UTF-8. */
/* clang-format off */
const uint8_t lex_class[256] = {
    [0] = E, ['\n'] = E, [';'] = E, ['#'] = E,
    [' '] = B, ['\t'] = B, ['\r'] = B,
    ['_'] = N, ['.'] = N, ['$'] = N,
    ['0' ... '9'] = D, ['a' ... 'z'] = N, ['A' ... 'Z'] = N, [128 ... 255] = N,
};
/* clang-format on */

#undef N
#undef D
#undef E
#undef B

/* The '/' at p begins a block comment, or is left where it is. */
void
lex_skip_comments(struct assembler *a)
{
    for (;;) {
        while (lex_is(*a->p, CLASS_BLANK))
            a->p++;
        if (a->p[0] != '/' || a->p[1] != '*')
            return;
        struct position open = position_here(a, a->p);
        for (a->p += 2; a->p[0] != '*' || a->p[1] != '/'; a->p++) {
            if (!*a->p) {
                asm_report(a, DIAG_ERROR, &open, "the comment is not closed");
                a->p--; /* onto the last '\n' */
                return;
            }
            if (*a->p == '\n') {
                a->frame->line++;
                a->frame->line_text = a->p + 1;
            }
        }
        a->p += 2;
    }
}

bool
lex_expect(struct assembler *a, char c)
{
    if (lex_take(a, c))
        return true;
    asm_error(a, a->p, "expected '%c', found %s", c, lex_found(a, a->p));
    return false;
}

void
lex_skip_statement(struct assembler *a)
{
    char quote = 0;
    for (;; a->p++) {
        char c = *a->p;
        if (c == '\n' || !c)
            return;
        if (quote) {
            if (c == '\\' && a->p[1] != '\n' && a->p[1])
                a->p++;
            else if (c == quote)
                quote = 0;
        } else if (c == '"') {
            quote = c;
        } else if (c == '\'' && a->p[1] != '\n') {
            a->p++; /* '#' is no comment, ';' no end */
        } else if (c == ';') {
            return;
        } else if (c == '#' || (c == '/' && a->p[1] == '/')) {
            while (*a->p != '\n' && *a->p)
                a->p++;
            return;
        } else if (c == '/' && a->p[1] == '*') {
            lex_skip_comments(a);
            a->p--;
        }
    }
}

struct span
lex_rest(struct assembler *a)
{
    struct span s = { a->p, 0 };
    lex_skip_statement(a);
    const char *end = s.at;
    /* The comment that lex_skip_statement went over is not part of it. */
    bool quoted = false;
    while (end < a->p) {
        if (*end == (quoted ? '\\' : '\'') && end + 1 < a->p)
            end++; /* the next byte means itself */
        else if (*end == '"')
            quoted = !quoted;
        else if (!quoted && (*end == '#' || (end[0] == '/' && end[1] == '/')))
            break;
        end++;
    }
    while (end > s.at && lex_is(end[-1], CLASS_BLANK))
        end--;
    assert(end >= s.at && end <= a->p);
    s.n = (size_t)(end - s.at);
    return s;
}

static unsigned
digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10) : 99;
}

bool
lex_number(struct assembler *a, uint64_t *out, const char **why)
{
    const char *p = a->p;
    *why = NULL;
    if (!lex_is(*p, CLASS_DIGIT))
        return false;
    unsigned base = 10;
    if (p[0] == '0' && (p[1] | 0x20) == 'x' && digit_of(p[2]) < 16) {
        base = 16;
        p += 2;
    } else if (p[0] == '0' && (p[1] | 0x20) == 'b' && digit_of(p[2]) < 2) {
        base = 2;
        p += 2;
    } else if (p[0] == '0') {
        base = 8;
    }
    uint64_t value = 0;
    bool fits = true;
    for (; digit_of(*p) < base; p++) {
        unsigned digit = digit_of(*p);
        fits = fits && value <= (UINT64_MAX - digit) / base;
        value = value * base + digit;
    }
    if (lex_is(*p, CLASS_NAME | CLASS_DIGIT) && *p != '.')
        *why = "not a number";
    else if (!fits)
        *why = "the number does not fit 64 bits";
    if (*why)
        return false;
    a->p = p;
    *out = value;
    return true;
}

/* Reads one character of a string or constant: an escape or itself. */
static bool
lex_escape(struct assembler *a, uint8_t *out)
{
    static const char from[] = "btnfrv\\\"'a", to[] = "\b\t\n\f\r\v\\\"'\a";
    if (*a->p != '\\') {
        *out = (uint8_t)*a->p++;
        return true;
    }
    char c = *++a->p;
    unsigned value = 0;
    if (digit_of(c) < 8) {
        for (int i = 0; i < 3 && digit_of(*a->p) < 8; i++)
            value = value * 8 + digit_of(*a->p++);
    } else if (c == 'x' && digit_of(a->p[1]) < 16) {
        for (a->p++; digit_of(*a->p) < 16; a->p++)
            value = value * 16 + digit_of(*a->p);
    } else {
        const char *hit = c ? strchr(from, c) : NULL;
        if (!hit)
            return false;
        value = (uint8_t)to[hit - from];
        a->p++;
    }
    *out = (uint8_t)value;
    return true;
}

bool
lex_char(struct assembler *a, uint64_t *out)
{
    uint8_t byte;
    if (a->p[0] != '\'' || a->p[1] == '\n')
        return false;
    const char *start = a->p++;
    if (!lex_escape(a, &byte)) {
        a->p = start;
        return false;
    }
    if (*a->p == '\'')
        a->p++;
    *out = byte;
    return true;
}

bool
lex_string(struct assembler *a, struct buf *out)
{
    const char *open = a->p;
    if (*a->p != '"') {
        asm_error(a, a->p, "expected a string, found %s", lex_found(a, a->p));
        return false;
    }
    a->p++;
    while (*a->p != '"') {
        const char *at = a->p;
        uint8_t byte;
        if (*a->p == '\n') {
            asm_error(a, open, "the string is not closed");
            return false;
        }
        if (!lex_escape(a, &byte)) {
            asm_error(a, at, "unknown escape in a string");
            lex_skip_statement(a);
            return false;
        }
        buf_u8(out, byte);
    }
    a->p++;
    return true;
}

char *
lex_string_copy(struct assembler *a, size_t *n)
{
    struct buf b = { 0 };
    struct oom_cleanup free_b;
    char *copy = NULL;
    oom_defer_buf(&free_b, &b);
    if (lex_string(a, &b)) {
        copy = arena_strndup(a->arena, b.n ? (char *)b.at : "", b.n);
        if (n)
            *n = b.n;
    }
    oom_release(&free_b);
    return copy;
}

struct span
lex_symbol_name(struct assembler *a, const char *what)
{
    lex_blanks(a);
    if (*a->p == '"') {
        struct span s = { NULL, 0 };
        const char *at = a->p;
        s.at = lex_string_copy(a, &s.n);
        if (s.at && !s.n)
            asm_error(a, at, "expected %s, found an empty string", what);
        if (!s.at)
            s.n = 0;
        return s;
    }
    struct span s = lex_name(a);
    if (!s.n)
        asm_error(a, a->p, "expected %s, found %s", what, lex_found(a, a->p));
    return s;
}

const char *
lex_found(struct assembler *a, const char *at)
{
    const char *p = *at == '\\' ? at + 1 : at; /* an argument of a macro */
    if (lex_is(*p, CLASS_END) || (p[0] == '/' && p[1] == '/'))
        return "the end of the line";
    while (lex_is(*p, CLASS_NAME | CLASS_DIGIT) && p - at < 40)
        p++;
    if (p == at)
        p++;
    return arena_printf(a->arena, "'%.*s'", (int)(p - at), at);
}
