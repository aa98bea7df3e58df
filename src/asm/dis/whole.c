/* SPDX-License-Identifier: Apache-2.0 */
/* Symbols and records of an object as directives. */
#include "asm/dis/whole.h"

#include <inttypes.h>

#include "asm/dis/quote.h"
#include "obj/functions.h"
#include "obj/kernels.h"

static void
put_symbol(struct buf *out, struct arena *a, const struct elf_symbol *y)
{
    static const char *const types[] = {
        [ELF_STT_OBJECT] = "@object", [ELF_STT_FUNC] = "@function"
    };
    const char *name = dis_name(a, y->name);
    bool typed = y->type == ELF_STT_OBJECT || y->type == ELF_STT_FUNC;
    if (y->binding != ELF_STB_LOCAL)
        buf_printf(out, "    .%s %s\n",
                   y->binding == ELF_STB_WEAK ? "weak  " : "globl ", name);
    if (typed)
        buf_printf(out, "    .type   %s, %s\n", name, types[y->type]);
    if (y->size)
        buf_printf(out, "    .size   %s, %" PRIu64 "\n", name, y->size);
}

static void
put_setting(struct buf *out, const char *name, uint32_t value)
{
    if (value)
        buf_printf(out, ", %s=%" PRIu32, name, value);
}

static void
put_text(struct buf *out, const char *name, const char *text)
{
    if (!text || !*text)
        return;
    buf_printf(out, ", %s=", name);
    dis_put_quoted(out, text);
}

static void
put_argument(struct buf *out, const struct kernel_arg *arg)
{
    static const char *const kinds[KERNEL_ARG_KINDS] = {
        "value", "global", "constant", "local", "image", "sampler"
    };
    buf_printf(out, "    .ventus_arg %s, size=%" PRIu32 ", align=%" PRIu32,
               kinds[arg->kind], arg->size_B, arg->align_B);
    put_setting(out, "access", arg->access);
    put_setting(out, "qualifiers", arg->qualifiers);
    put_text(out, "name", arg->name);
    put_text(out, "type", arg->type_name);
    buf_put(out, "\n", 1);
}

static void
put_kernel(struct buf *out, struct arena *a, const struct kernel_info *k)
{
    buf_printf(out,
               "    .ventus_kernel %s, sgpr=%u, vgpr=%u, local=%" PRIu32
               ", private=%" PRIu32,
               dis_name(a, k->name), k->sgprs, k->vgprs, k->local_B,
               k->private_B);
    put_setting(out, "group_x", k->required_wg[0]);
    put_setting(out, "group_y", k->required_wg[1]);
    put_setting(out, "group_z", k->required_wg[2]);
    put_setting(out, "hint_x", k->hint_wg[0]);
    put_setting(out, "hint_y", k->hint_wg[1]);
    put_setting(out, "hint_z", k->hint_wg[2]);
    put_setting(out, "sub_group", k->required_sub_group);
    put_setting(out, "spills", k->spills);
    put_setting(out, "exchange_at", k->exchange_at);
    put_setting(out, "exchange", k->exchange_B);
    put_setting(out, "uniform", k->uniform_groups);
    put_setting(out, "exact_atomics", k->exact_atomics);
    put_text(out, "hint_type", k->hint_type);
    buf_put(out, "\n", 1);
    for (size_t i = 0; i < k->n_args; i++)
        put_argument(out, &k->args[i]);
}

static void
put_function(struct buf *out, struct arena *a, const struct function_info *f)
{
    buf_printf(out,
               "    .ventus_function %s, sgpr=%u, vgpr=%u, private=%" PRIu32
               ", stack=%" PRIu32,
               dis_name(a, f->name), f->sgprs, f->vgprs, f->private_B,
               f->stack_B);
    /* All calls are made with the same frame. */
    if (f->n_calls)
        buf_printf(out, ", frame=%" PRIu32 ", frame_stack=%" PRIu32,
                   f->calls[0].private_B, f->calls[0].stack_B);
    for (size_t i = 0; i < f->n_calls; i++)
        buf_printf(out, ", calls=%s", dis_name(a, f->calls[i].callee));
    buf_put(out, "\n", 1);
}

bool
dis_whole_head(struct buf *out, struct arena *a, const struct elf *elf,
               struct diag_sink *sink)
{
    struct kernel_list kernels;
    struct function_list functions;
    if (!kernels_read(a, elf, &kernels, sink) ||
        !functions_read(a, elf, &functions, sink))
        return false;
    for (size_t i = 1; i < elf->n_symbols; i++)
        if (elf->symbol[i].type != ELF_STT_SECTION && *elf->symbol[i].name)
            put_symbol(out, a, &elf->symbol[i]);
    for (size_t i = 0; i < kernels.n; i++)
        put_kernel(out, a, &kernels.at[i]);
    for (size_t i = 0; i < functions.n; i++)
        put_function(out, a, &functions.at[i]);
    return true;
}
