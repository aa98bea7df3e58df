/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "obj/kernels.h"

/* The layout of .ventus.kernels, docs/abi.md; private to kernels_*.c. */
static const char kernels_section[] = ".ventus.kernels";
enum {
    KERNELS_MAGIC = 0x4e4b5456, /* "VTKN" */
    KERNELS_VERSION = 1,
    KERNELS_HEADER_SIZE = 32,
    KERNELS_KERNEL_SIZE = 80,
    KERNELS_KERNEL_EXCHANGE = 76, /* without the size of sub-groups */
    KERNELS_KERNEL_FLAGS = 68,    /* without the exchange range */
    KERNELS_KERNEL_LEAST = 64,    /* without flags */
    KERNELS_ARG_SIZE = 20,
};

/* Bits of a kernel's flags. */
enum { KERNELS_UNIFORM_GROUPS = 1, KERNELS_EXACT_ATOMICS = 2 };

/* The error in an argument, or NULL: writers and readers use the same check. */
const char *
kernels_check_arg(const struct kernel_arg *arg);

/* The error in the address size of an argument for this version of the ISA, or NULL. */
const char *
kernels_check_address(const struct kernel_arg *arg, unsigned isa);

const char *
kernels_check(const struct kernel_info *kernel);
