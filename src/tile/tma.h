/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "tile/thread.h"

/* Properties of a tensor copy that the checker and the timing need. */
enum tma_completion { TMA_BULK, TMA_MBARRIER, TMA_SEMAPHORE };

struct tma_side {
    enum memory_space space;
    uint64_t address;
    unsigned where; /* 0 global, 1 own share memory, 2 cluster, 3 L2B */
};

/* A row of a box: `bytes` on the dense side, of which [first, first + inside)
 * are in the map and start at `mapped`. */
struct tma_row {
    uint64_t mapped, dense;
    uint32_t bytes, first, inside;
};

bool
tma_is_linear(const struct ventus_tile_insn *in);

bool
tma_stores(const struct ventus_tile_insn *in);

enum tma_completion
tma_completion_of(const struct ventus_tile_insn *in);

/* The destination or source; of a mapped side only the space matters. */
struct tma_side
tma_side(const struct thread_op *op, bool destination);

/* Bytes of the dense side. */
uint64_t
tma_bytes(const struct thread_op *op);

void
tma_rows(const struct thread_op *op,
         void (*row)(void *ctx, const struct tma_row *r), void *ctx);
