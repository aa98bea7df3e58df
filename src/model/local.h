/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "model/lsu.h"
#include "sim/mem.h"

enum { LOCAL_REQUESTS = 8, LOCAL_AHEAD = 128 };

struct local_request {
    struct data_request r;
    uint64_t since; /* first answer */
    unsigned rounds, given;
    uint8_t bank[64];
};

struct local {
    struct local_request at[LOCAL_REQUESTS];
    unsigned head, n;
    uint64_t busy[LOCAL_AHEAD]; /* cycle + 1 in which it takes nothing */
};

/* Is this in the window of local memory? */
static inline bool
local_has(uint64_t address)
{
    return address - SIM_LOCAL_BASE < SIM_LOCAL_SIZE;
}

bool
local_is_ready(const struct sm *s);

void
local_take(struct sm *s, const struct data_request *d, const uint64_t *at);

bool
local_answer(struct sm *s, struct data_request *answer);
