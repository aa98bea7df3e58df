/* SPDX-License-Identifier: Apache-2.0 */
/* Which functions execute an instruction of 2 and of 4 bytes. */
#include "tile/exec.h"

#define PAIR(row, meaning) \
    [VENTUS_RV64_##row] = { exec_##meaning##_2, exec_##meaning##_4 },
hart_fn *const hart_functions[VENTUS_RV64_OP_COUNT][2] = { VENTUS_RV64_ROWS(
    PAIR) };
#undef PAIR
