/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vftta.vv: D += A x B, the matrices spread over the lanes (semantics.md,
 * Matrix multiply).
 *
 *   threads   m k n   lane i of vd is row i / n, column i % n
 *   32        4 8 4   A: vs1, row-major, m x k
 *    8        2 4 2   B: vs2, column-major, k x n
 */
#include <assert.h>

#include "isa/sem_fp.h"
#include "sim/bind.h"
#include "sim/fp.h"
#include "sim/state.h"
#include "sim/tensor.h"

static const struct sim_op *
vftta(struct sim_warp *w, const struct sim_op *op)
{
    bool large = w->num_thread == 32;
    if (!large && w->num_thread != 8)
        return warp_fault_text(w, op, VENTUS_SIM_FAULT_ILLEGAL,
                               "vftta needs warps of 8 or 32 threads");
    if (w->frm > FP_RM_MAX || w->sew != 32)
        return warp_fault_text(w, op, VENTUS_SIM_FAULT_ILLEGAL,
                               "vftta needs e32 and a rounding mode");
    unsigned m = large ? 4 : 2, k = sim_tensor_depth(w->num_thread), n = m;
    assert(m * k <= w->num_thread && k * n <= w->num_thread);
    const uint32_t *a = w->v + (size_t)op->s1 * w->lanes;
    const uint32_t *b = w->v + (size_t)op->s2 * w->lanes;
    const uint32_t *c = w->v + (size_t)op->s3 * w->lanes;
    uint32_t *d = w->v + (size_t)op->d * w->lanes;
    uint32_t r[16];
    uint64_t exec = warp_op_lanes(w, op) & first_lanes(m * n);
    unsigned flags = 0;
    for (uint64_t rest = exec; rest; rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctzll(rest);
        r[i] = c[i];
        for (unsigned j = 0; j < k; j++)
            r[i] = sem_fmadd_32(a[i / n * k + j], b[i % n * k + j], r[i],
                                (enum fp_rm)w->frm, &flags);
    }
    /* After all lanes: vd may be vs1 or vs2. */
    for (uint64_t rest = exec; rest; rest &= rest - 1)
        d[__builtin_ctzll(rest)] = r[__builtin_ctzll(rest)];
    w->fflags |= flags;
    return op + op->words;
}

static bool
bind_vftta(const struct ventus_sim *sim, const struct ventus_isa_insn *in,
           struct sim_op *op)
{
    (void)sim;
    (void)in;
    op->fn = vftta;
    return true;
}

const struct sim_meaning tensor_meanings[] = {
    { "vftta", { bind_vftta, 0 } },
    { NULL, { NULL, 0 } },
};
