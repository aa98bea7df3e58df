/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions drawn from the tables of the tile machine: RISC-V and tile. */
#pragma once

#include <ventus/rv64_isa.h>
#include <ventus/tile_isa.h>

#include "isa/words.h"
#include "random.h"

union words_any {
    struct words_insn any;
    struct ventus_tile_insn tile;
    struct ventus_rv64_insn rv64;
};

/* A value of a field: a register of few, a near target, or any. */
static inline int32_t
words_value(struct rng *r, const struct words_isa *isa,
            const struct words_field *f)
{
    uint32_t any = rng_word(r) & (f->width < 32 ? (1u << f->width) - 1 : ~0u);
    if (f->list) {
        const struct words_list *list = &isa->lists[f->list - 1];
        return list->legal ? (int32_t)(any % 64) : (int32_t)any;
    }
    switch (rng_below(r, 4)) {
    case 0:
        return (int32_t)(any << f->scale);
    case 1:
        return (int32_t)((any & 15) << f->scale);
    case 2:
        return (int32_t)((any & 7) + 8);
    default:
        return f->is_signed ? -(int32_t)((any & 7) << f->scale) : 10;
    }
}

/* Bytes of one instruction at `at`, which has room for 16; 0: none found. */
static inline size_t
words_draw(struct rng *r, const struct words_isa *isa, uint8_t *at)
{
    for (unsigned tries = 0; tries < 40; tries++) {
        union words_any in;
        uint32_t words[WORDS_MAX];
        memset(&in, 0, sizeof in);
        in.any.op = (uint16_t)(1 + rng_below(r, isa->row_count - 1u));
        const struct words_row *row = &isa->rows[in.any.op];
        in.any.size = row->bytes;
        for (unsigned i = 0; i < row->fields; i++) {
            const struct words_field *f = &isa->fields[row->field[i]];
            words_set(&in, f, words_value(r, isa, f));
        }
        if (!words_encode(isa, &in, words))
            continue;
        memcpy(at, words, row->bytes);
        return row->bytes;
    }
    return 0;
}
