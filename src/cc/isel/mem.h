/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/isel/tr.h"

/* A location of memory, as isel/mem.c gives it to those that access it. */
struct tr_memory {
    ir_val base;
    int32_t offset;
    enum ir_space space;
    bool is_volatile;
    uint8_t hint;    /* enum ventus_isa_hint */
    bool shared;     /* volatile, of global memory: as all SMs see it */
    unsigned object; /* ir_insn.object; 0: that of the instruction */
};

/* `size` bytes, 1, 2 or 4, at an address that is a multiple of that. */
ir_val
tr_load_piece(struct tr *t, struct tr_memory p, unsigned size, bool is_signed);

void
tr_store_piece(struct tr *t, struct tr_memory p, unsigned size, ir_val v);

/* Walks the leaves of a type, whose words are at *at; stores if `store`, else
 * loads. */
void
tr_access(struct tr *t, struct tr_memory p, LLVMTypeRef type, unsigned align,
          ir_val **at, bool store);

/* LLVM's instructions. */
bool
tr_load(struct tr *t, LLVMValueRef in);

bool
tr_store(struct tr *t, LLVMValueRef in);

bool
tr_gep(struct tr *t, LLVMValueRef in);
