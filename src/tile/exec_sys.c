/* SPDX-License-Identifier: Apache-2.0 */
/* CSRs, fences, the environment. */
#include <assert.h>

#include "tile/exec.h"

HANDLER(fence)
{
    return i + step;
}

HANDLER(fence_i)
{
    h->pc = i->pc + i->size; /* the slots go away */
    hart_code_flush(h->code);
    return hart_find(h, h->pc);
}

HANDLER(ecall)
{
    return hart_stop(h, i, HART_ECALL);
}

HANDLER(ebreak)
{
    return hart_fault(h, i, VENTUS_TILE_CAUSE_BREAK, i->pc);
}

static bool
read_csr(struct hart *h, unsigned number, uint64_t *value)
{
    switch (number) {
    case VENTUS_RV64_CSR_FFLAGS:
        return *value = h->fflags, true;
    case VENTUS_RV64_CSR_FRM:
        return *value = h->frm, true;
    case VENTUS_RV64_CSR_FCSR:
        return *value = h->frm << 5 | h->fflags, true;
    case VENTUS_RV64_CSR_VSTART:
    case VENTUS_RV64_CSR_VXSAT:
    case VENTUS_RV64_CSR_VXRM:
    case VENTUS_RV64_CSR_VCSR:
        return *value = 0, true;
    case VENTUS_RV64_CSR_MSTATUS:
        return *value = h->mstatus, true;
    case VENTUS_RV64_CSR_MTVEC:
        return *value = h->mtvec, true;
    case VENTUS_RV64_CSR_MSCRATCH:
        return *value = h->mscratch, true;
    case VENTUS_RV64_CSR_CYCLE:
    case VENTUS_RV64_CSR_TIME:
        return *value = h->cycle ? h->cycle : h->instret, true;
    case VENTUS_RV64_CSR_INSTRET:
        return *value = h->instret, true;
    case VENTUS_RV64_CSR_VL:
        return *value = h->vl, true;
    case VENTUS_RV64_CSR_VTYPE:
        return *value = (h->vtype & 0xff) | (uint64_t)(h->vtype >> 31) << 63,
               true;
    case VENTUS_RV64_CSR_VLENB:
        return *value = HART_VLENB, true;
    case VENTUS_RV64_CSR_MHARTID:
        return *value = h->pe * VENTUS_TILE_THREADS + h->thread, true;
    }
    return false;
}

static bool
write_csr(struct hart *h, unsigned number, uint64_t value)
{
    switch (number) {
    case VENTUS_RV64_CSR_FFLAGS:
        h->fflags = value & 31;
        return true;
    case VENTUS_RV64_CSR_FRM:
        h->frm = value & 7;
        return true;
    case VENTUS_RV64_CSR_FCSR:
        h->fflags = value & 31;
        h->frm = value >> 5 & 7;
        return true;
    case VENTUS_RV64_CSR_VSTART:
    case VENTUS_RV64_CSR_VXSAT:
    case VENTUS_RV64_CSR_VXRM:
    case VENTUS_RV64_CSR_VCSR:
        return true;
    case VENTUS_RV64_CSR_MSTATUS:
        h->mstatus = value;
        return true;
    case VENTUS_RV64_CSR_MTVEC:
        h->mtvec = value;
        return true;
    case VENTUS_RV64_CSR_MSCRATCH:
        h->mscratch = value;
        return true;
    }
    return false; /* read-only, or none */
}

/* Does it read the instructions that were executed? */
static bool
reads_count(const struct hart *h, unsigned number)
{
    return number == VENTUS_RV64_CSR_INSTRET ||
           (!h->cycle && (number == VENTUS_RV64_CSR_CYCLE ||
                          number == VENTUS_RV64_CSR_TIME));
}

enum change { SWAP, SET, CLEAR };

/* `source` is the operand; set and clear of x0 or 0 do not write. */
static const struct hart_insn *
change(struct hart *h, const struct hart_insn *i, enum change how,
       uint64_t source, unsigned step)
{
    assert(h->fflags <= 31 && h->frm <= 7); /* as wide as their fields */
    if (reads_count(h, i->aux) && !h->counted)
        return hart_stop(h, i, HART_COUNTS);
    h->counted = false;
    uint64_t old;
    if (!read_csr(h, i->aux, &old))
        return hart_fault(h, i, VENTUS_TILE_CAUSE_ILLEGAL, 0);
    uint64_t made = how == SWAP  ? source
                    : how == SET ? old | source
                                 : old & ~source;
    if ((how == SWAP || i->rs1) && !write_csr(h, i->aux, made))
        return hart_fault(h, i, VENTUS_TILE_CAUSE_ILLEGAL, 0);
    h->x[i->rd] = old;
    return i + step;
}

HANDLER(csrrw)
{
    return change(h, i, SWAP, h->x[i->rs1], step);
}

HANDLER(csrrs)
{
    return change(h, i, SET, h->x[i->rs1], step);
}

HANDLER(csrrc)
{
    return change(h, i, CLEAR, h->x[i->rs1], step);
}

HANDLER(csrrwi)
{
    return change(h, i, SWAP, i->rs1, step);
}

HANDLER(csrrsi)
{
    return change(h, i, SET, i->rs1, step);
}

HANDLER(csrrci)
{
    return change(h, i, CLEAR, i->rs1, step);
}
