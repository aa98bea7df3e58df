/* SPDX-License-Identifier: Apache-2.0 */
/* Print options of tile_isa.h and rv64_isa.h; zero is the default. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct ventus_words_print {
    bool numeric;  /* x10 rather than a0 */
    bool no_alias; /* addi a0, zero, 1 rather than li a0, 1 */
    bool has_pc;   /* targets as addresses; otherwise as the offset */
    uint64_t pc;
};
