/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/isel/tr.h"

/* Without instructions of 64 bits. */
void
tr_divide64(struct tr *t, bool is_signed, bool remainder, const ir_val a[2],
            const ir_val b[2], ir_val out[2]);
