/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/dev.h>

/* Ctrl-C of `ventus run` (VENTUS_INTERRUPT=1): running launches are stopped, with a
 * report of where their warps were, and the process ends as by exit(130), with
 * statistics and reports so far.  A second Ctrl-C ends it at once.  A program that
 * handles SIGINT itself is not affected. */

/* Installs the handler; called when the first device is opened. */
void
interrupt_open(void);

/* Runs a launch as ventus_dev_run does.  interrupt_end must follow. */
bool
interrupt_run(struct ventus_dev *d, const struct ventus_dev_launch *launch,
              struct ventus_dev_result *result);

/* Called when the caller has reported the launch: if Ctrl-C has stopped it, waits for
 * the end of the process; else does nothing. */
void
interrupt_end(void);
