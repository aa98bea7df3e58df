/* SPDX-License-Identifier: Apache-2.0 */
#include "cl/checks/debugger.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cl/api.h"

static struct {
    struct ventus_dev *dev;
    pid_t pid; /* a forked child has no debugger */
} debugged;

static void
end_debugger(void)
{
    if (getpid() == debugged.pid)
        ventus_dev_debug_end(debugged.dev);
}

void
debugger_open(struct ventus_dev *d)
{
    const char *where = cl_env("VENTUS_GDB");
    if (!where || debugged.dev)
        return;
    if (!ventus_dev_debug(d, where, stderr)) {
        cl_complain("%s", ventus_dev_message());
        cl_lose_output();
        return;
    }
    debugged.dev = d;
    debugged.pid = getpid();
    atexit(end_debugger);
}
