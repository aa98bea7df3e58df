/* SPDX-License-Identifier: Apache-2.0 */
#include "cl/checks.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cl/api.h"
#include "cl/object.h"

enum { MOST_DEVICES = 16, MOST_KINDS = 128 };

static struct {
    struct ventus_dev *dev[MOST_DEVICES];
    unsigned n;
    bool leaks;
    pid_t pid; /* a forked child has nothing to say */
} checks;

/* What is wanted but leaks, which are no matter of a device. */
static bool
kinds_of_device(const char *wanted, char kinds[MOST_KINDS])
{
    bool leaks = false;
    kinds[0] = 0;
    for (size_t n; *wanted; wanted += n + (wanted[n] == ',')) {
        n = strcspn(wanted, ",");
        if (n == strlen("all") && strncmp(wanted, "all", n) == 0)
            leaks = true;
        if (n == strlen("leak") && strncmp(wanted, "leak", n) == 0) {
            leaks = true;
            continue;
        }
        size_t at = strlen(kinds);
        snprintf(kinds + at, MOST_KINDS - at, "%s%.*s", at ? "," : "", (int)n,
                 wanted);
    }
    return leaks;
}

/* Which objects the program never released, and how many of each kind. */
static unsigned
tell_leaks(void)
{
    static const struct {
        enum object_type type;
        const char *name;
    } kinds[] = {
        { OBJECT_CONTEXT, "context" },   { OBJECT_QUEUE, "command queue" },
        { OBJECT_MEM, "memory object" }, { OBJECT_PROGRAM, "program" },
        { OBJECT_KERNEL, "kernel" },     { OBJECT_EVENT, "event" },
        { OBJECT_SAMPLER, "sampler" },
    };
    unsigned all = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        uint64_t first;
        unsigned n = object_count(kinds[i].type, &first);
        all += n;
        if (n)
            fprintf(stderr,
                    "ventus: leak: %u %s%s never released; the first is object "
                    "%llu of the program\n",
                    n, kinds[i].name, n == 1 ? "" : "s",
                    (unsigned long long)first);
    }
    return all;
}

static void
sum_up(struct ventus_dev *d)
{
    const char *path = d == checks.dev[0] ? cl_env("VENTUS_CHECK_JSON") : NULL;
    FILE *json = path ? fopen(path, "w") : NULL;
    if (path && !json) {
        cl_complain("%s: %s", path, strerror(errno));
        cl_lose_output();
    }
    if (!ventus_dev_check_summary(d, stderr, json)) {
        cl_complain("%s", ventus_dev_message());
        cl_lose_output();
    }
    if (json && fclose(json) != 0) {
        cl_complain("%s: %s", path, strerror(errno));
        cl_lose_output();
    }
    if (ventus_dev_check_found(d, NULL))
        cl_lose_output(); /* the exit status says that there are findings */
}

static void
end(void)
{
    if (getpid() != checks.pid)
        return;
    for (unsigned i = 0; i < checks.n; i++)
        sum_up(checks.dev[i]);
    if (checks.leaks && tell_leaks())
        cl_lose_output();
}

void
checks_open(struct ventus_dev *d)
{
    const char *wanted = cl_env("VENTUS_CHECK");
    char kinds[MOST_KINDS];
    if (!wanted || checks.n == MOST_DEVICES)
        return;
    checks.leaks = kinds_of_device(wanted, kinds);
    struct ventus_dev_check what = {
        .kinds = kinds,
        .text = stderr,
        .suppress = cl_env("VENTUS_CHECK_SUPPRESS"),
        .limit = cl_env_number("VENTUS_CHECK_LIMIT", 0, UINT64_MAX),
    };
    assert(d);
    if (kinds[0] && !ventus_dev_check(d, &what)) {
        cl_complain("%s", ventus_dev_message());
        cl_lose_output();
        return;
    }
    if (!checks.n) {
        checks.pid = getpid();
        atexit(end);
    }
    if (kinds[0])
        checks.dev[checks.n++] = d;
}
