/* SPDX-License-Identifier: Apache-2.0 */
#include "asm/expand.h"

#include "asm/directive.h"
#include "asm/expansion.h"
#include "asm/statement.h"

bool
asm_expand(const struct ventus_asm_options *options, const char *text,
           size_t size, asm_replace_fn *replace, struct buf *out,
           struct arena *arena, struct diag_sink *sink)
{
    struct assembler *a = arena_new(arena, struct assembler, 1);
    struct expansion expansion = { .replace = replace, .out = out };
    a->options = options;
    a->arena = arena;
    a->sink = sink;
    a->expansion = &expansion;
    a->last_section = &a->sections;
    directive_fill(a);
    expansion_unknown_address(a);
    for (size_t i = 0; i < options->define_count; i++)
        statement_define(a, options->defines[i]);
    statement_read(a, text, size);
    return sink->errors == 0;
}
