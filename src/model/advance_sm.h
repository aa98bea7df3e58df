/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>

struct sm;

/* A cycle of what is in an SM. */
void
advance_sm(struct sm *s);

/* The same, ahead of others; false: it needs them, and waits. */
bool
advance_alone(struct sm *s);

/* Is there something in the SM that only the uncore can take on? */
bool
advance_calls(const struct sm *s);

/* Is the bus open for the request that its L1D waits with? */
bool
advance_bus_opens(const struct sm *s);
