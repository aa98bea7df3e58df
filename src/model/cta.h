/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct model;
struct sm;

/* A workgroup that an SM holds. */
struct group {
    bool valid;
    unsigned warps, live, waiting;
    uint64_t number;
};

void
cta_cycle(struct model *m);

void
cta_warp_ended(struct sm *s, unsigned warp);

void
cta_barrier(struct sm *s, unsigned warp);

void
cta_release(struct sm *s, unsigned group);
