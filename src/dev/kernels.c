/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of a program: from its records or its symbols, and found by name. */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/spelling.h"
#include "base/text.h"
#include "dev/error.h"
#include "dev/program_state.h"
#include "obj/report.h"

enum { DEFAULT_SGPRS = 64, DEFAULT_VGPRS = 256 };

/* Registers of a warp of a described kernel: 0 would ask machines for all. */
static uint32_t
registers(uint32_t used)
{
    return used ? (used + 3) & ~3u : 4;
}

static void
copy_params(struct arena *a, struct ventus_dev_kernel *to,
            const struct kernel_info *from)
{
    struct ventus_dev_param *p =
        arena_new(a, struct ventus_dev_param, from->n_args);
    for (size_t i = 0; i < from->n_args; i++) {
        const struct kernel_arg *k = &from->args[i];
        p[i] = (struct ventus_dev_param){
            .name = k->name ? k->name : "",
            .type_name = k->type_name ? k->type_name : "",
            .kind = (enum ventus_dev_param_kind)k->kind,
            .access = k->access,
            .qualifiers = k->qualifiers,
            .size_B = k->size_B,
            .align_B = k->align_B,
        };
    }
    to->params = p;
    to->n_params = from->n_args;
}

static uint32_t
hash_name(const char *name)
{
    return hash_bytes(name, strnlen(name, KERNELS_NAME_MAX + 1));
}

/* Finds a symbol as elf_find_symbol does: a file may have a million of them, and of
 * kernels. */
static const struct elf_symbol *
find_symbol(const struct elf *elf, const struct hash_index *index,
            const char *name)
{
    uint32_t row;
    hash_each (index, hash_name(name), row)
        if (strcmp(elf->symbol[row].name, name) == 0)
            return &elf->symbol[row];
    return NULL;
}

static void
index_symbols(const struct elf *elf, struct hash_index *index)
{
    for (size_t i = 1; i < elf->n_symbols; i++) {
        const struct elf_symbol *s = &elf->symbol[i];
        if (s->section &&
            strnlen(s->name, KERNELS_NAME_MAX + 1) <= KERNELS_NAME_MAX &&
            !find_symbol(elf, index, s->name))
            hash_add(index, hash_name(s->name), i);
    }
}

/* Whether the device has the lanes of the sub-groups that a kernel requires, which are
 * warps or equal parts of them. */
static bool
sub_groups_fit(struct ventus_dev_program *p, const struct kernel_info *k,
               struct diag_sink *sink)
{
    uint64_t lanes = p->dev->config.value[CONFIG_num_thread];
    if (k->required_sub_group <= lanes)
        return true;
    diag_report(
        sink, DIAG_ERROR, (struct diag_at){ .file = p->name },
        "kernel '%s' requires sub-groups of %" PRIu32
        " work-items; this device has warps of %" PRIu64 " (num_thread)",
        report_printable(&p->arena, k->name), k->required_sub_group, lanes);
    return false;
}

bool
program_add_described(struct ventus_dev_program *p,
                      const struct kernel_list *list, struct diag_sink *sink)
{
    struct hash_index index = { .arena = &p->arena };
    index_symbols(&p->elf, &index);
    p->kernel = arena_new(&p->arena, struct ventus_dev_kernel, list->n);
    for (size_t i = 0; i < list->n; i++) {
        const struct kernel_info *k = &list->at[i];
        const struct elf_symbol *s = find_symbol(&p->elf, &index, k->name);
        if (!s) {
            diag_report(sink, DIAG_ERROR, (struct diag_at){ .file = p->name },
                        "kernel '%s' has no symbol",
                        report_printable(&p->arena, k->name));
            return false;
        }
        if (!sub_groups_fit(p, k, sink))
            return false;
        p->kernel[p->n_kernels++] = (struct ventus_dev_kernel){
            .name = k->name,
            .program = p,
            .entry = s->value,
            .isa = k->isa,
            .sgprs = registers(k->sgprs),
            .vgprs = registers(k->vgprs),
            .local_B = k->local_B,
            .private_B = k->private_B,
            .required_sub_group = k->required_sub_group,
            .spills = k->spills,
            .hint_type = k->hint_type,
            .uniform_groups = k->uniform_groups,
            .exchange_at = k->exchange_at,
            .exchange_B = k->exchange_B,
            .exact_atomics = k->exact_atomics,
            .recorded = true,
        };
        assert(p->n_kernels <= list->n);
        struct ventus_dev_kernel *to = &p->kernel[p->n_kernels - 1];
        memcpy(to->required_wg, k->required_wg, sizeof to->required_wg);
        memcpy(to->hint_wg, k->hint_wg, sizeof to->hint_wg);
        copy_params(&p->arena, to, k);
    }
    return true;
}

