/* SPDX-License-Identifier: Apache-2.0 */
/* Whether text is JSON. */
#include "dbg/json_check.h"

#include <ctype.h>
#include <string.h>

enum { DEPTH_MAX = 64 };

struct reader {
    const char *at;
    const char *expected; /* at the first error */
};

static bool
json_expected(struct reader *r, const char *expected)
{
    if (!r->expected)
        r->expected = expected;
    return false;
}

static void
skip_space(struct reader *r)
{
    r->at += strspn(r->at, " \t\r");
}

static bool
read_string(struct reader *r)
{
    if (*r->at != '"')
        return json_expected(r, "a string");
    for (r->at++; *r->at != '"'; r->at++) {
        if ((unsigned char)*r->at < ' ')
            return json_expected(r, "the end of a string");
        if (*r->at == '\\' && !*++r->at)
            return json_expected(r, "the end of a string");
    }
    r->at++;
    return true;
}

static bool
read_number(struct reader *r)
{
    const char *digits = "0123456789";
    r->at += *r->at == '-';
    size_t n = strspn(r->at, digits);
    r->at += n;
    if (n && *r->at == '.') {
        n = strspn(r->at + 1, digits);
        r->at += n + 1;
    }
    if (n && (*r->at == 'e' || *r->at == 'E')) {
        r->at++;
        r->at += *r->at == '-' || *r->at == '+';
        n = strspn(r->at, digits);
        r->at += n;
    }
    return n ? true : json_expected(r, "a digit");
}

static bool
read_word(struct reader *r)
{
    static const char *const words[] = { "true", "false", "null" };
    for (unsigned i = 0; i < 3; i++) {
        size_t n = strlen(words[i]);
        if (strncmp(r->at, words[i], n) == 0) {
            r->at += n;
            return true;
        }
    }
    return json_expected(r, "a value");
}

static bool
read_value(struct reader *r, unsigned depth);

/* Members of an object, or elements of an array, up to `close`. */
static bool
read_list(struct reader *r, char close, unsigned depth)
{
    r->at++;
    skip_space(r);
    if (*r->at == close) {
        r->at++;
        return true;
    }
    for (;;) {
        skip_space(r);
        if (close == '}') {
            if (!read_string(r))
                return false;
            skip_space(r);
            if (*r->at++ != ':') {
                r->at--;
                return json_expected(r, "':'");
            }
        }
        if (!read_value(r, depth + 1))
            return false;
        skip_space(r);
        if (*r->at == close) {
            r->at++;
            return true;
        }
        if (*r->at != ',')
            return json_expected(r, close == '}' ? "',' or '}'" : "',' or ']'");
        r->at++;
    }
}

static bool
read_value(struct reader *r, unsigned depth)
{
    skip_space(r);
    if (depth > DEPTH_MAX)
        return json_expected(r, "fewer brackets in brackets");
    if (*r->at == '{' || *r->at == '[')
        return read_list(r, *r->at == '{' ? '}' : ']', depth);
    if (*r->at == '"')
        return read_string(r);
    if (*r->at == '-' || isdigit((unsigned char)*r->at))
        return read_number(r);
    return read_word(r);
}

bool
json_check_lines(const char *file, const char *text, struct diag_sink *sink)
{
    struct diag_at at = { .file = file };
    while (*text) {
        struct reader r = { .at = text };
        at.line++;
        skip_space(&r);
        if (*r.at != '\n' && *r.at) {
            bool ok = read_value(&r, 0);
            skip_space(&r);
            if (!ok || (*r.at && *r.at != '\n')) {
                at.col = (unsigned)(r.at - text) + 1;
                diag_report(sink, DIAG_ERROR, at,
                            "not JSON: expected %s, found '%.*s'",
                            r.expected ? r.expected : "the end of the line",
                            *r.at && *r.at != '\n' ? 1 : 0, r.at);
                return false;
            }
        }
        text = *r.at ? r.at + 1 : r.at;
    }
    return true;
}
