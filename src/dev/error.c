/* SPDX-License-Identifier: Apache-2.0 */
/* The last error of each thread. */
#include "dev/error.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/text.h"

static _Thread_local char message[2048];
static _Thread_local bool no_memory; /* that is what the message is about */

const char *
ventus_dev_message(void)
{
    return message;
}

bool
dev_fail(const char *format, ...)
{
    va_list args;
    no_memory = false;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    text_disarm(message);
    return false;
}

bool
dev_fail_memory(const char *what)
{
    dev_fail("out of memory: no room for %s", what);
    no_memory = true;
    return false;
}

bool
dev_fail_as(const char *text, bool lacks_memory)
{
    dev_fail("%s", text);
    no_memory = lacks_memory;
    return false;
}

bool
ventus_dev_lacks_memory(void)
{
    return no_memory;
}

bool
dev_fail_sink(const struct diag_sink *sink)
{
    size_t n = 0;
    no_memory = false;
    message[0] = 0;
    for (const struct diag *d = sink->first; d; d = d->next) {
        if (d->severity != DIAG_ERROR || n >= sizeof message)
            continue;
        char place[32] = "";
        if (d->line)
            snprintf(place, sizeof place, ":%u", d->line);
        int k = snprintf(message + n, sizeof message - n, "%s%s%s%s%s",
                         n ? "\n" : "", d->file ? d->file : "", place,
                         d->file ? ": " : "", d->message);
        n += k > 0 ? (size_t)k : 0;
    }
    return false;
}
