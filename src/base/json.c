/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>

static void
put_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < ' ')
            fprintf(out, "\\u%04x", c);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

/* Writes what separates a value from the one before it: the comma, the end of the
 * line, and its name. */
static void
begin_value(struct json *j, const char *name)
{
    bool in_object = j->depth && j->close[j->depth - 1] == '}';
    assert(in_object == (name != NULL) &&
           "members of objects have names, elements do not");
    assert((j->depth || !j->follows) && "a document has one outermost value");
    if (j->follows)
        fputc(',', j->out);
    if (j->on_new_line)
        fputc('\n', j->out);
    j->follows = true;
    j->on_new_line = false;
    if (name) {
        put_text(j->out, name);
        fputc(':', j->out);
    }
}

static void
open_bracket(struct json *j, const char *name, char open, char close)
{
    begin_value(j, name);
    assert(j->depth < JSON_DEPTH);
    fputc(open, j->out);
    j->close[j->depth++] = close;
    j->follows = false;
}

void
json_object(struct json *j, const char *name)
{
    open_bracket(j, name, '{', '}');
}

void
json_array(struct json *j, const char *name)
{
    open_bracket(j, name, '[', ']');
}

void
json_end(struct json *j)
{
    assert(j->depth && "a bracket is open");
    if (j->on_new_line)
        fputc('\n', j->out);
    fputc(j->close[--j->depth], j->out);
    j->follows = true;
    j->on_new_line = false;
}

void
json_new_line(struct json *j)
{
    j->on_new_line = true;
}

void
json_string(struct json *j, const char *name, const char *text)
{
    begin_value(j, name);
    if (text)
        put_text(j->out, text);
    else
        fputs("null", j->out);
}

void
json_number(struct json *j, const char *name, uint64_t value)
{
    begin_value(j, name);
    fprintf(j->out, "%" PRIu64, value);
}

void
json_signed(struct json *j, const char *name, int64_t value)
{
    begin_value(j, name);
    fprintf(j->out, "%" PRId64, value);
}

void
json_real(struct json *j, const char *name, double value, int digits)
{
    begin_value(j, name);
    if (isfinite(value))
        fprintf(j->out, "%.*g", digits, value);
    else
        fputs("null", j->out);
}

void
json_bool(struct json *j, const char *name, bool value)
{
    begin_value(j, name);
    fputs(value ? "true" : "false", j->out);
}

void
json_raw(struct json *j, const char *name, const char *text, size_t n)
{
    begin_value(j, name);
    fwrite(text, 1, n, j->out);
}
