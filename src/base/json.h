/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Writes JSON (RFC 8259) to a stream: commas, names, escapes and brackets that
 * match are its work, so what it writes is always well formed.
 *
 *     struct json j = { .out = stdout };
 *     json_object(&j, NULL);            {
 *     json_number(&j, "cycles", 7);       "cycles":7
 *     json_array(&j, "sms");              ,"sms":[
 *     json_number(&j, NULL, 1);             1
 *     json_end(&j);                       ]
 *     json_end(&j);                     }
 *
 * `name` is the member's name inside an object, and NULL inside an array or
 * for the outermost value.  Errors are the stream's: ask ferror at the end.
 */
enum { JSON_DEPTH = 32 };

struct json {
    FILE *out;
    unsigned depth;         /* open brackets */
    char close[JSON_DEPTH]; /* what ends each of them */
    bool follows;           /* a value stands before, in the same brackets */
    bool on_new_line;       /* the next value begins a line */
};

void
json_object(struct json *j, const char *name);

void
json_array(struct json *j, const char *name);

/* Ends the innermost object or array. */
void
json_end(struct json *j);

/* Begins a line before the next value: for files that people look into. */
void
json_new_line(struct json *j);

/* Bytes that are not ASCII are copied: they should be UTF-8. NULL is null. */
void
json_string(struct json *j, const char *name, const char *text);

void
json_number(struct json *j, const char *name, uint64_t value);

void
json_signed(struct json *j, const char *name, int64_t value);

/* With so many significant digits; what is not finite becomes null. */
void
json_real(struct json *j, const char *name, double value, int digits);

void
json_bool(struct json *j, const char *name, bool value);

/* A value that is JSON already. */
void
json_raw(struct json *j, const char *name, const char *text, size_t n);
