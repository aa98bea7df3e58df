/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Assembly outside of functions.  It would be code that no kernel's registers
 * and records know of, so it is refused; what it is for, functions written in
 * assembly, are files that are linked.  A module keeps its text and not its
 * line, which is searched in the source.
 */
#include <ctype.h>
#include <string.h>

#include "cc/front/asm.h"

/* The end of a comment, a directive, a string or a character; s itself if there is
 * none. */
static const char *
skip_token(const char *s)
{
    if (*s == '#' || (s[0] == '/' && s[1] == '/'))
        return s + strcspn(s, "\n");
    if (s[0] == '/' && s[1] == '*') {
        const char *end = strstr(s + 2, "*/");
        return end ? end + 2 : s + strlen(s);
    }
    char quote = *s;
    if (quote != '"' && quote != '\'')
        return s;
    for (s++; *s && *s != quote && *s != '\n'; s++)
        if (*s == '\\' && s[1])
            s++;
    return *s == quote ? s + 1 : s;
}

static bool
is_asm(const char *word, size_t n)
{
    return (n == 3 && memcmp(word, "asm", n) == 0) ||
           (n == 5 && memcmp(word, "__asm", n) == 0) ||
           (n == 7 && memcmp(word, "__asm__", n) == 0);
}

/* The first such word outside of braces and parentheses; NULL if a macro hides
 * it. */
static const char *
find_asm(const char *s)
{
    bool start = true; /* of a declaration; not `int f() asm("name");` */
    for (int depth = 0; *s;) {
        const char *end = skip_token(s);
        size_t n = 0;
        while (isalnum((unsigned char)s[n]) || s[n] == '_')
            n++;
        if (n && start && !depth && is_asm(s, n))
            return s;
        if (end != s) {
            s = end;
            continue;
        }
        depth += (*s == '{' || *s == '(') - (*s == '}' || *s == ')');
        if (!isspace((unsigned char)*s))
            start = *s == ';' || *s == '}';
        s += n ? n : 1;
    }
    return NULL;
}

static void
locate_asm(struct diag_at *at, const char *text, const char *found)
{
    at->line = 1;
    at->line_text = text;
    for (const char *next; (next = strchr(at->line_text, '\n')) && next < found;
         at->line++)
        at->line_text = next + 1;
    at->col = (unsigned)(found - at->line_text) + 1;
}

bool
front_refuse_asm(struct front_build *b)
{
    enum { MAX_SHOWN = 60 };
    size_t size, n = 0;
    const char *text = LLVMGetModuleInlineAsm(b->module, &size);
    struct diag_at at = { .file = b->name };
    const char *found = size && b->text ? find_asm(b->text) : NULL;
    if (!size)
        return true;
    if (found)
        locate_asm(&at, b->text, found);
    while (n < size && n < MAX_SHOWN && isprint((unsigned char)text[n]))
        n++;
    diag_report(b->sink, DIAG_ERROR, at,
                "assembly outside of functions, '%.*s': expected it in a "
                "function, or in a file of its own that is linked",
                (int)n, text);
    return false;
}
