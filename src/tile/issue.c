/* SPDX-License-Identifier: Apache-2.0 */
/* From the hart to the units; memory accesses that are not plain RAM. */
#include <assert.h>
#include <string.h>

#include "tile/check.h"
#include "tile/exec.h"
#include "tile/thread.h"

/* The functions that implement the meanings that go through a queue. */
static thread_execute *
capture_of(const struct ventus_tile_insn *in)
{
    switch (ventus_tile_unit_of(in)) {
    case VENTUS_TILE_UNIT_TMA:
        return capture_tma;
    case VENTUS_TILE_UNIT_MMA:
        return capture_mma;
    case VENTUS_TILE_UNIT_ALU:
        if (in->op >= VENTUS_TILE_MV_TVI && in->op <= VENTUS_TILE_MV_FTR)
            return capture_move;
        return capture_alu;
    default:
        if (in->op >= VENTUS_TILE_ATOM_R && in->op <= VENTUS_TILE_RED_R)
            return capture_atom;
        if (in->op == VENTUS_TILE_ATOMT_I || in->op == VENTUS_TILE_ATOMT_R)
            return capture_atomt;
        return capture_access;
    }
}

/* Results for the core come before it continues. */
static enum thread_result
interlock(struct tile_thread *t, const struct thread_op *op)
{
    enum ventus_tile_unit unit = op->unit;
    if (!(ventus_tile_flags_of(&op->in) & VENTUS_TILE_F_TOREG))
        return THREAD_DONE;
    enum thread_result r = tile_queue_drain(t, unit, 0);
    unsigned kinds = check_kinds(op);
    for (unsigned k = 0; k < CHECK_KINDS; k++)
        if (kinds >> k & 1)
            timing_wait(t, (enum check_kind)k, 0);
    assert(r != THREAD_DONE || !t->queue[unit].count);
    return r;
}

enum thread_result
thread_issue(struct tile_thread *t, const struct ventus_tile_insn *in,
             uint64_t pc)
{
    struct ventus_tile_machine *m = t->machine;
    enum ventus_tile_unit unit = ventus_tile_unit_of(in);
    if (unit == VENTUS_TILE_UNIT_CSR)
        return csr_execute(t, in, pc);
    if (unit == VENTUS_TILE_UNIT_CTRL)
        return sync_execute(t, in, pc);
    struct thread_op *op = tile_queue_reserve(t, unit);
    if (!op)
        return THREAD_FAULT;
    assert(in->rs1 < 32 && in->rs2 < 32 && in->rs3 < 32);
    op->in = *in;
    op->unit = unit;
    op->pc = pc;
    op->a = t->hart.x[in->rs1];
    op->b = t->hart.x[in->rs2];
    op->c = t->hart.x[in->rs3];
    op->tmask = in->tmask ? t->tmask : ~UINT64_C(0);
    op->tfcsr = t->tfcsr;
    op->tqcfg = t->tqcfg;
    enum thread_result r = capture_of(in)(t, op);
    if (r != THREAD_DONE)
        return r;
    m->stats.tile[in->op]++;
    check_issue(t, op);
    if (m->options.timing)
        timing_issue(t, op);
    r = tile_queue_push(t, op);
    return r == THREAD_DONE ? interlock(t, op) : r;
}

static void
trace(struct tile_thread *t, const struct ventus_tile_insn *in, uint64_t pc)
{
    char text[VENTUS_TILE_TEXT_MAX];
    ventus_tile_print(in, NULL, text, sizeof text);
    fprintf(t->machine->options.trace, "%u.%u %8llx  %s\n", t->pe, t->index,
            (unsigned long long)pc, text);
}

const struct hart_insn *
exec_tile(struct hart *h, const struct hart_insn *i)
{
    assert(i->imm >= 0 && (unsigned)i->imm < h->code->tiles);
    struct tile_thread *t = thread_of(h);
    const struct ventus_tile_insn *in = &h->code->tile[i->imm];
    if (t->machine->options.trace && !t->waiting.on)
        trace(t, in, i->pc);
    switch (thread_issue(t, in, i->pc)) {
    case THREAD_DONE:
        return i + i->size / 2;
    case THREAD_AGAIN:
        return hart_stop(h, i, HART_WAITS);
    case THREAD_FAULT:
        h->stop = HART_FAULT;
        return NULL;
    }
    return NULL;
}

/* ---- scalar accesses that exec.h does not do ----------------------------- */

static uint8_t *
scalar(struct hart *h, const struct hart_insn *i, uint64_t at, unsigned size,
       bool write)
{
    uint8_t *host = memory_scalar(h->memory, h->pe, at, size);
    if (!host)
        hart_fault(
            h, i, write ? VENTUS_TILE_CAUSE_STORE : VENTUS_TILE_CAUSE_LOAD, at);
    else
        check_scalar(thread_of(h), i->pc,
                     memory_scalar_name(h->memory, h->pe, at), size, write);
    return host;
}

bool
hart_load(struct hart *h, const struct hart_insn *i, uint64_t at, void *to,
          unsigned size)
{
    const uint8_t *host = scalar(h, i, at, size, false);
    if (host)
        memcpy(to, host, size);
    return host != NULL;
}

bool
hart_store(struct hart *h, const struct hart_insn *i, uint64_t at,
           const void *from, unsigned size)
{
    uint8_t *host = scalar(h, i, at, size, true);
    if (host)
        memcpy(host, from, size);
    return host != NULL;
}
