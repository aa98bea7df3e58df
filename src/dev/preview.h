/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/dev.h>

/* Facts of a launch that are known before it runs. */

/* Tests whether ventus_dev_submit would accept a launch.  False: ventus_dev_message
 * says why not. */
bool
launch_may_run(struct ventus_dev *d, const struct ventus_dev_launch *l);

/* Idle lanes are those of a workgroup's warps that have no work-item. */
struct idle_lanes {
    uint64_t run,
        items; /* lanes of a whole workgroup; work-items of the smallest */
};

/* Tests whether a workgroup of these sizes has idle lanes. */
bool
idle_lanes(uint64_t lanes, const uint64_t global[3], const uint64_t local[3],
           struct idle_lanes *found);

/*
 * Tests whether idle lanes of a launch run: with all_lanes they do, unless start code
 * masks them (masked.h), and a right kernel may write too much.  True: `text` is a
 * warning.
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
