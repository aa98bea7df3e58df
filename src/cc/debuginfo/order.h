/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/cc.h"

/* A debug record that is taken off before a pass changes the order of instructions,
 * and put back after it. */
struct debug_moved {
    struct ir_debug *record;
    struct ir_insn *seen, *next; /* that do something, around it; or NULL */
};

struct debug_order {
    struct arena *arena;
    struct ir_insn *before; /* the first, or NULL */
    vec(struct debug_moved) records;
};

/* The records of a part of a block, up to those before `end`. */
void
debug_take(struct debug_order *o, struct arena *a, struct ir_insn *first,
           struct ir_insn *end);

/* The part has the same instructions and `end`. */
void
debug_put_back(struct debug_order *o, struct ir_func *f, struct ir_insn *end);
