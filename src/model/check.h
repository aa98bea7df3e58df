/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stddef.h>

#include <ventus/model.h>

bool
check_config(const struct ventus_sim_config *machine,
             const struct ventus_model_config *c, char *text, size_t size);

/* Ends the launch: nothing is issued any more, or it is in vain (livelock.c). */
void
report_deadlock(struct ventus_model *m);

void
report_livelock(struct ventus_model *m, bool starves);

/* Ends the launch: its `stop`, or the limit of time, whether warps issue or not. */
void
report_ended(struct ventus_model *m, enum ventus_sim_fault_kind kind);

/* Ends the launch: an assertion of the model failed. */
void
report_internal(struct ventus_model *m, const char *assertion);

/* After a launch that failed: if the host has ended it, where all warps are. */
void
report_stopped(struct ventus_model *m);
