/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tile control and status registers.  They sit beside the core: read and
 * written at issue, with the rules of RISC-V's CSR instructions (the
 * document's table 10): a swap into x0 does not read, set and clear from x0 do
 * not write.
 */
#include "tile/check.h"
#include "tile/thread.h"

/* tinfo: sizes, see tile.isa. */
static uint64_t
info(void)
{
    return 8 | VENTUS_TILE_ROWS << 8 | VENTUS_TILE_REGISTERS << 16 |
           (uint64_t)VENTUS_TILE_THREADS << 32 |
           (uint64_t)VENTUS_TILE_PES << 40;
}

static bool
read_csr(struct tile_thread *t, unsigned number, uint64_t *value)
{
    const struct ventus_tile_machine *m = t->machine;
    switch (number) {
    case VENTUS_TILE_CSR_TINFO:
        return *value = info(), true;
    case VENTUS_TILE_CSR_TMASK:
        return *value = t->tmask, true;
    case VENTUS_TILE_CSR_TFCSR:
        return *value = t->tfcsr, true;
    case VENTUS_TILE_CSR_TQCFG:
        return *value = t->tqcfg, true;
    case VENTUS_TILE_CSR_TTID:
        return *value = t->index, true;
    case VENTUS_TILE_CSR_TPEID:
        return *value = t->pe, true;
    case VENTUS_TILE_CSR_TCLID:
        return *value = 0, true;
    case VENTUS_TILE_CSR_TNTHR:
        return *value = m->options.threads, true;
    case VENTUS_TILE_CSR_TSMBASE:
        return *value = MEMORY_SMEM, true;
    case VENTUS_TILE_CSR_TSMSIZE:
        return *value = m->memory.smem_size, true;
    case VENTUS_TILE_CSR_TL2BASE:
        return *value = MEMORY_L2B, true;
    case VENTUS_TILE_CSR_TL2SIZE:
        return *value = m->memory.l2b_size, true;
    case VENTUS_TILE_CSR_TGLD_CNT:
        return *value = tile_queue_count(t, VENTUS_TILE_UNIT_GLSU, false), true;
    case VENTUS_TILE_CSR_TGST_CNT:
        return *value = tile_queue_count(t, VENTUS_TILE_UNIT_GLSU, true), true;
    case VENTUS_TILE_CSR_TSLD_CNT:
        return *value = tile_queue_count(t, VENTUS_TILE_UNIT_SLSU, false), true;
    case VENTUS_TILE_CSR_TSST_CNT:
        return *value = tile_queue_count(t, VENTUS_TILE_UNIT_SLSU, true), true;
    case VENTUS_TILE_CSR_TMAPEND:
        return *value = t->queue[VENTUS_TILE_UNIT_TMA].count, true;
    case VENTUS_TILE_CSR_MMAPEND:
        return *value = t->queue[VENTUS_TILE_UNIT_MMA].count, true;
    case VENTUS_TILE_CSR_ALUPEND:
        return *value = t->queue[VENTUS_TILE_UNIT_ALU].count, true;
    }
    if (number < VENTUS_TILE_CSR_TSEM0 || number > VENTUS_TILE_CSR_TSEM31)
        return false;
    unsigned sem = number - VENTUS_TILE_CSR_TSEM0;
    *value = t->machine->pe[t->pe].semaphore[sem];
    check_observe(t->machine, ~(uint64_t)(t->pe * THREAD_SEMAPHORES + sem));
    return true;
}

static bool
write_csr(struct tile_thread *t, unsigned number, uint64_t value)
{
    switch (number) {
    case VENTUS_TILE_CSR_TMASK:
        t->tmask = value;
        return true;
    case VENTUS_TILE_CSR_TFCSR:
        t->tfcsr = value & 0x31f;
        return true;
    case VENTUS_TILE_CSR_TQCFG:
        t->tqcfg = value & 15;
        return true;
    }
    if (number < VENTUS_TILE_CSR_TSEM0 || number > VENTUS_TILE_CSR_TSEM31)
        return false;
    t->machine->pe[t->pe].semaphore[number - VENTUS_TILE_CSR_TSEM0] = value;
    return true;
}

static uint64_t
changed(unsigned how, uint64_t old, uint64_t source)
{
    switch (how) {
    case VENTUS_TILE_CSRUOP_S:
        return old | source;
    case VENTUS_TILE_CSRUOP_C:
        return old & ~source;
    }
    return source;
}

enum thread_result
csr_execute(struct tile_thread *t, const struct ventus_tile_insn *in,
            uint64_t pc)
{
    struct hart *h = &t->hart;
    bool swap = in->op != VENTUS_TILE_TCSRR && in->func == VENTUS_TILE_CSRUOP_W;
    bool writes = in->op != VENTUS_TILE_TCSRR && (swap || in->rs1);
    bool reads = in->op == VENTUS_TILE_TCSRR || !swap ||
                 (in->op == VENTUS_TILE_TCSR_X && in->rd);
    uint64_t old = 0, unused;
    bool ok = reads ? read_csr(t, in->csr, &old)
                    : read_csr(t, in->csr, &unused); /* is there one? */
    if (ok && writes)
        ok = write_csr(t, in->csr, changed(in->func, old, h->x[in->rs1]));
    if (!ok)
        return thread_fault(t, pc, VENTUS_TILE_CAUSE_ILLEGAL, in->csr);
    if (in->op != VENTUS_TILE_TCSR_W && in->rd)
        h->x[in->rd] = old;
    t->machine->stats.tile[in->op]++;
    if (t->machine->options.timing)
        timing_csr(t, in);
    return THREAD_DONE;
}
