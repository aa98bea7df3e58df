/* SPDX-License-Identifier: Apache-2.0 */
/* A hart that does not continue to a next slot. */
#include <assert.h>

#include "tile/hart.h"

const struct hart_insn *
hart_stop(struct hart *h, const struct hart_insn *i, enum hart_stop why)
{
    assert(why != HART_RUNS); /* a hart that runs has a next slot */
    h->pc = i->pc;
    h->stop = why;
    return NULL;
}

const struct hart_insn *
hart_fault(struct hart *h, const struct hart_insn *i,
           enum ventus_tile_cause cause, uint64_t value)
{
    h->fault = (struct ventus_tile_fault){ .cause = cause,
                                           .pe = h->pe,
                                           .thread = h->thread,
                                           .pc = i->pc,
                                           .value = value };
    return hart_stop(h, i, HART_FAULT);
}
