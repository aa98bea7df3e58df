/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct ventus_model;
struct sm;

/* A cycle of the machine, behind those in which nothing changes. */
void
advance(struct ventus_model *m);

/* A cycle of what is in an SM. */
void
advance_sm(struct sm *s);

/* The same, ahead of others; false: it needs them, and waits. */
bool
advance_alone(struct sm *s);

/* Counts the cycles of an SM in which nothing changed, up to a cycle. */
void
advance_to(struct sm *s, uint64_t cycle);

/* The SM is changed from outside, behind its part of this cycle. */
void
advance_wake(struct sm *s);

/* Something comes to the SM: it has a cycle at `at` at the latest. */
void
advance_call(struct sm *s, uint64_t at);

/* Is there something in the SM that only the uncore can take on? */
bool
advance_calls(const struct sm *s);

/* Is the bus open for the request that its L1D waits with? */
bool
advance_bus_opens(const struct sm *s);

/*
 * Of the uncore alone; all SMs have the cycle behind them: one, or those
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

/* After the last cycle. */
void
advance_end(struct ventus_model *m);
