/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdint.h>

/*
 * From the first word of an instruction to the row, or rows, that it may be, by
 * tables that decoder.py makes (class Lookup):
 *
 *     opcode, funct3                           ->  nodes[]
 *     those bits of 31:25 that this one names  ->  nodes[]
 *     those bits of 24:15 that this one names  ->  leaves[]
 *
 * Every word takes the same way, without a branch: instructions that nothing
 * has been seen of cost no mispredicted jump.  All words get an answer; only
 * comparing them with the row verifies them.
 */
struct lookup_node {
    uint16_t base, mask; /* the next entry is at base + (bits & mask) */
};

struct lookup {
    const struct lookup_node *nodes;
    const uint32_t *leaves;
};

static inline uint32_t
lookup_leaf(const struct lookup *l, uint32_t word)
{
    uint32_t key = (word & 0x7f) << 3 | (word >> 12 & 7);
    struct lookup_node n = l->nodes[key];
    n = l->nodes[n.base + (word >> 25 & n.mask)];
    return l->leaves[n.base + (word >> 15 & n.mask)];
}
