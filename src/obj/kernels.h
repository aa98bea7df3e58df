/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "obj/elf.h"

/* Limit of a name that is read, in characters. */
enum { KERNELS_NAME_MAX = 4096 };

/*
 * The section .ventus.kernels of an object: a descriptor for each kernel, from which a
 * driver starts it and a runtime answers queries about its arguments.  The compiler
 * and the assembler write it, the linker concatenates the sections of all objects,
 * kernels_read reads them all.  The entry of a kernel is the symbol of its name.
 * Format: docs/abi.md.
 *
 *     struct kernel_arg args[] = {
 *         { .name = "a", .type_name = "float*", .kind = KERNEL_ARG_GLOBAL,
 *           .size_B = 4, .align_B = 4 },
 *     };
 *     struct kernel_info k = { .name = "scale", .isa = 1, .sgprs = 16,
 *                              .vgprs = 8, .args = args, .n_args = 1 };
 *     ok = kernels_write(&o, "scale.o", &k, 1, &sink);
 */
/* Name of the lock words, 0 when free, that compiled 64-bit atomics acquire. */
#define KERNELS_LOCKS "__ventus_locks"

/* Where the metadata of a launch have the address of its print buffer, in bytes. */
enum { KERNELS_PRINT_AT = 48 };

enum kernel_arg_kind {
    KERNEL_ARG_VALUE,    /* a value, stored in the argument buffer */
    KERNEL_ARG_GLOBAL,   /* an address in global memory */
    KERNEL_ARG_CONSTANT, /* an address in global memory that is only read */
    KERNEL_ARG_LOCAL,    /* an address in local memory; the host gives a size */
    KERNEL_ARG_IMAGE,    /* the address of a descriptor */
    KERNEL_ARG_SAMPLER,  /* a word of flags */
    KERNEL_ARG_KINDS
};

enum kernel_arg_access {
    KERNEL_ACCESS_NONE, /* no image */
    KERNEL_ACCESS_READ_ONLY,
    KERNEL_ACCESS_WRITE_ONLY,
    KERNEL_ACCESS_READ_WRITE,
    KERNEL_ACCESSES
};

enum kernel_arg_qualifiers {
    KERNEL_ARG_CONST = 1,
    KERNEL_ARG_RESTRICT = 2,
    KERNEL_ARG_VOLATILE = 4,
    KERNEL_ARG_PIPE = 8,
    KERNEL_ARG_QUALIFIERS = 15 /* all of them */
};

struct kernel_arg {
    const char *name, *type_name; /* "" or NULL: not recorded */
    enum kernel_arg_kind kind;
    enum kernel_arg_access access;
    unsigned qualifiers;      /* enum kernel_arg_qualifiers */
    uint32_t size_B, align_B; /* size and alignment in the argument buffer */
};

struct kernel_info {
    const char *name;
    unsigned isa; /* version of the instruction set, 1 or 2 */
    /* Registers in use, multiples of 4, at most 64 and 256. */
    unsigned sgprs, vgprs;
    uint32_t local_B;   /* local memory of the kernel, without arguments */
    uint32_t private_B; /* private memory per thread */
    uint32_t required_wg[3], hint_wg[3]; /* work-group size, or all zero */
    /* Lanes of a sub-group, a power of two, at most 64; 0: those of a warp. */
    uint32_t required_sub_group;
    uint32_t spills;     /* instructions that save or restore registers */
    bool uniform_groups; /* right only where local sizes divide global sizes */
    /* All atomic accesses of local memory are atomic instructions. */
    bool exact_atomics;
    /* A range of local_B that only library functions use (lib/collective.cl). */
    uint32_t exchange_at, exchange_B;
    /* Operand of vec_type_hint: "float4"; "" or NULL: none. */
    const char *hint_type;
    const struct kernel_arg *args;
    size_t n_args;
};

/* Adds the section.  False, with nothing added and errors about `file`, if a kernel is
 * invalid. */
bool
kernels_write(struct elf_out *o, const char *file,
              const struct kernel_info *kernels, size_t n,
              struct diag_sink *sink);

struct kernel_list {
    const struct kernel_info *at;
    size_t n;
};

/* Reads all kernels of an object or a linked file; a file without kernels is no error.
 * Names point into the image. */
bool
kernels_read(struct arena *a, const struct elf *elf, struct kernel_list *list,
             struct diag_sink *sink);

/* Sets registers and private memory of the kernel with the name of *kernel to those of
 * *kernel, in the file's image, which kernels_read has read.  False, and an error, if
 * they are invalid. */
bool
kernels_rewrite(const struct elf *elf, uint8_t *image,
                const struct kernel_info *kernel, struct diag_sink *sink);

const struct kernel_info *
kernels_find(const struct kernel_list *list, const char *name);

/* Lays out the argument buffer: each argument, in order, at the next multiple of its
 * alignment.  Returns the size of the buffer, a multiple of 4.  `offset_B` receives
 * n_args offsets, or is NULL. */
uint64_t
kernels_lay_out_args(const struct kernel_info *kernel, uint64_t *offset_B);
