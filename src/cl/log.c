/* SPDX-License-Identifier: Apache-2.0 */
#include "cl/log.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_TEXT = 80 };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static FILE *out; /* NULL: nobody wants a log */

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

void
log_begin(struct log_call *call, const char *entry)
{
    *call = (struct log_call){ .any = false };
    buf_printf(&call->line, "%s(", entry);
    cl_forget_refusal();
}

static void
add_name(struct log_call *call, const char *name)
{
    buf_printf(&call->line, "%s%s=", call->any ? ", " : "", name);
    call->any = true;
}

void
log_number(struct log_call *call, const char *name, uint64_t value)
{
    add_name(call, name);
    buf_printf(&call->line, "%" PRIu64, value);
}

void
log_signed(struct log_call *call, const char *name, int64_t value)
{
    add_name(call, name);
    buf_printf(&call->line, "%" PRId64, value);
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
    const char *whole = find_name(value, names);
    add_name(call, name);
    if (whole || !value) {
        buf_printf(&call->line, "%s", whole ? whole : "0");
        return;
    }
    const char *separator = "";
    for (; names->name && value; names++) {
        bool one_bit = names->value && !(names->value & (names->value - 1));
        if (!one_bit || !(value & names->value))
            continue;
        buf_printf(&call->line, "%s%s", separator, names->name);
        value &= ~names->value;
        separator = "|";
    }
    if (value)
        buf_printf(&call->line, "%s0x%" PRIx64, separator, value);
}

void
log_string(struct log_call *call, const char *name, const char *text)
{
    add_name(call, name);
    if (!text) {
        buf_printf(&call->line, "NULL");
        return;
    }
    buf_printf(&call->line, "\"");
    for (size_t i = 0; text[i] && i < LONGEST_TEXT; i++) {
        if (text[i] == '\n')
            buf_printf(&call->line, "\\n");
        else
            buf_u8(&call->line, (uint8_t)text[i]);
    }
    buf_printf(&call->line, "%s", strlen(text) > LONGEST_TEXT ? "\"..." : "\"");
}

void
log_sizes(struct log_call *call, const char *name, const size_t *sizes,
          unsigned n)
{
    add_name(call, name);
    if (!sizes) {
        buf_printf(&call->line, "NULL");
        return;
    }
    for (unsigned i = 0; i < n && i < 3; i++)
        buf_printf(&call->line, "%c%zu", i ? ',' : '{', sizes[i]);
    buf_printf(&call->line, "}");
}

static void
add_pointer(struct log_call *call, const void *pointer)
{
    if (pointer)
        buf_printf(&call->line, "0x%" PRIxPTR, (uintptr_t)pointer);
    else
        buf_printf(&call->line, "NULL");
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
        buf_printf(&call->line, "&");
    add_pointer(call, event ? (const void *)*event : NULL);
}

void
log_flag(struct log_call *call, const char *name, bool given)
{
    add_name(call, name);
    buf_printf(&call->line, given ? "a function" : "NULL");
}

/* One write for each line, so that threads do not mix theirs. */
static void
write_line(struct log_call *call)
{
    buf_printf(&call->line, "\n");
    fwrite(call->line.at, 1, call->line.n, out);
    fflush(out);
    buf_free(&call->line);
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
    buf_printf(&call.line, "warning: %s", text);
    write_line(&call);
}

static void
add_code(struct log_call *call, cl_int code)
{
    const char *name = find_name((uint64_t)(int64_t)code, log_codes);
    const char *reason = cl_refusal();
    if (name)
        buf_printf(&call->line, "%s", name);
    else
        buf_printf(&call->line, "%d", code);
    if (code != CL_SUCCESS && reason)
        buf_printf(&call->line, ", not so: %s", reason);
}

void
log_end_code(struct log_call *call, cl_int code)
{
    buf_printf(&call->line, ") = ");
    add_code(call, code);
    write_line(call);
}

void
log_end_handle(struct log_call *call, const void *handle, cl_int code)
{
    buf_printf(&call->line, ") = ");
    if (code == CL_SUCCESS)
        add_pointer(call, handle);
    else
        add_code(call, code);
    write_line(call);
}
