/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json_read.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool
refuse_at(struct json_reader *r, const char *expected)
{
    if (!r->expected)
        r->expected = expected;
    return false;
}

static void
skip_space(struct json_reader *r)
{
    r->at += strspn(r->at, r->one_line ? " \t\r" : " \t\r\n");
}

static bool
read_string(struct json_reader *r)
{
    if (*r->at != '"')
        return refuse_at(r, "a string");
    for (r->at++; *r->at != '"'; r->at++) {
        if ((unsigned char)*r->at < ' ')
            return refuse_at(r, "the end of a string");
        if (*r->at == '\\' && !*++r->at)
            return refuse_at(r, "the end of a string");
    }
    r->at++;
    return true;
}

static bool
read_number(struct json_reader *r)
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
    return n ? true : refuse_at(r, "a digit");
}

static bool
read_word(struct json_reader *r)
{
    static const char *const words[] = { "true", "false", "null" };
    for (unsigned i = 0; i < 3; i++) {
        size_t n = strlen(words[i]);
        if (strncmp(r->at, words[i], n) == 0) {
            r->at += n;
            return true;
        }
    }
    return refuse_at(r, "a value");
}

/* Puts `n` bytes of `name` after the first `length` bytes of the path. */
static bool
extend_path(struct json_reader *r, size_t length, const char *name, size_t n)
{
    if (length + n + 2 > sizeof r->path)
        return refuse_at(r, "shorter names");
    if (length)
        r->path[length++] = '.';
    memcpy(r->path + length, name, n);
    r->path[length + n] = 0;
    return true;
}

static bool
read_value(struct json_reader *r, unsigned depth);

/* Reads member or element `i`; its name is put after `length` bytes of the path. */
static bool
read_member(struct json_reader *r, char close, unsigned depth, size_t length,
            size_t i)
{
    char number[24];
    skip_space(r);
    const char *name = r->at + 1;
    if (close == '}') {
        if (!read_string(r) ||
            !extend_path(r, length, name, (size_t)(r->at - name) - 1))
            return false;
        skip_space(r);
        if (*r->at != ':')
            return refuse_at(r, "':'");
        r->at++;
    } else {
        int n = snprintf(number, sizeof number, "%zu", i);
        if (!extend_path(r, length, number, (size_t)n))
            return false;
    }
    return read_value(r, depth + 1);
}

static bool
read_list(struct json_reader *r, char close, unsigned depth)
{
    const char *begin = r->at++;
    size_t length = strlen(r->path);
    skip_space(r);
    for (size_t i = 0; *r->at != close; i++) {
        if (i && *r->at != ',')
            return refuse_at(r, close == '}' ? "',' or '}'" : "',' or ']'");
        r->at += i != 0;
        if (!read_member(r, close, depth, length, i))
            return false;
        r->path[length] = 0;
        skip_space(r);
    }
    r->at++;
    if (r->list)
        r->list(r->ctx, r->path, begin, r->at);
    return true;
}

static bool
read_value(struct json_reader *r, unsigned depth)
{
    skip_space(r);
    if (depth > JSON_NESTING_MAX)
        return refuse_at(r, "fewer brackets in brackets");
    if (*r->at == '{' || *r->at == '[')
        return read_list(r, *r->at == '{' ? '}' : ']', depth);
    struct json_leaf leaf = { .path = r->path, .string = *r->at == '"' };
    leaf.text = r->at + leaf.string;
    bool ok = leaf.string                                       ? read_string(r)
              : *r->at == '-' || isdigit((unsigned char)*r->at) ? read_number(r)
                                                                : read_word(r);
    leaf.n = (size_t)(r->at - leaf.text) - leaf.string;
    if (ok && r->leaf)
        r->leaf(r->ctx, &leaf);
    return ok;
}

bool
json_read(struct json_reader *r)
{
    r->expected = NULL;
    r->path[0] = 0;
    if (!read_value(r, 0))
        return false;
    skip_space(r);
    return true;
}

/* Writes a code point as UTF-8 and returns the number of bytes. */
static unsigned
put_utf8(char *out, unsigned long c)
{
    unsigned n = c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
    if (n == 1) {
        out[0] = (char)c;
        return 1;
    }
    for (unsigned i = n - 1; i > 0; i--, c >>= 6)
        out[i] = (char)(0x80 | (c & 0x3f));
    out[0] = (char)((n == 2 ? 0xc0 : 0xe0) | c);
    return n;
}

char *
json_plain(struct arena *a, const char *text, size_t n)
{
    static const char letter[] = "bfnrt", meaning[] = "\b\f\n\r\t";
    char *out = arena_new(a, char, n + 1);
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        if (text[i] != '\\' || i + 1 == n) {
            out[k++] = text[i];
            continue;
        }
        const char *known = strchr(letter, text[++i]);
        if (text[i] == 'u' && i + 4 < n) {
            char hex[5] = { text[i + 1], text[i + 2], text[i + 3],
                            text[i + 4] };
            k += put_utf8(out + k, strtoul(hex, NULL, 16));
            i += 4;
        } else {
            out[k++] = known ? meaning[known - letter] : text[i];
        }
    }
    return out;
}
