/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model/port.h"

/* A request of the LSU to the L1D, */
struct data_request {
    uint64_t line; /* address / line_B */
    uint64_t lanes;
    /* The flags are one word, since they are copied as one: bytes that were just stored would have to
     * reach the host's cache first. */
    uint64_t write : 1, local : 1, atomic : 1;
    uint64_t part : 1;  /* lanes = 0: what it gives is not all of any lane */
    uint64_t entry : 8; /* index in the LSU's table */
    uint64_t hint : 8;  /* enum ventus_isa_hint */
};

/* and from an SM to the L2 and back.  MEM_EVICT: a dirty line that leaves the L2. */
enum mem_op { MEM_GET, MEM_PUT, MEM_FLUSH, MEM_EVICT };
enum mem_cache { MEM_ICACHE, MEM_DCACHE, MEM_TABLES };

struct mem_request {
    enum mem_op op;
    uint64_t line;
    uint8_t sm, cache, source; /* MAX_SMS; enum mem_cache, which has `source` */
    uint8_t hint;              /* enum ventus_isa_hint */
    bool reply;                /* a store that is answered when it leaves */
    struct data_request data;
};

PORT(mem_port, struct mem_request)
PORT(data_port, struct data_request)
PORT(line_port, uint64_t)
