/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/dev.h>

/*
 * What `ventus run --log` writes (VENTUS_LOG=FILE): the commit log of all launches,
 * one behind the other, in the format of upstream/log.h.
 */

/* As interrupt_run, which it uses. */
bool
commits_run(struct ventus_dev *d, const struct ventus_dev_launch *launch,
            struct ventus_dev_result *result);
