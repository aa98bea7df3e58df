/* SPDX-License-Identifier: Apache-2.0 */
/* Control and status registers (semantics.md, CSRs), vsetvli and similar. */
#include <assert.h>

#include "base/guard.h"
#include "sim/bind.h"
#include "sim/state.h"

enum { VTYPE_ILL = 1u << 31, FFLAGS_MASK = 31, FRM_MASK = 7 };

bool
csr_counts(unsigned csr)
{
    switch (csr) {
    case VENTUS_ISA_CSR_CYCLE:
    case VENTUS_ISA_CSR_TIME:
    case VENTUS_ISA_CSR_INSTRET:
    case VENTUS_ISA_CSR_CYCLEH:
    case VENTUS_ISA_CSR_TIMEH:
    case VENTUS_ISA_CSR_INSTRETH:
        return true;
    default:
        return false;
    }
}

static uint32_t
read_counter(const struct sim_warp *w, unsigned csr)
{
    assert(warp_retired(w) > 0); /* this instruction is one */
    /* The functional machine has no time: a cycle is an instruction of this warp. */
    uint64_t n = warp_retired(w) - 1;
    bool high = csr == VENTUS_ISA_CSR_CYCLEH || csr == VENTUS_ISA_CSR_TIMEH ||
                csr == VENTUS_ISA_CSR_INSTRETH;
    return (uint32_t)(high ? n >> 32 : n);
}

/* The index of a CSR in w->constant; CSR_CONSTANTS or more: it is elsewhere. */
static unsigned
constant_index(unsigned csr)
{
    static_assert(CSR_CONSTANT == (int)VENTUS_ISA_CSR_TID &&
                      CSR_CONSTANT + CSR_CONSTANTS - 1 == VENTUS_ISA_CSR_GDZ,
                  "they are consecutive");
    return csr - CSR_CONSTANT;
}

/* Identification of the workgroup and the warp. */
void
warp_set_constants(struct sim_warp *w)
{
    const struct sim_group *g = w->group;
    uint32_t *to = w->constant;
    to[constant_index(VENTUS_ISA_CSR_TID)] = w->id * w->num_thread;
    to[constant_index(VENTUS_ISA_CSR_NUMW)] = g->warps;
    to[constant_index(VENTUS_ISA_CSR_NUMT)] = w->num_thread;
    to[constant_index(VENTUS_ISA_CSR_KNL)] = w->worker->run->launch.knl;
    to[constant_index(VENTUS_ISA_CSR_WGID)] = (uint32_t)g->number;
    to[constant_index(VENTUS_ISA_CSR_WID)] = w->id;
    to[constant_index(VENTUS_ISA_CSR_LDS)] = (uint32_t)SIM_LOCAL_BASE;
    to[constant_index(VENTUS_ISA_CSR_PDS)] = g->pds;
    for (unsigned i = 0; i < 3; i++)
        to[constant_index(VENTUS_ISA_CSR_GDX) + i] = g->at[i];
}

/* The storage of a register that simply keeps what is written, and its bits. */
static uint32_t *
plain_csr(struct sim_warp *w, unsigned csr, uint32_t *mask)
{
    *mask = UINT32_MAX;
    switch (csr) {
    case VENTUS_ISA_CSR_FFLAGS:
        *mask = FFLAGS_MASK;
        return &w->fflags;
    case VENTUS_ISA_CSR_FRM:
        *mask = FRM_MASK;
        return &w->frm;
    case VENTUS_ISA_CSR_VSTART:
        *mask = 0; /* nothing here stops in the middle of a vector */
        return &w->vstart;
    case VENTUS_ISA_CSR_VXSAT:
        *mask = 1;
        return &w->vxsat;
    case VENTUS_ISA_CSR_VXRM:
        *mask = 3;
        return &w->vxrm;
    case VENTUS_ISA_CSR_MSTATUS:
        return &w->mstatus;
    case VENTUS_ISA_CSR_MTVEC:
        return &w->mtvec;
    case VENTUS_ISA_CSR_PRINT:
        return &w->print;
    case VENTUS_ISA_CSR_RPC:
        return &w->rpc;
    case VENTUS_ISA_CSR_GDS:
        return &w->gds;
    default:
        return NULL;
    }
}

