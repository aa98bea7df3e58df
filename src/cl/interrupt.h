/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/dev.h>

/*
 * Ctrl-C of `ventus run` (VENTUS_INTERRUPT=1): the launches that run are stopped,
 * which says where their warps were, and the process ends as by exit(130), with
 * statistics and reports of what was done.  A second one ends it at once.  A
 * program that handles SIGINT itself is left alone.
 */

/* When the first device is opened. */
void
interrupt_open(void);

/* As ventus_dev_run.  interrupt_end must follow. */
bool
interrupt_run(struct ventus_dev *d, const struct ventus_dev_launch *launch,
              struct ventus_dev_result *result);

/* The caller has said all about a launch that Ctrl-C has stopped: waits for the end
 * of the process.  Nothing, if it was not. */
void
interrupt_end(void);
