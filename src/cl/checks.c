/* SPDX-License-Identifier: Apache-2.0 */
#include "cl/checks.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <ventus/dev_check.h>

#include "cl/api.h"
#include "cl/object.h"
#include "dev/check_kinds.h"
#include "dev/sarif.h"

enum { MOST_DEVICES = 16 };

static struct {
    struct ventus_dev *dev[MOST_DEVICES];
    unsigned n, kinds;
    pid_t pid; /* a forked child has nothing to say */
} checks;

/* Which objects the program never released, and how many of each kind. */
static void
tell_leaks(void)
{
    static const struct {
        enum object_type type;
        const char *name, *place;
    } kinds[] = {
        { OBJECT_CONTEXT, "context", "context" },
        { OBJECT_QUEUE, "command queue", "command-queue" },
        { OBJECT_MEM, "memory object", "memory-object" },
        { OBJECT_PROGRAM, "program", "program" },
        { OBJECT_KERNEL, "kernel", "kernel" },
        { OBJECT_EVENT, "event", "event" },
        { OBJECT_SAMPLER, "sampler", "sampler" },
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        uint64_t first;
        char text[128];
        unsigned n = object_count(kinds[i].type, &first);
        snprintf(text, sizeof text,
                 "%u %s%s never released; the first is object %llu of the "
                 "program",
                 n, kinds[i].name, n == 1 ? "" : "s",
                 (unsigned long long)first);
        if (n)
            ventus_dev_check_note(checks.dev[0], &(struct ventus_dev_note){
                                                     .finding = "leak",
                                                     .text = text,
                                                     .place = kinds[i].place,
                                                     .count = n,
                                                 });
    }
}

void
checks_note(const char *finding, const char *kernel, const char *place,
            const char *format, ...)
{
    char text[256];
    va_list args;
    if (!(checks.kinds & CHECK_API) || getpid() != checks.pid)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    ventus_dev_check_note(checks.dev[0], &(struct ventus_dev_note){
                                             .finding = finding,
                                             .text = text,
                                             .kernel = kernel,
                                             .place = place,
                                             .count = 1,
                                         });
}

static void
complain_of_output(bool ok)
{
    if (ok)
        return;
    cl_complain("%s", ventus_dev_message());
    cl_lose_output();
}

typedef bool
write_fn(struct ventus_dev *const *device, unsigned n, FILE *out);

static void
write_file(const char *path, write_fn *write)
{
    FILE *out = path ? fopen(path, "w") : NULL;
    if (!path)
        return;
    if (out)
        complain_of_output(write(checks.dev, checks.n, out));
    if (out && fclose(out) == 0)
        return;
    cl_complain("%s: %s", path, strerror(errno));
    cl_lose_output();
}

static void
end(void)
{
    if (getpid() != checks.pid)
        return;
    if (checks.kinds & CHECK_LEAK)
        tell_leaks();
    for (unsigned i = 0; i < checks.n; i++) {
        complain_of_output(ventus_dev_check_summary(checks.dev[i], stderr));
        if (ventus_dev_check_found(checks.dev[i], NULL))
            cl_lose_output(); /* the exit status says so */
    }
    write_file(cl_env("VENTUS_CHECK_JSON"), ventus_dev_check_json);
    write_file(cl_env("VENTUS_CHECK_SARIF"), sarif_write);
}

void
checks_open(struct ventus_dev *d)
{
    const char *wanted = cl_env("VENTUS_CHECK");
    if (!wanted || checks.n == MOST_DEVICES)
        return;
    struct ventus_dev_check what = {
        .kinds = wanted,
        .text = stderr,
        .suppress = cl_env("VENTUS_CHECK_SUPPRESS"),
        .limit = cl_env_number("VENTUS_CHECK_LIMIT", 0, UINT64_MAX),
    };
    assert(d);
    if (!ventus_dev_check(d, &what)) {
        cl_complain("%s", ventus_dev_message());
        cl_lose_output();
        return;
    }
    if (!checks.n) {
        checks.kinds = findings_kinds(wanted);
        checks.pid = getpid();
        atexit(end);
    }
    checks.dev[checks.n++] = d;
}
