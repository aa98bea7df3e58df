/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of two functional machines. */
#pragma once

#include "machine.h"
#include "sim/state.h"

static inline void
require_same_registers(const struct ventus_sim *a, const struct ventus_sim *b,
                       unsigned lanes)
{
    const struct sim_warp *wa = a->worker[0].group[0].warp;
    const struct sim_warp *wb = b->worker[0].group[0].warp;
    for (unsigned i = 0; i < SIM_XREGS; i++)
        if (wa->x[i] != wb->x[i]) {
            fprintf(stderr, "x%u: 0x%x and 0x%x\n", i, wa->x[i], wb->x[i]);
            require(false, "scalar registers differ");
        }
    for (unsigned i = 0; i < SIM_VREGS * lanes; i++) {
        uint32_t va = wa->v[i / lanes * wa->lanes + i % lanes];
        uint32_t vb = wb->v[i / lanes * wb->lanes + i % lanes];
        if (va != vb) {
            fprintf(stderr, "v%u lane %u: 0x%x and 0x%x\n", i / lanes,
                    i % lanes, va, vb);
            require(false, "vector registers differ");
        }
    }
}
