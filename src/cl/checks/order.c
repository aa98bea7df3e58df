/* SPDX-License-Identifier: Apache-2.0 */
#include "cl/checks/order.h"

#include <assert.h>
#include <stdlib.h>

void
order_join(struct order_clock *clock, const struct order_clock *before)
{
    for (unsigned i = 0; i < ORDER_CHAINS; i++)
        if (clock->at[i] < before->at[i])
            clock->at[i] = before->at[i];
}

void
order_begin(struct order *order, struct order_stamp *stamp)
{
    unsigned i = 0;
    assert(order->chains <= ORDER_CHAINS && !stamp->number &&
           "a command begins once");
    while (i < order->chains && order->last[i] != stamp->clock.at[i])
        i++;
    if (i == ORDER_CHAINS) {
        if (stamp->read)
            stamp->read->ignored = true;
        stamp->read = NULL;
        return;
    }
    if (i == order->chains)
        order->chains++;
    stamp->chain = i;
    stamp->number = stamp->clock.at[i] = ++order->last[i];
    if (!stamp->read)
        return;
    stamp->read->chain = i;
    stamp->read->number = stamp->number;
}

void
order_drop_reads(struct order *order, bool all)
{
    for (struct order_read **link = &order->reads, *r; (r = *link);) {
        if (!all && !r->ignored &&
            (!r->number ||
             !order_is_before(r->chain, r->number, &order->program))) {
            link = &r->next;
            continue;
        }
        *link = r->next;
        free(r);
    }
}

bool
order_add_read(struct order *order, struct order_stamp *stamp, unsigned type)
{
    assert(!stamp->number && !stamp->read && "it is enqueued once");
    order_drop_reads(order, false);
    struct order_read *r = calloc(1, sizeof *r);
    if (!r)
        return false;
    r->type = type;
    r->caller = stamp->caller;
    r->next = order->reads;
    order->reads = stamp->read = r;
    return true;
}
