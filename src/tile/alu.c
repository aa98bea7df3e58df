/* SPDX-License-Identifier: Apache-2.0 */
/* Parts that the files of the arithmetic unit share. */
#include "tile/alu.h"

#include <string.h>

bool
alu_reads_core(const struct ventus_tile_insn *in)
{
    return ventus_tile_flags_of(in) &
           (VENTUS_TILE_F_VECTOR | VENTUS_TILE_F_FLOAT);
}

uint32_t
alu_get(const uint8_t *tile, unsigned at, unsigned size)
{
    uint32_t x = 0;
    memcpy(&x, tile + at, size);
    return x;
}

uint32_t
alu_negate(enum ventus_tile_cvtfmt format, uint32_t x)
{
    unsigned bits = 8 * number_size(format);
    if (number_is_float(format))
        return x ^ 1u << (bits - 1);
    return (0 - x) & (bits < 32 ? (1u << bits) - 1 : ~0u);
}

uint32_t
alu_single(enum ventus_tile_cvtfmt format, uint32_t x)
{
    if (format == VENTUS_TILE_CVTFMT_F16)
        return number_bits(number_from_f16((uint16_t)x));
    if (format == VENTUS_TILE_CVTFMT_BF16)
        return x << 16;
    return x;
}
