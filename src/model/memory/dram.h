/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <ventus/model.h>

enum { DRAM_CHANNELS = 16, DRAM_BANKS = 64 };

struct memory_request {
    uint64_t due; /* DRAM: UINT64_MAX until it was started */
    bool write;
    unsigned mshr;
    uint64_t line;
};

struct dram_bank {
    bool open;
    uint64_t row;
    uint64_t ready_at; /* for its next command */
};

/* State of one run. */
struct dram_state {
    uint64_t bus_free[DRAM_CHANNELS];
    struct dram_bank bank[DRAM_CHANNELS * DRAM_BANKS];
};

struct dram {
    const struct ventus_model_config *config;
    struct ventus_model_stats *stats;
    struct dram_state state;
};

void
dram_init(struct dram *d, const struct ventus_model_config *config,
          struct ventus_model_stats *stats);

void
dram_reset(struct dram *d);

/* Starts requests of a list, the oldest first: gives them their `due`. */
void
dram_tick(struct dram *d, struct memory_request *list, unsigned n,
          uint64_t now);
