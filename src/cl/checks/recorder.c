/* SPDX-License-Identifier: Apache-2.0 */
#include "cl/checks/recorder.h"

#include <stdlib.h>
#include <unistd.h>

#include "cl/api.h"
#include "dev/capture/recorder.h"

enum { PAST_MIB = 256, PAST_MAX_MIB = 1 << 20 };

static struct {
    struct recorder *recorder;
    pid_t pid; /* a forked child does not record */
    bool failed;
} recorded;

bool
recorder_is_wanted(void)
{
    return cl_env("VENTUS_RECORD") || cl_env("VENTUS_RECORD_ON_FAULT");
}

static void
end_recorder(void)
{
    if (getpid() != recorded.pid || recorder_close(recorded.recorder))
        return;
    cl_complain("%s", ventus_dev_message());
    cl_lose_output();
}

/* The size of the history of launches that a debugger can go back to. */
static uint64_t
past_bytes(void)
{
    if (!cl_env("VENTUS_GDB"))
        return 0;
    return cl_env_number("VENTUS_GDB_LAUNCHES", PAST_MIB, PAST_MAX_MIB) << 20;
}

static bool
begin_recorder(void)
{
    const struct recorder_options what = {
        .path = cl_env("VENTUS_RECORD"),
        .on_fault = cl_env("VENTUS_RECORD_ON_FAULT"),
        .results = cl_env("VENTUS_RECORD_RESULTS") != NULL,
        .past_B = past_bytes(),
    };
    if (recorded.recorder)
        return getpid() == recorded.pid;
    if (recorded.failed || (!what.path && !what.on_fault && !what.past_B))
        return false;
    recorded.recorder = recorder_open(&what);
    if (recorded.recorder) {
        recorded.pid = getpid();
        atexit(end_recorder);
        return true;
    }
    recorded.failed = true;
    cl_complain("%s", ventus_dev_message());
    cl_lose_output();
    return false;
}

void
recorder_open_device(struct ventus_dev *d)
{
    if (!begin_recorder() || recorder_add(recorded.recorder, d))
        return;
    cl_complain("%s", ventus_dev_message());
    cl_lose_output();
}
