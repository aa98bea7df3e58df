/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct model;

enum { DRAM_CHANNELS = 16, DRAM_BANKS = 64 };

struct dram_bank {
    bool open;
    uint32_t row;
    uint64_t ready_at; /* for its next command */
};

struct dram {
    uint64_t bus_free[DRAM_CHANNELS];
    struct dram_bank bank[DRAM_CHANNELS * DRAM_BANKS];
};

/* Starts requests. */
void
dram_cycle(struct model *m);
