/* SPDX-License-Identifier: Apache-2.0 */
/*
 * .ventus_kernel name, sgpr=16, vgpr=8, local=0, private=0: the resources of
 * a kernel, with which a driver starts it.
 * .ventus_arg kind, size=4, align=4, name="x", type="float*": its arguments
 * in order, written by compilers.
 * .ventus_function name, sgpr=16, vgpr=8, private=0, stack=0, calls=other:
 * the resources of a function that kernels of other objects call.
 */
#include <assert.h>

#include "asm/expr.h"
#include "asm/kernel.h"
#include "asm/symbol.h"

/* `name=number`, 0 to `most`; a multiple of 4 if it is rounded up to one. */
struct setting {
    const char *name;
    uint32_t *to;
    uint32_t most;
    bool fours;
    const char **text; /* or a string, then that */
};

/* The settings of a directive, and what they are called together. */
struct settings {
    const struct setting *at;
    size_t n;
    const char *expected;
};

/* The number of the setting `name`, after its '='. */
static bool
read_number(struct assembler *a, const struct setting *s)
{
    int64_t v;
    const char *at = a->p;
    if (s->text) {
        lex_blanks(a);
        *s->text = lex_string_copy(a, NULL);
        return *s->text != NULL;
    }
    if (!expr_number(a, &v))
        return false;
    if (v < 0 || v > s->most) {
        asm_error(a, at, "%s=%lld is outside 0..%u", s->name, (long long)v,
                  s->most);
        return false;
    }
    assert(!s->fours || s->most % 4 == 0); /* rounding stays below it */
    *s->to = (uint32_t)v;
    if (s->fours)
        *s->to = (*s->to + 3) & ~3u;
    return true;
}

/* `, name=value` as often as there are; `calls=name` if `calls` is there. */
static bool
read_setting(struct assembler *a, const struct settings *all,
             struct function_calls *calls)
{
    lex_blanks(a);
    struct span name = lex_name(a);
    for (size_t i = 0; i < all->n; i++)
        if (span_is(name, all->at[i].name))
            return lex_expect(a, '=') && read_number(a, &all->at[i]);
    if (!calls || !span_is(name, "calls")) {
        asm_error(a, name.at, "expected %s, found %s", all->expected,
                  lex_found(a, name.at));
        return false;
    }
    if (!lex_expect(a, '='))
        return false;
    struct span callee = lex_symbol_name(a, "the name of a function");
    if (!callee.n)
        return false;
    vec_push(a->arena, calls,
             ((struct function_call){
                 .callee = arena_strndup(a->arena, callee.at, callee.n) }));
    return true;
}

static bool
read_settings(struct assembler *a, const struct settings *all,
              struct function_calls *calls)
{
    while (lex_take(a, ','))
        if (!read_setting(a, all, calls))
            return false;
    return true;
}

/* A global function from now on. */
static void
make_function(struct symbol *s)
{
    s->global = true;
    s->type = ELF_STT_FUNC;
}

bool
kernel_directive(struct assembler *a, int argument)
{
    (void)argument;
    struct span name = lex_symbol_name(a, "the name of a kernel");
    if (!name.n)
        return false;
    struct kernel_info k = { .name = arena_strndup(a->arena, name.at, name.n),
                             .isa = a->version,
                             .sgprs = 64,
                             .vgprs = 64 };
    uint32_t uniform = 0, exact = 0;
    /* The hardware allocates registers in fours. */
    const struct setting settings[] = {
        { "sgpr", &k.sgprs, 64, true, NULL },
        { "vgpr", &k.vgprs, 256, true, NULL },
        { "local", &k.local_B, MAX_OUTPUT, false, NULL },
        { "private", &k.private_B, MAX_OUTPUT, false, NULL },
        { "spills", &k.spills, UINT32_MAX, false, NULL },
        { "group_x", &k.required_wg[0], UINT32_MAX, false, NULL },
        { "group_y", &k.required_wg[1], UINT32_MAX, false, NULL },
        { "group_z", &k.required_wg[2], UINT32_MAX, false, NULL },
        { "hint_x", &k.hint_wg[0], UINT32_MAX, false, NULL },
        { "hint_y", &k.hint_wg[1], UINT32_MAX, false, NULL },
        { "hint_z", &k.hint_wg[2], UINT32_MAX, false, NULL },
        { "sub_group", &k.required_sub_group, 64, false, NULL },
        { "exchange_at", &k.exchange_at, MAX_OUTPUT, false, NULL },
        { "exchange", &k.exchange_B, MAX_OUTPUT, false, NULL },
        { "uniform", &uniform, 1, false, NULL },
        { "exact_atomics", &exact, 1, false, NULL },
        { "hint_type", NULL, 0, false, &k.hint_type },
    };
    const struct settings all = { settings, sizeof settings / sizeof *settings,
                                  "sgpr=, vgpr=, local= or private=" };
    if (!read_settings(a, &all, NULL))
        return false;
    k.uniform_groups = uniform;
    k.exact_atomics = exact;
    struct symbol *symbol = symbol_get(a, name);
    if (symbol->is_kernel) {
        asm_error(a, name.at, "kernel '%s' is already described", k.name);
        return false;
    }
    symbol->is_kernel = true;
    make_function(symbol);
    vec_push(a->arena, &a->kernels, k);
    return true;
}

