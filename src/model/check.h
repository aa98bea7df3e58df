/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stddef.h>

#include <ventus/model.h>

bool
check_config(const struct sim_config *machine, const struct model_config *c,
             char *text, size_t size);

/* Ends the launch: nothing is issued any more, or it is in vain (livelock.c). */
void
report_deadlock(struct model *m);

void
report_livelock(struct model *m, bool starves);
