/* SPDX-License-Identifier: Apache-2.0 */
#include "cl/queue/fork.h"

#include "cl/kernel/launch_stats.h"
#include "cl/platform/device.h"

static void
before(void)
{
    object_table_lock();
}

static void
in_parent(void)
{
    object_table_unlock();
}

static void
in_child(void)
{
    object_table_reset();
    device_reset();
    launch_stats_reset();
}

static void
register_handlers(void)
{
    pthread_atfork(before, in_parent, in_child);
}

void
fork_watch(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, register_handlers);
}
