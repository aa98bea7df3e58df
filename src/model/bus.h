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

/* Stage 3 of an L1D, before the bus: the machine's, its SM may be ahead. */
struct bus_port {
    bool leaves;
    uint64_t at; /* not before */
    struct mem_request request;
};

/* Requests of an SM to the L2, answers to it. */
void
bus_cycle(struct model *m);

/* When the first request in a port may go on. */
uint64_t
bus_next(const struct model *m);

/* Does an SM ask for the bus in this cycle? */
bool
bus_is_asked(const struct model *m, unsigned sm);

/* May its L1D ask in its cycle: is there room, and asks no lower SM? */
bool
bus_is_ready(const struct sm *s);

bool
bus_answer(struct model *m, const struct mem_request *r);
