/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model/pipeline/op.h"

/* A result of a unit, on its way to write-back. */
struct result {
    const struct model_op *op;
    uint64_t id;
    uint8_t warp;
    bool vector; /* writes a vector register */
    bool again;  /* written already */
    bool told;   /* another unit says when it ends: the LSU */
};
