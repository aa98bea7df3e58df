/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/*
 * A writer of JSON (RFC 8259) to a stream.  The writer puts the commas, names, escapes
 * and matching brackets, so that its output is always well formed.
 *
 *     struct json j = { .out = stdout };
 *     json_object(&j, NULL);            {
 *     json_number(&j, "cycles", 7);       "cycles":7
 *     json_array(&j, "sms");              ,"sms":[
 *     json_number(&j, NULL, 1);             1
 *     json_end(&j);                       ]
 *     json_end(&j);                     }
 *
 * `name` is the member's name inside an object, and NULL inside an array or for the
 * outermost value.  Errors are the stream's: ferror tells of them at the end.
 */
enum { JSON_DEPTH = 32 };

struct json {
    FILE *out;
    unsigned depth;         /* open brackets */
    char close[JSON_DEPTH]; /* closing bracket of each */
    bool follows;           /* a value precedes in the same brackets */
    bool on_new_line;       /* the next value begins a line */
};

void
json_object(struct json *j, const char *name);

void
json_array(struct json *j, const char *name);

/* Ends the innermost object or array. */
void
json_end(struct json *j);

/* Begins a line before the next value: for files that people read. */
void
json_new_line(struct json *j);

/* Writes a string, or null for NULL.  Bytes outside ASCII are copied: they should be
 * UTF-8. */
void
json_string(struct json *j, const char *name, const char *text);

void
json_number(struct json *j, const char *name, uint64_t value);

void
json_signed(struct json *j, const char *name, int64_t value);

/* Writes a number with `digits` significant digits; infinity and NaN become null. */
void
json_real(struct json *j, const char *name, double value, int digits);

void
json_bool(struct json *j, const char *name, bool value);

/* Copies text that is JSON already. */
void
json_raw(struct json *j, const char *name, const char *text, size_t n);
