/* SPDX-License-Identifier: Apache-2.0 */
/*
 * .ventus_kernel name, sgpr=16, vgpr=8, local=0, private=0: what a driver
 * must know to start a kernel that was written by hand.
 * .ventus_function name, sgpr=16, vgpr=8, private=0, stack=0, calls=other:
 * what a function needs that kernels of other objects call.
 */
#include <assert.h>

#include "asm/expr.h"
#include "asm/finish.h"
#include "asm/symbol.h"

/* `name=number`, 0 to `most`; a multiple of 4 if it is rounded up to one. */
struct setting {
    const char *name;
    uint32_t *to;
    uint32_t most;
    bool fours;
};

/* The number of the setting `name`, behind its '='. */
static bool
read_number(struct assembler *a, const struct setting *s)
{
    int64_t v;
    const char *at = a->p;
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

/* One of n settings, or `calls=name` if `calls` is there. */
static bool
read_setting(struct assembler *a, const struct setting *settings, size_t n,
             struct function_calls *calls, const char *expected)
{
    lex_blanks(a);
    struct span name = lex_name(a);
    for (size_t i = 0; i < n; i++)
        if (span_is(name, settings[i].name))
            return lex_expect(a, '=') && read_number(a, &settings[i]);
    if (!calls || !span_is(name, "calls")) {
        asm_error(a, name.at, "expected %s, found %s", expected,
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
    /* The hardware gives out registers in fours. */
    const struct setting settings[] = {
        { "sgpr", &k.sgprs, 64, true },
        { "vgpr", &k.vgprs, 256, true },
        { "local", &k.local_B, MAX_OUTPUT, false },
        { "private", &k.private_B, MAX_OUTPUT, false },
    };
    while (lex_take(a, ','))
        if (!read_setting(a, settings, sizeof settings / sizeof *settings, NULL,
                          "sgpr=, vgpr=, local= or private="))
            return false;
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

bool
function_directive(struct assembler *a, int argument)
{
    (void)argument;
    struct span name = lex_symbol_name(a, "the name of a function");
    if (!name.n)
        return false;
    struct function_calls calls = { 0 };
    struct function_info f = { .name = arena_strndup(a->arena, name.at, name.n),
                               .sgprs = FUNCTION_SGPRS,
                               .vgprs = FUNCTION_VGPRS,
                               .private_B = FUNCTION_PRIVATE_B,
                               .stack_B = FUNCTION_STACK_B };
    const struct setting settings[] = {
        { "sgpr", &f.sgprs, 64, false },
        { "vgpr", &f.vgprs, 256, false },
        { "private", &f.private_B, MAX_OUTPUT, true },
        { "stack", &f.stack_B, FUNCTION_STACK_MOST_B, true },
    };
    while (lex_take(a, ','))
        if (!read_setting(a, settings, sizeof settings / sizeof *settings,
                          &calls, "sgpr=, vgpr=, private=, stack= or calls="))
            return false;
    struct symbol *symbol = symbol_get(a, name);
    if (symbol->is_function) {
        asm_error(a, name.at, "function '%s' is already described", f.name);
        return false;
    }
    symbol->is_function = true;
    /* At a call tp and sp are behind all that it uses itself. */
    for (size_t i = 0; i < calls.n; i++) {
        calls.at[i].private_B = f.private_B;
        calls.at[i].stack_B = f.stack_B;
    }
    f.calls = calls.at;
    f.n_calls = calls.n;
    make_function(symbol);
    vec_push(a->arena, &a->functions, f);
    return true;
}
