/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct sm;

struct fetch_request {
    uint32_t pc; /* aligned to the pair */
    uint8_t mask, warp;
    bool valid;
};

/* Its stages: a request reads the tags in the first, and is answered in the
 * second. */
struct fetch {
    struct fetch_request tagged, done;
    bool missed; /* of `done` */
};

void
fetch_cycle(struct sm *s);

void
fetch_begin(struct sm *s);

void
fetch_flush(struct sm *s, unsigned warp);

void
fetch_jump(struct sm *s, unsigned warp, uint32_t pc);
