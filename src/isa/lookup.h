/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdint.h>

/*
 * From the first word of an instruction to the rows that it may be, by tables
 * that gen.py makes (class Lookup):
 *
 *     word & 0x7f, word >> 12 & 7   ->  first[]   opcode and funct3
 *     the bits that this node says  ->  second[]  of 31:25, or none
 *     the bits that this node says  ->  third[]   what decides, or none
 *     third                         ->  chain[]   rows, 0 at the end
 *
 * Every word takes the same way, without a branch: instructions that nothing
 * has been seen of cost no mispredicted jump.
 */

/* The next entry is at base + (word >> low & mask). */
struct lookup_node {
    uint16_t base;
    uint8_t low, mask;
};

struct lookup {
    const struct lookup_node *first, *second;
    const uint16_t *third, *chain;
};

static inline uint32_t
lookup_next(struct lookup_node n, uint32_t word)
{
    return n.base + (word >> n.low & n.mask);
}

/* The candidates for a word, the most specific first, 0 behind the last. */
static inline const uint16_t *
lookup_chain(const struct lookup *l, uint32_t word)
{
    struct lookup_node n = l->first[(word & 0x7f) | (word >> 5 & 0x380)];
    n = l->second[lookup_next(n, word)];
    return &l->chain[l->third[lookup_next(n, word)]];
}
