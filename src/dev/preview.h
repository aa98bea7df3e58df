/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/dev.h>

/* What is known of a launch before it runs. */

/* Would ventus_dev_submit take it?  False: ventus_dev_message says why not. */
bool
launch_may_run(struct ventus_dev *d, const struct ventus_dev_launch *l);

/* Idle lanes are those of a workgroup's warps that have no work-item. */
struct idle_lanes {
    uint64_t run,
        items; /* lanes of a whole workgroup; work-items of the smallest */
};

/* Has a workgroup of these sizes any? */
bool
idle_lanes(uint64_t lanes, const uint64_t global[3], const uint64_t local[3],
           struct idle_lanes *found);

/*
 * With all_lanes they run, unless start code masks them (masked.h), and a right kernel may
 * write too much.  False: there are none in this launch, or they do not run; else the text
 * of a warning.
 */
bool
idle_lanes_run(const struct ventus_dev *d, const struct ventus_dev_launch *l,
               char *text, size_t size);

/*
 * The option of `ventus cc` with which loops that wait for other warps leave these their
 * turn on this machine, "-fpause=..."; NULL: it needs none.
 */
const char *
pause_option(const struct ventus_dev *d);
