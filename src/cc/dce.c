/* SPDX-License-Identifier: Apache-2.0 */
/* SSA: removes pure instructions whose result nothing uses; marks and sweeps. */
#include <assert.h>

#include "cc/cc.h"
#include "cc/passes.h"

void
cc_dce(struct cc *c)
{
    assert(c->f->form <= IR_FORM_VECTOR && "the function is in SSA form");
    struct ir_func *f = c->f;
    struct arena_mark mark = arena_mark(f->arena);
    bool *live = arena_new(f->arena, bool, f->values.n);
    ir_val *work = arena_new(f->arena, ir_val, f->values.n + 1);
    ir_val **at = arena_new(f->arena, ir_val *, ir_max_sources(f));
    size_t n = 0;
    ir_foreach_block (f, b)
        ir_foreach_insn (b, in) {
            if (ir_is_pure(in))
                continue;
            for (unsigned i = ir_sources(in, at); i-- > 0;)
                if (!live[*at[i]]) {
                    live[*at[i]] = true;
                    work[n++] = *at[i];
                }
        }
    while (n) {
        assert(n <= f->values.n);
        struct ir_insn *in = ir_value(f, work[--n])->def;
        for (unsigned i = in ? ir_sources(in, at) : 0; i-- > 0;)
            if (!live[*at[i]]) {
                live[*at[i]] = true;
                work[n++] = *at[i];
            }
    }
    ir_foreach_block (f, b)
        ir_foreach_insn_safe (b, in)
            if (ir_is_pure(in) && in->dst && !live[in->dst])
                ir_remove(in);
    arena_reset(f->arena, mark);
}
