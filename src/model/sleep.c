/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An SM sleeps while none of its components changes.  It wakes in the cycle of its next
 * event, or earlier by an event from outside; then the cycles of its sleep are counted.
 */
#include "model/sleep.h"

#include <assert.h>

#include "model/machine.h"
#include "model/stats.h"

void
sleep_skip_to(struct sm *s, uint64_t cycle)
{
    if (s->now >= cycle)
        return;
    dcache_skip(&s->dcache, cycle - s->now);
    stats_count(s, cycle - s->now);
    s->now = cycle;
}

void
sleep_wake_now(struct sm *s)
{
    sleep_skip_to(s, s->m->now + 1);
    s->wake = s->pipeline_wake = s->now;
    assert(s->now == s->m->now + 1 &&
           "an SM that is ahead is not changed from outside");
}

void
sleep_wake_at(struct sm *s, uint64_t at)
{
    if (s->wake > at)
        s->wake = at;
    s->is_pending = true;
}
