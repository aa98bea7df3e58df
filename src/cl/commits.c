/* SPDX-License-Identifier: Apache-2.0 */
#include "cl/commits.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/output.h"
#include "cl/api.h"
#include "cl/interrupt.h"
#include "upstream/log.h"

static struct {
    pthread_once_t once;
    pthread_mutex_t lock; /* held by the launch that is being logged */
    struct output output;
    FILE *out; /* the log; NULL: there is none */
    pid_t pid; /* a forked child writes no log */
    bool incomplete;
} commits = { .once = PTHREAD_ONCE_INIT, .lock = PTHREAD_MUTEX_INITIALIZER };

static void
commits_fail(const char *why)
{
    cl_complain("%s: the log is not complete: %s", cl_env("VENTUS_LOG"), why);
    cl_lose_output();
}

static void
end(void)
{
    if (getpid() != commits.pid)
        return;
    pthread_mutex_lock(&commits.lock);
    bool written = output_close(&commits.output, true);
    if (!written || commits.incomplete)
        commits_fail(strerror(written ? ENOMEM : errno));
    commits.out = NULL;
    pthread_mutex_unlock(&commits.lock);
}

static void
begin(void)
{
    const char *path = cl_env("VENTUS_LOG");
    commits.out = path ? output_stream(&commits.output, path) : NULL;
    commits.pid = getpid();
    if (commits.out)
        atexit(end);
    else if (path)
        commits_fail(strerror(errno));
}

/* The warps of the device, whose number the log needs. */
static unsigned
warps_of(struct ventus_dev *d, const struct ventus_dev_launch *l)
{
    uint64_t items = 1, lanes = ventus_dev_setting(d, "num_thread");
    for (int i = 0; i < 3; i++)
        items *= l->local[i] ? l->local[i] : 1;
    return (unsigned)((items + lanes - 1) / lanes);
}

bool
commits_run(struct ventus_dev *d, const struct ventus_dev_launch *launch,
            struct ventus_dev_result *result)
{
    struct commit_log log;
    pthread_once(&commits.once, begin);
    if (!commits.out || getpid() != commits.pid)
        return interrupt_run(d, launch, result);
    pthread_mutex_lock(&commits.lock);
    bool logs = commits.out &&
                log_open(&log, commits.out, warps_of(d, launch), NULL, 0, 0);
    const struct ventus_dev_hooks hooks = { .ctx = &log, .step = log_step };
    struct ventus_dev_launch with = *launch;
    if (logs)
        with.hooks = &hooks;
    bool ok = interrupt_run(d, &with, result);
    if (!logs || !log_close(&log))
        commits.incomplete = true;
    pthread_mutex_unlock(&commits.lock);
    return ok;
}
