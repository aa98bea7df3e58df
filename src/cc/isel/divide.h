/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/isel/tr.h"

/* Divides numbers of 64 bits, without instructions for these. */
void
tr_divide64(struct tr *t, bool is_signed, bool remainder, const ir_val a[2],
            const ir_val b[2], ir_val out[2]);
