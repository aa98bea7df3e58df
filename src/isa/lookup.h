/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdint.h>

/*
 * Maps the first word of an instruction to the rows of the table that may match, by
 * tables that decoder.py makes (class Lookup):
 *
 *     opcode, funct3                              ->  nodes[]
 *     the bits of 31:25 that this entry names     ->  nodes[]
 *     the bits of 24:15 that this entry names     ->  leaves[]
 *
 * The look-up has no branch, so an instruction that occurs for the first time causes
 * no misprediction.  Every word gets a row; comparing the word with the row tells
 * whether it is that instruction.
 */
struct lookup_node {
    uint16_t base, mask; /* index of the next entry: base + (bits & mask) */
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
