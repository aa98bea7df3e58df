/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading tokens at assembler.p.  There is no list of tokens: what a name or a
 * number is depends on its position in the statement, so each reader tries the
 * token that it expects.  source.c ends each text with '\n' and a zero byte, so
 * that looking ahead needs no check of bounds.
 */
#pragma once

#include <string.h>

#include "asm/state.h"

enum char_class {
    CLASS_NAME = 1,  /* may begin a name */
    CLASS_DIGIT = 2, /* 0-9 */
    CLASS_END = 4,   /* \n 0 ; #: ends a statement */
    CLASS_BLANK = 8
};

extern const uint8_t lex_class[256];

static inline bool
lex_is(char c, unsigned classes)
{
    return lex_class[(unsigned char)c] & classes;
}

/* A span of the text. */
struct span {
    const char *at;
    size_t n;
};

static inline bool
span_is(struct span s, const char *text)
{
    return strlen(text) == s.n && memcmp(s.at, text, s.n) == 0;
}

void
lex_skip_comments(struct assembler *a);

/* Skips blanks and block comments. */
static inline void
lex_blanks(struct assembler *a)
{
    while (*a->p == ' ' || *a->p == '\t')
        a->p++;
    if (*a->p == '/' || *a->p == '\r')
        lex_skip_comments(a);
}

/* Whether nothing but a comment follows in this statement. */
static inline bool
lex_at_end(const struct assembler *a)
{
    return lex_is(*a->p, CLASS_END) || (a->p[0] == '/' && a->p[1] == '/');
}

/* A name at p, or n == 0. */
static inline struct span
lex_name(struct assembler *a)
{
    struct span s = { a->p, 0 };
    if (!lex_is(*a->p, CLASS_NAME))
        return s;
    do
        a->p++;
    while (lex_is(*a->p, CLASS_NAME | CLASS_DIGIT));
    s.n = (size_t)(a->p - s.at);
    return s;
}

/* Takes `c` and the blanks around it, if it is next. */
static inline bool
lex_take(struct assembler *a, char c)
{
    lex_blanks(a);
    if (*a->p != c)
        return false;
    a->p++;
    lex_blanks(a);
    return true;
}

/* Takes `c` as lex_take does; reports an error if something else is next. */
bool
lex_expect(struct assembler *a, char c);

/* Skips to the end of the statement, a comment included. */
void
lex_skip_statement(struct assembler *a);

/* The rest of the line, without line comment and blanks at its end. */
struct span
lex_rest(struct assembler *a);

/*
 * A number without sign: decimal, 0x, 0b, 0 octal.  False if there is none
 * at p or it does not fit 64 bits; then *why says so.
 */
bool
lex_number(struct assembler *a, uint64_t *out, const char **why);

/* A character constant at p ('a', '\n'). */
bool
lex_char(struct assembler *a, uint64_t *out);

/* A string in quotes, escapes resolved, appended to `out`.  Reports errors. */
bool
lex_string(struct assembler *a, struct buf *out);

/* A string as an arena copy with a zero byte; NULL after an error. */
char *
lex_string_copy(struct assembler *a, size_t *n);

/* The name of a symbol or section, quoted or not; n == 0 after an error. */
struct span
lex_symbol_name(struct assembler *a, const char *what);

/* The word or character at `at`, in quotes, for messages. */
const char *
lex_found(struct assembler *a, const char *at);
