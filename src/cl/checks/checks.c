/* SPDX-License-Identifier: Apache-2.0 */
#include "cl/checks/checks.h"
#include "base/arith.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <ventus/dev_check.h>

#include "base/output.h"
#include "cl/api.h"
#include "cl/checks/call_site.h"
#include "cl/log.h"
#include "cl/object.h"
#include "dev/findings/check_kinds.h"
#include "dev/findings/sarif.h"

enum { MAX_DEVICES = 16 };

static struct {
    struct ventus_dev *dev[MAX_DEVICES];
    unsigned n, kinds;
    pid_t pid; /* a forked child reports nothing */
    void (*at_end[OBJECT_TYPES])(void *object);
} checks;

/* Shared memory of all contexts that the program has not freed.  Memory that a context
 * frees at its end counts as not freed. */
static struct {
    atomic_uint n;
    atomic_size_t size_B;
} shared;

static void
tell_leak(unsigned n, const char *text, const char *place)
{
    ventus_dev_check_note(
        checks.dev[0],
        &(struct ventus_dev_note){
            .finding = "leak", .text = text, .place = place, .count = n });
}

void
checks_shared(int n, size_t size_B)
{
    assert(n == 1 || (n == -1 && shared.n && shared.size_B >= size_B));
    shared.n += (unsigned)n;
    shared.size_B += n > 0 ? size_B : -size_B;
}

static void
tell_shared_leaks(void)
{
    const size_t size_B = shared.size_B;
    const unsigned n = shared.n;
    char text[128];
    snprintf(text, sizeof text,
             "%u allocation%s of shared memory, %zu bytes, never freed", n,
             n == 1 ? "" : "s", size_B);
    if (n)
        tell_leak(n, text, "shared-memory");
}

/* Reports the objects that the program never released, by kind. */
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
        { OBJECT_COMMAND_BUFFER, "command buffer", "command-buffer" },
        { OBJECT_SEMAPHORE, "semaphore", "semaphore" },
    };
    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
        uint64_t first;
        char text[128];
        unsigned n = object_count(kinds[i].type, &first);
        snprintf(text, sizeof text,
                 "%u %s%s never released; the first is object %llu of the "
                 "program",
                 n, kinds[i].name, n == 1 ? "" : "s",
                 (unsigned long long)first);
        if (n)
            tell_leak(n, text, kinds[i].place);
    }
    tell_shared_leaks();
}

void
checks_at_end(enum object_type type, void (*fn)(void *object))
{
    checks.at_end[type] = fn;
}

bool
checks_api(void)
{
    return checks.kinds & CHECK_API && getpid() == checks.pid;
}

void
checks_note(const char *finding, const char *kernel, const char *place,
            const char *format, ...)
{
    char text[1024];
    va_list args;
    if (!checks_api())
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

/* Whether the code is an answer rather than an error: one by which the specification
 * answers programs that try, or that follows from a command that failed before. */
static bool
is_answer(cl_int code)
{
    switch (code) {
    case CL_DEVICE_NOT_FOUND:
    case CL_COMPILER_NOT_AVAILABLE:
    case CL_LINKER_NOT_AVAILABLE:
    case CL_PROFILING_INFO_NOT_AVAILABLE:
    case CL_KERNEL_ARG_INFO_NOT_AVAILABLE:
    case CL_IMAGE_FORMAT_NOT_SUPPORTED:
    case CL_DEVICE_PARTITION_FAILED:
    case CL_BUILD_PROGRAM_FAILURE: /* the build log has the errors */
    case CL_COMPILE_PROGRAM_FAILURE:
    case CL_LINK_PROGRAM_FAILURE:
    case CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST:
        return true;
    }
    return cl_refusal_is_answer();
}

/* Reports a failed call: its code, the reason, and the caller. */
static void
tell_failure(const char *entry, cl_int code, const char *name)
{
    char number[16], caller[512];
    const char *reason = cl_refusal();
    if (!(checks.kinds & CHECK_API) || is_answer(code))
        return;
    snprintf(number, sizeof number, "%d", code);
    call_site_current(caller, sizeof caller);
    checks_note("failed-call", NULL, entry, "%s returns %s%s%s%s", entry,
                name ? name : number, reason ? ": " : "", reason ? reason : "",
                caller);
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
    struct output o;
    if (!path)
        return;
    FILE *out = output_stream(&o, path);
    bool ok = out && write(checks.dev, checks.n, out);
    if (out)
        complain_of_output(ok);
    if (out && output_close(&o, ok))
        return;
    cl_complain("%s: %s", path, strerror(errno));
    cl_lose_output();
}

static void
end_checks(void)
{
    if (getpid() != checks.pid)
        return;
    for (unsigned i = 0; i < OBJECT_TYPES; i++)
        if (checks.at_end[i])
            object_each((enum object_type)i, checks.at_end[i]);
    if (checks.kinds & CHECK_LEAK)
        tell_leaks();
    for (unsigned i = 0; i < checks.n; i++) {
        complain_of_output(ventus_dev_check_summary(checks.dev[i], stderr));
        if (ventus_dev_check_found(checks.dev[i], NULL))
            cl_lose_output(); /* sets the exit status */
    }
    write_file(cl_env("VENTUS_CHECK_JSON"), ventus_dev_check_json);
    write_file(cl_env("VENTUS_CHECK_SARIF"), sarif_write);
}

void
checks_open(struct ventus_dev *d)
{
    const char *wanted = cl_env("VENTUS_CHECK");
    if (!wanted || checks.n == MAX_DEVICES)
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
        checks.kinds = findings_kinds(wanted, CHECK_ALL);
        checks.pid = getpid();
        log_tell_failures(tell_failure);
        atexit(end_checks);
    }
    checks.dev[checks.n++] = d;
}
