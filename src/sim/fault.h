/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <ventus/sim.h>

/* Faults of an access, whose address the text and reports have. */
static inline bool
sim_fault_has_address(enum ventus_sim_fault_kind kind)
{
    return kind == VENTUS_SIM_FAULT_MISALIGNED ||
           kind == VENTUS_SIM_FAULT_UNMAPPED ||
           kind == VENTUS_SIM_FAULT_PERMISSION ||
           kind == VENTUS_SIM_FAULT_LOCAL;
}
