/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * The other side of the ports of components, for tests that have one component alone:
 * each asks whether there is something, or room for it, before it takes or sends.
 */
#include "model/memory/icache.h"
#include "model/memory/l1d.h"
#include "model/memory/local.h"
#include "model/memory/memory.h"

/* The L2 answers an L1D.  False: there is no room. */
static inline bool
answer_dcache(struct dcache *d, uint64_t now, const struct mem_request *r)
{
    bool room = dcache_l2_can_send(d, now, r);
    if (room)
        dcache_l2_send(d, now, r);
    return room;
}

/* The L2 answers an L1I.  False: there is no room. */
static inline bool
answer_icache(struct icache *c, uint64_t line, uint64_t now)
{
    bool room = icache_l2_can_send(c, now);
    if (room)
        icache_l2_send(c, now, line);
    return room;
}

/* A cycle of memory.  True: it has answered, *answer. */
static inline bool
tick_memory(struct memory *y, uint64_t now, struct memory_request *answer)
{
    memory_tick(y, now);
    bool answers = memory_peek(y);
    if (answers)
        *answer = memory_take(y);
    return answers;
}

/* Takes the answer of local memory, if there is one. */
static inline bool
take_local(struct local *l, uint64_t now, struct data_request *answer)
{
    bool answers = local_memory_peek(l, now);
    if (answers)
        *answer = local_memory_take(l, now);
    return answers;
}
