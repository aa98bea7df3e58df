/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/*
 * A reader of JSON (RFC 8259), which calls back for each value in it:
 *
 *     {"name":"vecadd","counters":{"issued":7},"sms":[{"issued":3}]}
 *
 *     leaf("name", "vecadd")  leaf("counters.issued", "7")
 *     leaf("sms.0.issued", "3")
 *
 * A path has the names of members and the numbers of elements with dots between them.
 * Names are as in the text, with their dots and escapes.  Nothing is allocated.
 */
enum { JSON_PATH_MAX = 512, JSON_NESTING_MAX = 64 };

struct json_leaf {
    const char *path; /* "" for the outermost value */
    const char *text; /* without the quotes of a string; escapes as they are */
    size_t n;         /* size of the text in bytes */
    bool string;      /* a string; else a number, true, false or null */
};

struct json_reader {
    const char *at; /* position in the text, which ends with a zero byte */
    const char *expected; /* NULL, or the syntax that was expected at `at` */
    bool one_line;        /* a value ends before the end of its line */
    void (*leaf)(void *ctx, const struct json_leaf *leaf); /* or NULL */
    /* Called after each object and array with its bytes, brackets included; or NULL. */
    void (*list)(void *ctx, const char *path, const char *begin,
                 const char *end);
    void *ctx;
    char path[JSON_PATH_MAX];
};

/* Reads one value from r->at, and moves r->at past it and the spaces after it.  False:
 * there is no valid value; r->at is where r->expected was expected. */
bool
json_read(struct json_reader *r);

/* The text of a string in UTF-8, its escapes resolved. */
char *
json_plain(struct arena *a, const char *text, size_t n);