static uint32_t
read_csr(struct sim_warp *w, unsigned csr)
{
    uint32_t mask;
    const uint32_t *plain = plain_csr(w, csr, &mask);
    if (plain)
        return *plain;
    if (csr_counts(csr))
        return read_counter(w, csr);
    switch (csr) {
    case VENTUS_ISA_CSR_FCSR:
        assert(w->frm <= FRM_MASK && w->fflags <= FFLAGS_MASK);
        return w->frm << 5 | w->fflags;
    case VENTUS_ISA_CSR_VCSR:
        return w->vxrm << 1 | w->vxsat;
    case VENTUS_ISA_CSR_VL:
        return w->vl;
    case VENTUS_ISA_CSR_VTYPE:
        return w->vtype;
    case VENTUS_ISA_CSR_VLENB:
        return 4 * w->num_thread;
    default: /* upstream's harts are the warps */
        assert(csr == VENTUS_ISA_CSR_MHARTID && "bind_csr knows the others");
        return w->id;
    }
}

/* The host drains the print buffer before the warp continues, so that nothing
 * that is printed gets lost, however full the buffer is. */
static void
print(struct sim_warp *w)
{
    struct sim_run *run = w->worker->run;
    const struct ventus_sim_hooks *hooks = run->launch.hooks;
    if (!w->print || !hooks || !hooks->print)
        return;
    fp_collect(w);
    fp_host_leave(w->fp);
    struct guard_lock held;
    guard_lock(&held, &run->lock);
    hooks->print(hooks->ctx, w->group->number, w->id, w->print);
    guard_unlock(&held);
    fp_host_enter(w->fp, FP_RNE);
    w->print = 0;
}

/* FS is off or dirty; SD, bit 31, says that FS or VS is dirty. */
static uint32_t
legal_mstatus(uint32_t value)
{
    const uint32_t fs = 3u << 13, vs = 3u << 9, sd = 1u << 31;
    if (value & fs)
        value |= fs;
    bool dirty = (value & fs) == fs || (value & vs) == vs;
    return dirty ? value | sd : value & ~sd;
}

static void
write_csr(struct sim_warp *w, unsigned csr, uint32_t value)
{
    uint32_t mask;
    uint32_t *plain = plain_csr(w, csr, &mask);
    if (plain)
        *plain = value & mask;
    if (csr == VENTUS_ISA_CSR_MSTATUS)
        w->mstatus = legal_mstatus(value);
    if (csr == VENTUS_ISA_CSR_RPC)
        warp_name_join(w);
    if (csr == VENTUS_ISA_CSR_PRINT)
        print(w);
    if (csr == VENTUS_ISA_CSR_FCSR) {
        w->frm = value >> 5 & FRM_MASK;
        w->fflags = value & FFLAGS_MASK;
    }
    if (csr == VENTUS_ISA_CSR_VCSR) {
        w->vxrm = value >> 1 & 3;
        w->vxsat = value & 1;
    }
}

enum csr_kind { CSR_WRITE, CSR_SET, CSR_CLEAR };

static const struct sim_op *
csr_is_unknown(struct sim_warp *w, const struct sim_op *op)
{
    return warp_fault_text(w, op, VENTUS_SIM_FAULT_ILLEGAL,
                           "there is no such CSR");
}

static const struct sim_op *
csr_is_read_only(struct sim_warp *w, const struct sim_op *op)
{
    return warp_fault_text(w, op, VENTUS_SIM_FAULT_ILLEGAL,
                           "the CSR can only be read");
}

/* aux: number */
const struct sim_op *
csr_read_constant(struct sim_warp *w, const struct sim_op *op)
{
    w->x[op->d] = w->constant[constant_index(op->aux)];
    return op + op->words;
}