static bool
read_kind(struct assembler *a, struct kernel_arg *arg)
{
    static const char *const kinds[KERNEL_ARG_KINDS] = {
        "value", "global", "constant", "local", "image", "sampler"
    };
    lex_blanks(a);
    struct span name = lex_name(a);
    for (unsigned i = 0; i < KERNEL_ARG_KINDS; i++)
        if (span_is(name, kinds[i])) {
            arg->kind = (enum kernel_arg_kind)i;
            return true;
        }
    asm_error(a, name.at,
              "expected value, global, constant, local, image or sampler, "
              "found %s",
              lex_found(a, name.at));
    return false;
}

/* Reads an argument of the kernel before it. */
bool
argument_directive(struct assembler *a, int argument)
{
    (void)argument;
    struct kernel_arg arg = { .size_B = 4, .align_B = 4 };
    uint32_t access = 0, qualifiers = 0;
    const struct setting settings[] = {
        { "size", &arg.size_B, MAX_OUTPUT, false, NULL },
        { "align", &arg.align_B, MAX_OUTPUT, false, NULL },
        { "access", &access, KERNEL_ACCESSES - 1, false, NULL },
        { "qualifiers", &qualifiers, KERNEL_ARG_QUALIFIERS, false, NULL },
        { "name", NULL, 0, false, &arg.name },
        { "type", NULL, 0, false, &arg.type_name },
    };
    const struct settings all = {
        settings, sizeof settings / sizeof *settings,
        "size=, align=, access=, qualifiers=, name= or type="
    };
    if (!a->kernels.n) {
        asm_error(a, a->start, "there is no .ventus_kernel before it");
        return false;
    }
    if (!read_kind(a, &arg) || !read_settings(a, &all, NULL))
        return false;
    arg.access = (enum kernel_arg_access)access;
    arg.qualifiers = qualifiers;
    struct kernel_info *k = &a->kernels.at[a->kernels.n - 1];
    vec_push(a->arena, &a->kernel_args, arg);
    k->n_args++;
    return true;
}

/* The list moved while it grew: each kernel finds its part at the end. */
void
kernel_place_arguments(struct assembler *a)
{
    size_t n = 0;
    for (size_t i = 0; a->kernel_args.n && i < a->kernels.n; i++) {
        a->kernels.at[i].args = a->kernel_args.at + n;
        n += a->kernels.at[i].n_args;
    }
    assert(n == a->kernel_args.n);
}

bool
function_directive(struct assembler *a, int argument)
{
    (void)argument;
    struct span name = lex_symbol_name(a, "the name of a function");
    if (!name.n)
        return false;
    struct function_calls calls = { 0 };
    uint32_t frame_B = UINT32_MAX, frame_stack_B = UINT32_MAX;
    struct function_info f = { .name = arena_strndup(a->arena, name.at, name.n),
                               .sgprs = FUNCTION_SGPRS,
                               .vgprs = FUNCTION_VGPRS,
                               .private_B = FUNCTION_PRIVATE_B,
                               .stack_B = FUNCTION_STACK_B };
    const struct setting settings[] = {
        { "sgpr", &f.sgprs, 64, false, NULL },
        { "vgpr", &f.vgprs, 256, false, NULL },
        { "private", &f.private_B, MAX_OUTPUT, true, NULL },
        { "stack", &f.stack_B, FUNCTION_STACK_MAX_B, true, NULL },
        { "frame", &frame_B, MAX_OUTPUT, true, NULL },
        { "frame_stack", &frame_stack_B, FUNCTION_STACK_MAX_B, true, NULL },
    };
    const struct settings all = { settings, sizeof settings / sizeof *settings,
                                  "sgpr=, vgpr=, private=, stack= or calls=" };
    if (!read_settings(a, &all, &calls))
        return false;
    struct symbol *symbol = symbol_get(a, name);
    if (symbol->is_function) {
        asm_error(a, name.at, "function '%s' is already described", f.name);
        return false;
    }
    symbol->is_function = true;
    /* At a call tp and sp are after all that it uses itself, or where its
     * compiler says. */
    for (size_t i = 0; i < calls.n; i++) {
        calls.at[i].private_B = frame_B == UINT32_MAX ? f.private_B : frame_B;
        calls.at[i].stack_B =
            frame_stack_B == UINT32_MAX ? f.stack_B : frame_stack_B;
    }
    f.calls = calls.at;
    f.n_calls = calls.n;
    make_function(symbol);
    vec_push(a->arena, &a->functions, f);
    return true;
}
