/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/*
 * Reads a value of JSON (RFC 8259) and calls back for what stands in it:
 *
 *     {"name":"vecadd","counters":{"issued":7},"sms":[{"issued":3}]}
 *
 *     leaf("name", "vecadd")  leaf("counters.issued", "7")
 *     leaf("sms.0.issued", "3")
 *
 * A path has the names of members and the numbers of elements with dots between
 * them.  Names are as in the text: a dot or an escape in one stays.  Nothing is
 * allocated.
 */
enum { JSON_PATH_MOST = 512, JSON_NESTING_MOST = 64 };

struct json_leaf {
    const char *path; /* "" if it is the outermost value */
    const char *text; /* of a string without its quotes, escapes as they are */
    size_t n;         /* bytes of it */
    bool string;      /* else a number, true, false or null */
};

struct json_reader {
    const char *at;       /* what is read next; ends with a zero byte */
    const char *expected; /* NULL, or what was expected there */
    bool one_line;        /* a value ends before the end of its line */
    void (*leaf)(void *ctx, const struct json_leaf *leaf); /* or NULL */
    /* Behind each object and array: its bytes, with the brackets; or NULL. */
    void (*list)(void *ctx, const char *path, const char *begin,
                 const char *end);
    void *ctx;
    char path[JSON_PATH_MOST];
};

/*
 * Reads one value from r->at, which is moved behind it and behind the spaces
 * there.  False: it is none, r->at is where r->expected was expected.
 */
bool
json_read(struct json_reader *r);

/* The text of a string, its escapes resolved, in UTF-8. */
char *
json_plain(struct arena *a, const char *text, size_t n);
