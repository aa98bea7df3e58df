/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "model/lsu.h"

struct model;

enum { CACHE_TABLES = 2 }; /* who asks for a mem_request: a walk */

enum mem_op { MEM_GET, MEM_PUT, MEM_FLUSH };

struct mem_request {
    enum mem_op op;
    uint32_t line;
    uint8_t sm, cache, source; /* cache 0: instructions */
    bool reply;                /* a store that is answered when it leaves */
    struct data_request data;
};

/* Requests of an SM to the L2, answers to it. */
void
bus_cycle(struct model *m);

/* Is there room, and asks no lower SM?  And, may its L1D ask in its cycle? */
bool
bus_is_open(const struct sm *s);

bool
bus_is_ready(const struct sm *s);

bool
bus_answer(struct model *m, const struct mem_request *r);
