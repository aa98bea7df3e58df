/* SPDX-License-Identifier: Apache-2.0 */
/* Faults and the kind of an access, which issue, queues, units and checker share. */
#include "tile/thread.h"

enum thread_result
thread_fault(struct tile_thread *t, uint64_t pc, enum ventus_tile_cause cause,
             uint64_t value)
{
    struct hart_insn here = { .pc = pc };
    hart_fault(&t->hart, &here, cause, value);
    struct ventus_tile_machine *m = t->machine;
    if (!m->ended) {
        m->fault = t->hart.fault;
        m->ended = true;
        m->end = VENTUS_TILE_FAULTED;
    }
    return THREAD_FAULT;
}

bool
thread_is_load(const struct ventus_tile_insn *in)
{
    /* A tile atomic counts as a store, and with rtn as a load too. */
    if (in->op == VENTUS_TILE_ATOMT_I || in->op == VENTUS_TILE_ATOMT_R)
        return in->rtn;
    return ventus_tile_flags_of(in) & VENTUS_TILE_F_LOAD;
}

bool
thread_is_store(const struct ventus_tile_insn *in)
{
    return ventus_tile_flags_of(in) & VENTUS_TILE_F_STORE;
}
