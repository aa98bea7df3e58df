/* SPDX-License-Identifier: Apache-2.0 */
#include "cl/log.h"

#include <assert.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum { LONGEST_TEXT = 80 };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static FILE *out; /* NULL: the log is off */
static _Atomic(log_failure_fn *) on_failure;

static void
open_log(void)
{
    const char *name = cl_env("VENTUS_LOG_API");
    if (!name || strcmp(name, "0") == 0)
        return;
    out = strcmp(name, "1") == 0 ? stderr : fopen(name, "a");
    if (!out)
        cl_complain("cannot write %s", name);
}

bool
log_wanted(void)
{
    pthread_once(&once, open_log);
    return out != NULL;
}

bool
log_sees_calls(void)
{
    return log_wanted() || cl_env("VENTUS_CHECK");
}

void
log_tell_failures(log_failure_fn *fn)
{
    on_failure = fn;
}

/* Appends to the line; the excess is cut off. */
#define add(call, ...) \
    text_append((call)->line, sizeof((call)->line) - 1, __VA_ARGS__)

void
log_begin(struct log_call *call, const char *entry)
{
    assert(entry && "a failure is told by the entry's name");
    call->entry = entry;
    call->any = false;
    call->line[0] = 0;
    add(call, "%s(", entry);
    cl_forget_refusal();
}

static void
add_name(struct log_call *call, const char *name)
{
    add(call, "%s%s=", call->any ? ", " : "", name);
    call->any = true;
}

void
log_number(struct log_call *call, const char *name, uint64_t value)
{
    add_name(call, name);
    add(call, "%" PRIu64, value);
}

void
log_signed(struct log_call *call, const char *name, int64_t value)
{
    add_name(call, name);
    add(call, "%" PRId64, value);
}

static const char *
find_name(uint64_t value, const struct log_name *names)
{
    for (; names->name; names++)
        if (names->value == value)
            return names->name;
    return NULL;
}

void
log_named(struct log_call *call, const char *name, uint64_t value,
          const struct log_name *names)
{
    const char *known = find_name(value, names);
    add_name(call, name);
    if (known)
        add(call, "%s", known);
    else
        add(call, "0x%" PRIx64, value);
}

void
log_bits(struct log_call *call, const char *name, uint64_t value,
         const struct log_name *names)
{
    const char *whole = find_name(value, names);
    add_name(call, name);
    if (whole || !value) {
        add(call, "%s", whole ? whole : "0");
        return;
    }
    const char *separator = "";
    for (; names->name && value; names++) {
        bool one_bit = names->value && !(names->value & (names->value - 1));
        if (!one_bit || !(value & names->value))
            continue;
        add(call, "%s%s", separator, names->name);
        value &= ~names->value;
        separator = "|";
    }
    if (value)
        add(call, "%s0x%" PRIx64, separator, value);
}

void
log_string(struct log_call *call, const char *name, const char *text)
{
    add_name(call, name);
    if (!text) {
        add(call, "NULL");
        return;
    }
    add(call, "\"");
    for (size_t i = 0; i < LONGEST_TEXT && text[i]; i++) {
        if (text[i] == '\n')
            add(call, "\\n");
        else
            add(call, "%c", text[i]);
    }
    add(call, "%s", strlen(text) > LONGEST_TEXT ? "\"..." : "\"");
}

static void
add_pointer(struct log_call *call, const void *pointer)
{
    if (pointer)
        add(call, "0x%" PRIxPTR, (uintptr_t)pointer);
    else
        add(call, "NULL");
}

void
log_sizes(struct log_call *call, const char *name, const size_t *sizes,
          unsigned n)
{
    add_name(call, name);
    if (!sizes || !n || n > 3) { /* arrays of a wrong length are not read */
        add_pointer(call, sizes);
        return;
    }
    for (unsigned i = 0; i < n; i++)
        add(call, "%c%zu", i ? ',' : '{', sizes[i]);
    add(call, "}");
}

void
log_pointer(struct log_call *call, const char *name, const void *pointer)
{
    add_name(call, name);
    add_pointer(call, pointer);
}

void
log_event(struct log_call *call, const char *name, const cl_event *event)
{
    add_name(call, name);
    if (event)
        add(call, "&");
    add_pointer(call, event ? (const void *)*event : NULL);
}

void
log_flag(struct log_call *call, const char *name, bool given)
{
    add_name(call, name);
    add(call, given ? "a function" : "NULL");
}

/* Writes the line in one call, so that lines of several threads are not mixed. */
static void
write_line(struct log_call *call)
{
    size_t n = strlen(call->line);
    if (!out)
        return;
    memcpy(call->line + n, "\n", 2); /* add leaves space for it */
    fputs(call->line, out);
    fflush(out);
}

void
log_warning(const char *format, ...)
{
    if (!log_wanted())
        return;
    struct log_call call = { .any = false };
    va_list args;
    char text[400];
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    add(&call, "warning: %s", text);
    write_line(&call);
}

static void
add_code(struct log_call *call, cl_int code)
{
    const char *name = find_name((uint64_t)(int64_t)code, log_codes);
    const char *reason = cl_refusal();
    if (name)
        add(call, "%s", name);
    else
        add(call, "%d", code);
    if (code != CL_SUCCESS && reason)
        add(call, ": %s", reason);
    if (code != CL_SUCCESS && on_failure)
        on_failure(call->entry, code, name);
}

void
log_end_code(struct log_call *call, cl_int code)
{
    add(call, ") = ");
    add_code(call, code);
    write_line(call);
}

void
log_end_handle(struct log_call *call, const void *handle, cl_int code)
{
    add(call, ") = ");
    if (code == CL_SUCCESS)
        add_pointer(call, handle);
    else
        add_code(call, code);
    write_line(call);
}

void
log_end_pointer(struct log_call *call, const void *pointer)
{
    const char *reason = cl_refusal();
    add(call, ") = ");
    add_pointer(call, pointer);
    if (!pointer && reason)
        add(call, ", refused: %s", reason);
    write_line(call);
}

void
log_end_void(struct log_call *call)
{
    add(call, ")");
    write_line(call);
}
