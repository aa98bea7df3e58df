/* SPDX-License-Identifier: Apache-2.0 */
#include "cc/target.h"

#include <assert.h>
#include <stddef.h>

/*
 * clang's layout for spir64, with 32-bit pointers to private and local memory
 * that take 8 bytes in memory: what clang has counted stays right (abi.md,
 * Version 2).
 */
#define LAYOUT_V2                                                              \
    "e-p:32:64:64:32-p1:64:64:64:64-p2:64:64:64:64-"                           \
    "p3:32:64:64:32-p4:64:64:64:64-i64:64-v16:16-v24:32-"                      \
    "v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-" \
    "G1"

const struct cc_target cc_target_v1 = {
    .name = "ventus1",
    .isa = VENTUS_ISA_V1,
    .clang = "spir--",
    .triple = "spir-unknown-unknown",
    .library = "",
    .pointer_bits = { 32, 32, 32, 32, 32 },
    .access_words = 1,
    .atomic_words = 1,
};

const struct cc_target cc_target_v2 = {
    .name = "ventus2",
    .isa = VENTUS_ISA_V2,
    .clang = "spir64--",
    .triple = "spir64-unknown-unknown",
    .layout = LAYOUT_V2,
    .library = "/ventus2",
    .pointer_bits = { 32, 64, 64, 32, 64 },
    .wide_integers = true,
    .access_words = 4,
    .atomic_words = 2,
    .cache_hints = true,
    .source_signs = true,
    .knl_dims = 80,
    .shared_memory = true,
};

const struct cc_target *
cc_target_of_version(unsigned version)
{
    switch (version) {
    case VENTUS_ISA_V1:
        return &cc_target_v1;
    case VENTUS_ISA_V2:
        return &cc_target_v2;
    }
    return NULL;
}

unsigned
cc_pointer_bits(const struct cc_target *t, unsigned space)
{
    enum { SPACES = sizeof t->pointer_bits };
    assert(space < SPACES);
    return t->pointer_bits[space < SPACES ? space : 0];
}

unsigned
cc_knl_offset(const struct cc_target *t, unsigned offset)
{
    enum { GLOBAL_SIZE = 12, LOCAL_SIZE = 24, GLOBAL_OFFSET = 36, END = 48 };
    if (!t->knl_dims || offset < GLOBAL_SIZE || offset >= END)
        return offset;
    unsigned in_row = offset < LOCAL_SIZE ? 8 : offset < GLOBAL_OFFSET ? 0 : 4;
    return t->knl_dims + 4 + 16 * (offset / 4 % 3) + in_row;
}

bool
cc_knl_is_wide(const struct cc_target *t, unsigned offset)
{
    return t->knl_dims &&
           (offset == t->knl_dims + 12u || offset == t->knl_dims + 28u);
}

unsigned
cc_wide_row(const struct cc_target *t, unsigned op)
{
    unsigned wide = ventus_isa_related[op][VENTUS_ISA_PAIR_OF];
    return ventus_isa_info[wide].versions & (unsigned)t->isa ? wide : op;
}

/* Version 1 has rows for private memory, version 2 a prefix. */
unsigned
cc_private_row(const struct cc_target *t, unsigned op, unsigned *prefix)
{
    *prefix = VENTUS_ISA_NONE;
    if (!(ventus_isa_info[op].flags & VENTUS_ISA_F_PRIVATE) ||
        ventus_isa_info[op].versions & (unsigned)t->isa)
        return op;
    *prefix = VENTUS_ISA_PRE_M_PRIVATE_32;
    return ventus_isa_related[op][VENTUS_ISA_PRIVATE_OF];
}
