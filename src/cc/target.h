/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <ventus/isa.h>

/* The facts about a version of the instruction set, for all parts of the compiler:
 * passes ask this table and not for the version. */
struct cc_target {
    const char *name; /* of -march */
    enum ventus_isa_version isa;
    /* The front end: clang's target, the triple of its modules, and the data
     * layout that takes the place of clang's; NULL: clang's. */
    const char *clang, *triple, *layout;
    const char *library; /* folder of the device library, below the first's */
    /* The widths of pointers by LLVM's address space: private, global, constant,
     * local, generic. */
    uint8_t pointer_bits[5];
    /* 64-bit integers are pairs of registers, which instructions compute with;
     * else two words. */
    bool wide_integers;
    /* The most words that one load or store has. */
    uint8_t access_words;
    /* The most words that one atomic has: 1 or 2. */
    uint8_t atomic_words;
    /* A prefix of loads and stores has a cache hint. */
    bool cache_hints;
    /* A prefix takes the absolute values and negatives of sources. */
    bool source_signs;
    /* The offset from which on the metadata have all sizes and offsets of one
     * dimension in a row, x after work_dim - 1 (abi.md, Version 2); 0: they are apart. */
    uint8_t knl_dims;
    /* Devices share memory with the host, so scopes reach beyond the device. */
    bool shared_memory;
};

extern const struct cc_target cc_target_v1, cc_target_v2;

/* The target of the options: NULL is version 1. */
static inline const struct cc_target *
cc_target_or_v1(const struct cc_target *t)
{
    return t ? t : &cc_target_v1;
}

/* The target of a version, NULL if there is none. */
const struct cc_target *
cc_target_of_version(unsigned version);

/* The width in bits of a pointer into an address space of LLVM. */
unsigned
cc_pointer_bits(const struct cc_target *t, unsigned space);

/* The offset of a word of the metadata, in the row of its dimension if the target has
 * rows. */
unsigned
cc_knl_offset(const struct cc_target *t, unsigned offset);

/* Whether the word at this offset is followed by a word of 0: the two are its zero
 * extension. */
bool
cc_knl_is_wide(const struct cc_target *t, unsigned offset);

/*
 * The row that does with 64-bit addresses or numbers what `op` does with 32,
 * and needs no pair prefix: `ld` for `lw`, `addw` for `add`; `op` itself if the
 * target has none.
 */
unsigned
cc_wide_row(const struct cc_target *t, unsigned op);

/*
 * The row for an access to private memory, and in *prefix the prefix that makes
 * it one; `op` itself where a row of its own does.
 */
unsigned
cc_private_row(const struct cc_target *t, unsigned op, unsigned *prefix);
