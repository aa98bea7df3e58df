/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>

struct sm;

/* Behind each cycle of an SM: the lookahead of what it does by itself. */
void
visible_update(struct sm *s);

/* Is an answer of the L2 on its way to the SM? */
bool
visible_awaits_l2(const struct sm *s);

/* Must it execute its next cycle behind the lower SMs? */
bool
visible_is_ordered(const struct sm *s);

/* Is its next cycle an event, or may the uncore change it before? */
bool
visible_is_next(const struct sm *s);