/* aux: number; width: 1 if it writes; the operand is x[s1] + imm */
static const struct sim_op *
access_csr(struct sim_warp *w, const struct sim_op *op)
{
    uint32_t operand = w->x[op->s1] + (uint32_t)op->imm;
    if (op->aux <= VENTUS_ISA_CSR_FCSR)
        fp_collect(w);
    uint32_t old = read_csr(w, op->aux);
    if (op->width) {
        uint32_t value = op->kind == CSR_WRITE ? operand
                         : op->kind == CSR_SET ? old | operand
                                               : old & ~operand;
        write_csr(w, op->aux, value);
    }
    w->x[op->d] = old;
    return op + op->words;
}

static bool
bind_csr(const struct ventus_sim *sim, const struct ventus_isa_insn *in,
         struct sim_op *op)
{
    (void)sim;
    const struct ventus_isa_csr *info = ventus_isa_csr_by_number(op->aux);
    /* csrrs and csrrc with x0 or 0 only read. */
    op->width = op->kind == CSR_WRITE || op->s1 || in->imm;
    if (!info)
        op->fn = csr_is_unknown;
    else if (info->read_only && op->width)
        op->fn = csr_is_read_only;
    else if (constant_index(op->aux) < CSR_CONSTANTS)
        op->fn = csr_read_constant;
    else
        op->fn = access_csr;
    return true;
}

/* ---- vector configuration ---- */

/* SEW of a vtype that is supported: e8, e16, e32 with m1, m2; else 0. */
static unsigned
vtype_sew(uint32_t vtype)
{
    unsigned vsew = vtype >> 3 & 7, vlmul = vtype & 7;
    return vtype >> 8 || vsew > 2 || vlmul > 1 ? 0 : 8u << vsew;
}

void
warp_set_vtype(struct sim_warp *w, uint32_t vl, uint32_t vtype)
{
    w->sew = vtype_sew(vtype);
    w->vtype = w->sew ? vtype : VTYPE_ILL;
    w->grouped = w->sew && vtype & 7;
    uint32_t most = w->sew ? w->num_thread << w->grouped : 0;
    w->vl = vl < most ? vl : most;
    w->slow = w->sew == 32 ? 0 : SLOW_SEW;
    warp_set_mask(w, w->mask);
}

enum { SETVL_REG, SETVL_IMM };

/* kind: SETVL_IMM, imm is the length; else x[s1]; aux or x[s2]: vtype */
static const struct sim_op *
set_vl(struct sim_warp *w, const struct sim_op *op)
{
    bool by_register = op->code == VENTUS_ISA_VSETVL;
    uint32_t vtype = by_register ? w->x[op->s2] : op->aux;
    uint32_t vl = (uint32_t)op->imm;
    if (op->kind == SETVL_REG && op->s1)
        vl = w->x[op->s1];
    else if (op->kind == SETVL_REG) /* x0: the most, or no change */
        vl = op->d == X_SINK ? w->vl : UINT32_MAX;
    bool was_grouped = w->grouped;
    warp_set_vtype(w, vl, vtype);
    w->x[op->d] = w->vl;
    if (w->grouped != was_grouped) { /* the run loop is another one */
        w->slice -= w->left;
        w->left = 0;
    }
    assert(w->vl <= w->num_thread << w->grouped);
    return op + op->words;
}

static bool
bind_set_vl(const struct ventus_sim *sim, const struct ventus_isa_insn *in,
            struct sim_op *op)
{
    (void)sim;
    (void)in;
    op->fn = set_vl;
    return true;
}

const struct sim_meaning csr_meanings[] = {
    { "csrrw", { bind_csr, CSR_WRITE } },
    { "csrrs", { bind_csr, CSR_SET } },
    { "csrrc", { bind_csr, CSR_CLEAR } },
    { "vsetvli", { bind_set_vl, SETVL_REG } },
    { "vsetvl", { bind_set_vl, SETVL_REG } },
    { "vsetivli", { bind_set_vl, SETVL_IMM } },
    { NULL, { NULL, 0 } },
};
