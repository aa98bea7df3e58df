/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "tile/number.h"
#include "tile/thread.h"

/* Functions that the files of the arithmetic unit share. */

/* Is an operand a v or f register? */
bool
alu_reads_core(const struct ventus_tile_insn *in);

/* The element at byte `at`, zero-extended. */
uint32_t
alu_get(const uint8_t *tile, unsigned at, unsigned size);

uint32_t
alu_negate(enum ventus_tile_cvtfmt format, uint32_t x);

/* A 16-bit float as binary32; 32-bit elements as they are. */
uint32_t
alu_single(enum ventus_tile_cvtfmt format, uint32_t x);

bool
alu1_is_possible(const struct ventus_tile_insn *in);

bool
cvt_is_possible(const struct ventus_tile_insn *in);
