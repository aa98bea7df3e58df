/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>

struct sm;

/* Called after each cycle of an SM: finds the lookahead of what the SM does by itself. */
void
visible_update(struct sm *s);

/* Is an answer of the L2 on its way to the SM? */
bool
visible_awaits_l2(const struct sm *s);

/* Must the SM execute its next cycle after the lower SMs have? */
bool
visible_is_ordered(const struct sm *s);

/* Is its next cycle an event, or may the uncore change it before? */
bool
visible_is_next(const struct sm *s);
