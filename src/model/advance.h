/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct model;
struct sm;

/* A cycle of the machine, behind those in which nothing changes. */
void
advance(struct model *m);

/* A cycle of what is in an SM. */
void
advance_sm(struct sm *s);

/* The same while others are elsewhere; false: it needs them, and waits. */
bool
advance_alone(struct sm *s);

/* Counts the cycles of an SM in which nothing changed, up to a cycle. */
void
advance_to(struct sm *s, uint64_t cycle);

/* The SM is changed from outside, behind its part of this cycle. */
void
advance_wake(struct sm *s);

/* After the last cycle. */
void
advance_end(struct model *m);
