/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdint.h>

struct ventus_model;

/* Simulates cycles of the machine, after skipping those in which nothing changes: one,
 * or several up to a limit while the uncore rests. */
void
advance(struct ventus_model *m, uint64_t limit);

/*
 * Simulates the uncore alone, when all SMs are past this cycle: one cycle, or several
 * up to a limit in which nothing changes.
 */
void
advance_uncore(struct ventus_model *m, uint64_t limit);

/* When a workgroup may come or go. */
uint64_t
advance_next_group(const struct ventus_model *m);

/* Was nothing issued for too long?  All SMs are in the same cycle. */
void
advance_check(struct ventus_model *m);

/* Ends a launch that the host stops, or whose time is over.  The SMs look as they issue
 * (sim/step.h): this is for launches that do not.  All SMs are in the same cycle. */
void
advance_check_host(struct ventus_model *m);

/* After the last cycle. */
void
advance_end(struct ventus_model *m);
