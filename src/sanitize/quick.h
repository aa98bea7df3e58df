/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "sanitize/operands.h"
#include "sim/warp.h"

/*
 * Facts of an instruction that the run loop needs, found once for a launch.
 * Most instructions find their operands known and their warp undivided: these have no
 * effect on the state beside registers, and the run loop tests only that.
 */
enum quick_way {
    QUICK_NONE,  /* every check runs */
    QUICK_VALUES /* from registers to registers, or a branch */
};

/* The usual accesses, of one word and by addresses of 32 bits. */
enum quick_shape { SHAPE_OTHER, SHAPE_SCALAR, SHAPE_OFFSET, SHAPE_INDEXED };

/* x0 is never written: its bit stands for rpc. */
enum { QUICK_RPC_BIT = 1 };

struct sanitize_quick {
    const struct sim_op *op; /* NULL: the row is free */
    uint8_t way, shape;
    bool branches, masked;
    /* d, s1, s2, s3; SANITIZE_NO_VECTOR where the operand is no vector. */
    uint16_t v[4];
    uint64_t values; /* scalar registers that are read or written, a bit each */
    /* The same, and sanitize_rpc_bit; all of what has pairs. */
    uint64_t touches, writes;
};

enum { QUICK_ROWS = 1 << 12 };
