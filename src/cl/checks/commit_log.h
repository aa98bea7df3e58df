/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/dev.h>

/* The commit log of `ventus run --log` (VENTUS_LOG=FILE): all launches, one after the
 * other, in the format of upstream/log.h. */

/* Runs a launch by interrupt_run and logs it. */
bool
commit_log_run(struct ventus_dev *d, const struct ventus_dev_launch *launch,
               struct ventus_dev_result *result);
