/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdint.h>

struct sm;

/* Issue ports; with one, everything goes through the first. */
enum { PORT_ANY, PORT_VECTOR = 0, PORT_SCALAR = 1, PORTS = 2 };

struct schedule {
    unsigned next, last; /* in turn, and the warp that issued last */
    unsigned outer_next;
    uint64_t inner; /* warps of the inner set */
    uint64_t issued_at;
};

/* A ready warp for a port, or NEVER; and that it issued. */
int
schedule_choose(struct sm *s, unsigned port, uint64_t ready);

void
schedule_issued(struct sm *s, unsigned port, unsigned warp);
