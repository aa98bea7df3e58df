/* SPDX-License-Identifier: Apache-2.0 */
/*
 * .ventus_kernel name, sgpr=16, vgpr=8, local=0, private=0: what a driver
 * must know to start a kernel that was written by hand.
 */
#include "asm/expr.h"
#include "asm/finish.h"
#include "asm/symbol.h"

/* `name=number`, checked against `most` and rounded up to `unit`. */
static bool
read_setting(struct assembler *a, struct kernel_info *k)
{
    const struct {
        const char *name;
        uint32_t *bytes;
        unsigned *registers;
        int64_t most;
    } settings[] = {
        { "sgpr", NULL, &k->sgprs, 64 },
        { "vgpr", NULL, &k->vgprs, 256 },
        { "local", &k->local_B, NULL, MAX_OUTPUT },
        { "private", &k->private_B, NULL, MAX_OUTPUT },
    };
    int64_t v;
    lex_blanks(a);
    struct span name = lex_name(a);
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        if (!span_is(name, settings[i].name))
            continue;
        if (!lex_expect(a, '='))
            return false;
        const char *at = a->p;
        if (!expr_number(a, &v))
            return false;
        if (v < 0 || v > settings[i].most) {
            asm_error(a, at, "%s=%lld is outside 0..%lld", settings[i].name,
                      (long long)v, (long long)settings[i].most);
            return false;
        }
        /* The hardware gives out registers in fours. */
        if (settings[i].registers)
            *settings[i].registers = (unsigned)(v + 3) & ~3u;
        else
            *settings[i].bytes = (uint32_t)v;
        return true;
    }
    asm_error(a, name.at,
              "expected sgpr=, vgpr=, local= or private=, found "
              "%s",
              lex_found(a, name.at));
    return false;
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
    while (lex_take(a, ','))
        if (!read_setting(a, &k))
            return false;
    for (size_t i = 0; i < a->kernels.n; i++) {
        if (strcmp(a->kernels.at[i].name, k.name) == 0) {
            asm_error(a, name.at, "kernel '%s' is already described", k.name);
            return false;
        }
    }
    struct symbol *s = symbol_get(a, name);
    s->global = true;
    s->type = ELF_STT_FUNC;
    vec_push(a->arena, &a->kernels, k);
    return true;
}
