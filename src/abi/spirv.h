/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Facts of a SPIR-V module that the runtime and the compiler need: whether its kernels
 * can be compiled here at all, and its specialization constants.  The compiler's
 * processes read the rest.  Numbers and layout: "SPIR-V Specification", 2 and 3.
 *
 *     struct spirv m;
 *     if (spirv_is(bytes, size) && !spirv_read(&m, bytes, size))
 *         ... m.why ...
 *
 * Any bytes may come: each instruction is inside of the module, or the module is
 * refused.
 */
struct spirv {
    const uint8_t *bytes;
    size_t n;              /* words */
    bool swapped;          /* words are big-endian */
    unsigned address_bits; /* 32 or 64 */
    char why[160];         /* what is wrong */
};

/* Whether the bytes begin as a module does, of either byte order. */
bool
spirv_is(const void *bytes, size_t size);

/* Reads the header and the declarations.  False: it is malformed, or has what
 * spirv.def does not list; then `why` says what was found and what was expected. */
bool
spirv_read(struct spirv *m, const void *bytes, size_t size);

/* Whether pointers have as many bits as the device's; `why` is set if not. */
bool
spirv_fits(struct spirv *m, unsigned address_bits);

/* The size of the specialization constant in bytes, 1 for a bool; 0: there is none. */
size_t
spirv_constant_B(const struct spirv *m, uint32_t spec_id);

/* Types of specialization constants; SPIRV_NONE: no such constant. */
enum spirv_kind { SPIRV_NONE, SPIRV_BOOL, SPIRV_INTEGER, SPIRV_REAL };

enum spirv_kind
spirv_constant_kind(const struct spirv *m, uint32_t spec_id);

/* Gives a specialization constant another default, in the bytes of a module that
 * spirv_read has taken.  `value` has spirv_constant_B bytes, little-endian. */
void
spirv_specialise(void *bytes, size_t size, uint32_t spec_id, const void *value);

/*
 * Copies a module in little-endian words, without what SPV_INTEL_memory_access_aliasing
 * has, which are hints: spirv-val of 2023 takes them for instructions outside of a block.
 * `to` has room for `size` bytes; returns how many there are.
 */
size_t
spirv_copy(void *to, const void *bytes, size_t size);
