/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "obj/elf.h"

/*
 * The section .ventus.functions of an object: records of functions that other objects
 * call, and of kernels and functions that call them.  A record has the registers and
 * memory that the function itself uses, and for each call the offset of the callee's
 * memory.  The linker concatenates the sections of all objects; functions_settle sums
 * up the needs of each kernel with its callees.  Format: docs/abi.md.
 *
 *     struct function_call calls[] = { { "mix", 16, 4 } };
 *     struct function_info f = { .name = "scale", .sgprs = 16, .vgprs = 40,
 *                                .private_B = 16, .stack_B = 4,
 *                                .calls = calls, .n_calls = 1 };
 *     functions_write(&o, &f, 1);
 */
struct function_call {
    const char *callee;
    uint32_t private_B, stack_B; /* added to tp and sp for the call */
};

struct function_info {
    const char *name;
    unsigned sgprs, vgprs;       /* registers in use, at most 64 and 256 */
    uint32_t private_B, stack_B; /* per thread, per warp; multiples of 4 */
    const struct function_call *calls;
    size_t n_calls;
};

/* Needs that are assumed for a function without a record, and limits. */
enum {
    FUNCTION_SGPRS = 64,
    FUNCTION_VGPRS = 256,
    FUNCTION_PRIVATE_B = 1024,
    FUNCTION_STACK_B = 256,
    FUNCTION_STACK_MAX_B = 1024,       /* a warp's whole stack */
    FUNCTION_PRIVATE_MAX_B = 256 << 20 /* limit of a kernel: kernels_check */
};

/* Adds the section, unless there are no functions. */
void
functions_write(struct elf_out *o, const struct function_info *functions,
                size_t n);

struct function_list {
    const struct function_info *at;
    size_t n;
};

/* Reads all records of an object or a linked file; a file without records is no error. */
bool
functions_read(struct arena *a, const struct elf *elf,
               struct function_list *list, struct diag_sink *sink);

/* Adds to the records of a linked program's kernels the needs of all functions that
 * they call.  False, and errors about `file`, if a function calls itself, or a warp's
 * stack is too small. */
bool
functions_settle(struct arena *a, const char *file, uint8_t *image, size_t size,
                 struct diag_sink *sink);
