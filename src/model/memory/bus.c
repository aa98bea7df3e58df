/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interconnect (microarchitecture.md, Interconnect).  In an SM the
 * instruction cache has priority, among SMs the lowest number; page walks come
 * last.  A queue is before the L2.  Answers return directly (l2.h, l2_port).
 */
#include "model/memory/bus.h"

#include <stdlib.h>
#include <string.h>

static bool
send_from(struct bus *b, const struct bus_source *source, unsigned sm,
          uint64_t now)
{
    if (!source->peek(b->ctx, sm))
        return false;
    const struct mem_request r = source->take(b->ctx, sm);
    assert(r.sm == sm && "an SM asks for itself");
    l2_send(b->l2, now, &r);
    return true;
}

static bool
send_register(struct bus *b, unsigned sm, uint64_t now)
{
    struct bus_register *reg = &b->reg[sm];
    if (!reg->full || reg->at > now)
        return false;
    assert(b->full && reg->request.sm == sm &&
           "each SM has a register of its own");
    l2_send(b->l2, now, &reg->request);
    reg->full = false;
    b->full--;
    return true;
}

/*
 * After the SMs' caches.  An L1D's next request may follow into the register only
 * in a cycle in which the bus would take one: bus_is_open.
 */
void
bus_tick(struct bus *b, uint64_t now)
{
    bool room = b->room;
    for (unsigned i = 0; room && i < b->sms; i++)
        room = !(send_from(b, &b->fetch, i, now) || send_register(b, i, now));
    for (unsigned i = 0; room && i < b->sms; i++)
        room = !send_from(b, &b->walk, i, now);
}

void
bus_send(struct bus *b, unsigned sm, const struct mem_request *r, uint64_t now)
{
    assert(sm < b->sms && !b->reg[sm].full && "bus_can_send is asked before");
    b->full++;
    b->reg[sm] = (struct bus_register){ true, now + 1, *r };
}

uint64_t
bus_next_event(const struct bus *b)
{
    uint64_t first = UINT64_MAX;
    if (l2_is_full(b->l2))
        return first;
    for (unsigned i = 0; b->full && i < b->sms; i++)
        if (b->reg[i].full && b->reg[i].at < first)
            first = b->reg[i].at;
    return first;
}

bool
bus_is_asked(const struct bus *b, unsigned sm, uint64_t now)
{
    const struct bus_register *reg = &b->reg[sm];
    return (reg->full && reg->at <= now) || b->fetch.peek(b->ctx, sm);
}

bool
bus_is_open(const struct bus *b, unsigned sm, uint64_t now)
{
    bool open = b->room;
    for (unsigned i = 0; i < sm && open; i++)
        open = !bus_is_asked(b, i, now);
    return open;
}

uint64_t
bus_opens(const struct bus *b, uint64_t now)
{
    return l2_opens(b->l2, now);
}

uint64_t
bus_lookahead(const struct bus *b, unsigned sm, uint64_t now)
{
    const struct bus_register *reg = &b->reg[sm];
    return l2_lookahead(b->l2, sm, now, reg->full ? &reg->request : NULL,
                        reg->at);
}

/* ---- life ---- */

bool
bus_create(struct bus *b, unsigned sms, struct l2 *l2, struct bus_source fetch,
           struct bus_source walk, void *ctx)
{
    *b = (struct bus){
        .l2 = l2, .sms = sms, .fetch = fetch, .walk = walk, .ctx = ctx
    };
    b->reg = calloc(sms, sizeof *b->reg);
    return b->reg;
}

void
bus_destroy(struct bus *b)
{
    free(b->reg);
}

void
bus_reset(struct bus *b)
{
    memset(b->reg, 0, b->sms * sizeof *b->reg);
    b->full = 0;
    b->room = false;
}
