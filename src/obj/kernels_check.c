/* SPDX-License-Identifier: Apache-2.0 */
#include "obj/kernels_check.h"

#include <string.h>

enum { MAX_ARG_SIZE = 64 * 1024, MAX_ALIGN = 4096 };

/* The size of an address in the argument buffer (abi.md, Version 2); 0: a value of any
 * size. */
static uint32_t
address_B(enum kernel_arg_kind kind, unsigned isa)
{
    switch (kind) {
    case KERNEL_ARG_GLOBAL:
    case KERNEL_ARG_CONSTANT:
    case KERNEL_ARG_IMAGE:
        return isa == 2 ? 8 : 4;
    case KERNEL_ARG_LOCAL:
    case KERNEL_ARG_SAMPLER:
        return 4;
    case KERNEL_ARG_VALUE:
    case KERNEL_ARG_KINDS:
        return 0;
    }
    return 0;
}

const char *
kernels_check_address(const struct kernel_arg *arg, unsigned isa)
{
    uint32_t size = address_B(arg->kind, isa);
    if (!size || (arg->size_B == size && arg->align_B == size))
        return NULL;
    return size == 8 ? "size and alignment: expected 8 bytes for an address"
                     : "size and alignment: expected 4 bytes for an address";
}

const char *
kernels_check_arg(const struct kernel_arg *arg)
{
    if ((unsigned)arg->kind >= KERNEL_ARG_KINDS)
        return "unknown kind";
    if ((unsigned)arg->access >= KERNEL_ACCESSES)
        return "unknown access qualifier";
    if (arg->qualifiers & ~(unsigned)KERNEL_ARG_QUALIFIERS)
        return "unknown type qualifier";
    if (!arg->align_B || (arg->align_B & (arg->align_B - 1)) ||
        arg->align_B > MAX_ALIGN)
        return "alignment: expected a power of two, at most 4096";
    if (!arg->size_B || arg->size_B > MAX_ARG_SIZE)
        return "size: expected 1 to 65536 bytes";
    return NULL;
}

/* Whether sizes are those of a work-group: all zero for "not given", else three sizes. */
static bool
is_group_size(const uint32_t size[3])
{
    int given = (size[0] != 0) + (size[1] != 0) + (size[2] != 0);
    return given == 0 || given == 3;
}

const char *
kernels_check(const struct kernel_info *kernel)
{
    if (!kernel->name || !*kernel->name)
        return "no name";
    if (kernel->isa != 1 && kernel->isa != 2)
        return "version of the instruction set: expected 1 or 2";
    if (kernel->sgprs % 4 || kernel->sgprs > 64)
        return "scalar registers: expected a multiple of 4, at most 64";
    if (kernel->vgprs % 4 || kernel->vgprs > 256)
        return "vector registers: expected a multiple of 4, at most 256";
    if (kernel->local_B > 0x10000000)
        return "local memory: expected at most 256 MiB";
    if (kernel->exchange_at > kernel->local_B ||
        kernel->exchange_B > kernel->local_B - kernel->exchange_at)
        return "place of exchange: expected one within its local memory";
    if (kernel->private_B > 0x10000000)
        return "private memory: expected at most 256 MiB";
    if (!is_group_size(kernel->required_wg) || !is_group_size(kernel->hint_wg))
        return "work-group size: expected three sizes or none";
    const uint32_t lanes = kernel->required_sub_group;
    if (lanes > 64 || (lanes & (lanes - 1)))
        return "size of sub-groups: expected 0 or a power of two, at most 64";
    return NULL;
}

const struct kernel_info *
kernels_find(const struct kernel_list *list, const char *name)
{
    for (size_t i = 0; i < list->n; i++)
        if (strcmp(list->at[i].name, name) == 0)
            return &list->at[i];
    return NULL;
}

uint64_t
kernels_lay_out_args(const struct kernel_info *kernel, uint64_t *offset_B)
{
    uint64_t end = 0;
    for (size_t i = 0; i < kernel->n_args; i++) {
        const struct kernel_arg *arg = &kernel->args[i];
        uint64_t align = arg->align_B < 4 ? 4 : arg->align_B;
        end = (end + align - 1) & ~(align - 1);
        if (offset_B)
            offset_B[i] = end;
        end += arg->size_B;
    }
    return (end + 3) & ~(uint64_t)3;
}
