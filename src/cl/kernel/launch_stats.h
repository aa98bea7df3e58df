/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>

#include <ventus/dev.h>

/* The launch statistics of `ventus run --stats`: sums over the launches of each
 * kernel, as a table on standard error when the process ends (VENTUS_STATS=1), or as
 * JSON in a file (VENTUS_STATS_JSON=FILE). */
bool
launch_stats_wanted(void);

/* Clears the sums in a forked child. */
void
launch_stats_reset(void);

/* Adds a launch; ns: its duration, in the time of a machine that has one. */
void
launch_stats_add(const struct ventus_dev_kernel *kernel,
                 const struct ventus_dev_launch *launch,
                 const struct ventus_dev_result *result, unsigned lanes,
                 uint64_t ns);
