/* SPDX-License-Identifier: Apache-2.0 */
#include "dev/preview.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "dev/device.h"
#include "dev/program.h"

/* Sizes of 0 count as the launch counts them. */
static void
sizes_of(const struct ventus_dev *d, const struct ventus_dev_launch *l,
         uint64_t global[3], uint64_t local[3])
{
    memcpy(local, l->local, 3 * sizeof *local);
    for (unsigned i = 0; i < 3; i++)
        global[i] = l->global[i] && i < l->work_dim ? l->global[i] : 1;
    if (!local[0] && !local[1] && !local[2])
        ventus_dev_choose_local(d, l->kernel, global, local);
    for (unsigned i = 0; i < 3; i++)
        local[i] = local[i] && i < l->work_dim ? local[i] : 1;
}

bool
idle_lanes(uint64_t lanes, const uint64_t global[3], const uint64_t local[3],
           struct idle_lanes *found)
{
    uint64_t most = 1, least = 1;
    for (unsigned i = 0; i < 3; i++) { /* the last of a row has what is left */
        most *= local[i];
        least *= global[i] % local[i] ? global[i] % local[i] : local[i];
    }
    *found = (struct idle_lanes){ (most + lanes - 1) / lanes * lanes, least };
    return found->items != found->run;
}

bool
idle_lanes_run(const struct ventus_dev *d, const struct ventus_dev_launch *l,
               char *text, size_t size)
{
    uint64_t global[3], local[3];
    uint64_t lanes = d->config.value[CONFIG_num_thread];
    struct idle_lanes idle;
    if (!l->kernel || !d->config.value[CONFIG_all_lanes] ||
        (l->kernel->recorded && program_masked_entry(l->kernel->program)))
        return false;
    sizes_of(d, l, global, local);
    if (!idle_lanes(lanes, global, local, &idle))
        return false;
    snprintf(text, size,
             "kernel '%s': %" PRIu64 " lanes run for a workgroup of %" PRIu64
             " work-item%s (all_lanes = yes): those without a work-item may "
             "read and write, too; expected multiples of %" PRIu64
             ", or --set all_lanes=no",
             l->kernel->name, idle.run, idle.items, text_plural(idle.items),
             lanes);
    return true;
}

/*
 * The functional machine gives warps their turn.  Of the others those with two
 * ports have collectors that take turns.  On those with one, warps of many lanes wait
 * for the LSU most of the time, and a pause would starve others that do not now.
 */
const char *
pause_option(const struct ventus_dev *d)
{
    enum { WIDE = 32 };
    if (!engine_can(&d->config, VENTUS_DEV_CYCLES))
        return NULL;
    if (d->config.value[CONFIG_issue_width] > 1)
        return "-fpause=divide";
    return d->config.value[CONFIG_num_thread] < WIDE ? "-fpause=multiply"
                                                     : NULL;
}
