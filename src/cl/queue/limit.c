/* SPDX-License-Identifier: Apache-2.0 */
#include "cl/queue/limit.h"
#include "base/clock.h"

#include <assert.h>
#include <stdio.h>

#include <ventus/dev.h>

struct limit
limit_begin(cl_event e)
{
    enum { NS = 1000000 };
    assert(e->queue && "user events run no command");
    uint64_t ms = ventus_dev_setting(e->queue->device->dev, "max_ms");
    cl_ulong now = clock_now_ns();
    /* The sum overflows after 584 years. */
    if (!ms || ms >= (UINT64_MAX - now) / NS)
        return (struct limit){ 0 };
    return (struct limit){ .end_ns = now + ms * NS };
}

bool
limit_allows(struct limit *l)
{
    l->over |= l->begun && l->end_ns && clock_now_ns() > l->end_ns;
    l->begun = true;
    return !l->over;
}

cl_int
limit_end(const struct limit *l, cl_event e, const char *what)
{
    char text[128];
    if (!l->over)
        return CL_SUCCESS;
    snprintf(text, sizeof text, "%s: limit exceeded: max_ms", what);
    context_report(e->context, text);
    cl_note_fault();
    return cl_refuse(CL_OUT_OF_RESOURCES, "%s", text);
}