static bool
may_be_kernel(const struct elf *elf, const struct elf_symbol *s)
{
    if (s->section == ELF_SHN_UNDEF || s->section >= elf->n_sections ||
        s->binding == ELF_STB_LOCAL || !s->name[0] ||
        (s->type != ELF_STT_FUNC && s->type != ELF_STT_NOTYPE))
        return false;
    return (elf->section[s->section].flags & ELF_SHF_EXEC) &&
           strcmp(s->name, "_start") != 0;
}

void
program_add_symbols(struct ventus_dev_program *p)
{
    p->kernel =
        arena_new(&p->arena, struct ventus_dev_kernel, p->elf.n_symbols);
    for (size_t i = 0; i < p->elf.n_symbols; i++) {
        const struct elf_symbol *s = &p->elf.symbol[i];
        if (!may_be_kernel(&p->elf, s))
            continue;
        p->kernel[p->n_kernels++] = (struct ventus_dev_kernel){
            .name = s->name,
            .program = p,
            .entry = s->value,
            .isa = p->isa,
            .sgprs = DEFAULT_SGPRS,
            .vgprs = DEFAULT_VGPRS,
            .private_B = (uint32_t)p->dev->config.value[CONFIG_private_size],
            .hint_type = "",
        };
    }
}

static const struct ventus_dev_kernel *
find_kernel(const struct ventus_dev_program *p, const char *name)
{
    uint32_t row;
    hash_each (&p->by_name, hash_name(name), row)
        if (strcmp(p->kernel[row].name, name) == 0)
            return &p->kernel[row];
    return NULL;
}

void
program_index_kernels(struct ventus_dev_program *p)
{
    p->by_name.arena = &p->arena;
    for (size_t i = 0; i < p->n_kernels; i++) {
        const char *name = p->kernel[i].name;
        if (strnlen(name, KERNELS_NAME_MAX + 1) <= KERNELS_NAME_MAX &&
            !find_kernel(p, name))
            hash_add(&p->by_name, hash_name(name), i);
    }
}

const struct ventus_dev_kernel *
ventus_dev_kernels(const struct ventus_dev_program *p, size_t *count)
{
    *count = p->n_kernels;
    return p->kernel;
}

static void
fail_to_find(const struct ventus_dev_program *p, const char *name)
{
    enum { ALL = 16, SOME = 4 };
    char list[1024] = "";
    size_t n = p->n_kernels, shown = n <= ALL ? n : SOME;
    struct spelling nearest = { .word = name };
    for (size_t i = 0; name && i < n; i++)
        spelling_offer(&nearest, p->kernel[i].name);
    for (size_t i = 0; i < shown; i++)
        text_append_item(list, sizeof list, "%s%s", i ? ", " : "",
                         p->kernel[i].name);
    if (shown < n)
        text_append_item(list, sizeof list, ", %zu in all", n);
    if (!n)
        dev_fail("%s: expected a kernel, found none: of OpenCL C a function "
                 "'kernel void', of assembly a label with .globl",
                 p->name);
    else if (!name)
        dev_fail("%s: expected the name of a kernel (%s)", p->name, list);
    else
        dev_fail("%s: no kernel '%s'%s%s%s (%s)", p->name, name,
                 nearest.name ? ", did you mean '" : "",
                 nearest.name ? nearest.name : "", nearest.name ? "'?" : "",
                 list);
}

const struct ventus_dev_kernel *
ventus_dev_find(const struct ventus_dev_program *p, const char *name)
{
    const struct ventus_dev_kernel *k = name ? find_kernel(p, name) : NULL;
    if (k)
        return k;
    /* The symbols that are no recorded kernels may have names of any length. */
    if (name && strnlen(name, KERNELS_NAME_MAX + 1) > KERNELS_NAME_MAX)
        for (size_t i = 0; i < p->n_kernels; i++)
            if (strcmp(p->kernel[i].name, name) == 0)
                return &p->kernel[i];
    if (!name && p->n_kernels == 1)
        return &p->kernel[0];
    fail_to_find(p, name);
    return NULL;
}
