/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "dev/device.h"

/* A device under a debugger: the events of its launches that src/gdb receives. */
struct debug;
struct print;

/* The launch begins; `check` is the loop of checks or NULL.  The loop to run. */
const struct ventus_sim_watch *
debug_begin(struct ventus_dev_ticket *t, const struct ventus_sim_watch *check,
            struct print *print);

void
debug_end(struct ventus_dev_ticket *t);

/* NULL does nothing. */
void
debug_free(struct ventus_dev *d);
