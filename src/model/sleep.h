/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdint.h>

struct sm;

/* Counts the cycles of an SM in which nothing changed, up to a cycle. */
void
sleep_skip_to(struct sm *s, uint64_t cycle);

/* The SM is changed from outside after its part of this cycle: it wakes in the next
 * one. */
void
sleep_wake_now(struct sm *s);

/* Something comes to the SM: it has a cycle at `at` at the latest. */
void
sleep_wake_at(struct sm *s, uint64_t at);
