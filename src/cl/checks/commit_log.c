/* SPDX-License-Identifier: Apache-2.0 */
#include "cl/checks/commit_log.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/output.h"
#include "cl/api.h"
#include "cl/checks/interrupt.h"
#include "upstream/log.h"

static struct {
    pthread_once_t once;
    pthread_mutex_t lock; /* held by the launch that is being logged */
    struct output output;
    FILE *out; /* the log; NULL: there is none */
    pid_t pid; /* a forked child writes no log */
    bool incomplete;
} commit_log = { .once = PTHREAD_ONCE_INIT, .lock = PTHREAD_MUTEX_INITIALIZER };

static void
commits_fail(const char *why)
{
    cl_complain("%s: the log is not complete: %s", cl_env("VENTUS_LOG"), why);
    cl_lose_output();
}

static void
end_log(void)
{
    if (getpid() != commit_log.pid)
        return;
    pthread_mutex_lock(&commit_log.lock);
    bool written = output_close(&commit_log.output, true);
    if (!written || commit_log.incomplete)
        commits_fail(strerror(written ? ENOMEM : errno));
    commit_log.out = NULL;
    pthread_mutex_unlock(&commit_log.lock);
}

static void
begin_log(void)
{
    const char *path = cl_env("VENTUS_LOG");
    commit_log.out = path ? output_stream(&commit_log.output, path) : NULL;
    commit_log.pid = getpid();
    if (commit_log.out)
        atexit(end_log);
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
commit_log_run(struct ventus_dev *d, const struct ventus_dev_launch *launch,
               struct ventus_dev_result *result)
{
    struct commit_log log;
    pthread_once(&commit_log.once, begin_log);
    if (!commit_log.out || getpid() != commit_log.pid)
        return interrupt_run(d, launch, result);
    pthread_mutex_lock(&commit_log.lock);
    bool logs = commit_log.out &&
                log_open(&log, commit_log.out, warps_of(d, launch), NULL, 0, 0);
    const struct ventus_dev_hooks hooks = { .ctx = &log, .step = log_step };
    struct ventus_dev_launch with = *launch;
    if (logs)
        with.hooks = &hooks;
    bool ok = interrupt_run(d, &with, result);
    if (!logs || !log_close(&log))
        commit_log.incomplete = true;
    pthread_mutex_unlock(&commit_log.lock);
    return ok;
}
