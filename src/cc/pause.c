/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A warp that waits in a loop fetches the loop again in each round.  Where fetch has a fixed
 * priority (docs/microarchitecture.md, Fetch) the warps that wait keep it busy, and one of a
 * higher slot, which has what they wait for, is never fetched.
 *
 * A warp that waits for a result asks for nothing once its buffer is full.  So each way back to
 * the start of such a loop has a pause (docs/decisions/0016-progress-in-a-warp.md, Pauses):
 *
 *     DIVIDE    Divisions, which the SFU makes one at a time, of all warps of an SM.  With n
 *               warps that wait a round takes n pauses, and they fetch n rounds meanwhile: if a
 *               pause has more cycles than a round has fetches, some are left for the others,
 *               whatever n is.
 *     MULTIPLY  Multiplications, each of the result before.  Where the lowest operand
 *               collector goes first, and a division that waits for the SFU holds up all
 *               above it, units must not be full.  Enough for eight warps.
 */
#include "cc/pause.h"

#include <assert.h>

const char *const cc_pause_names[] = {
    [CC_PAUSE_NONE] = "none",
    [CC_PAUSE_DIVIDE] = "divide",
    [CC_PAUSE_MULTIPLY] = "multiply",
    NULL,
};

/*
 * The quotient has as many bits as the hardware makes one by one: a division takes 37 cycles.
 * A pair of instructions takes a fetch, and two that find the buffer full; a branch that is
 * taken, or a join, those that are on their way when it empties the buffer.
 */
enum {
    DIVIDEND = 1 << 30,
    DIVISION_CYCLES = 37,
    BRANCH_FETCHES = 6,
    MULTIPLICATIONS = 24
};

/* Inserts an instruction before the jump at the end of b. */
static struct ir_insn *
put_insn(struct ir_func *f, struct ir_block *b, unsigned op, bool has_result)
{
    struct ir_insn *in = ir_insn_new(f, op);
    assert(b->last && !b->succ[1] && "a way back of its own");
    ir_insert_before(b->last, in);
    ir_place_like(in, b->last);
    in->is_volatile = ir_is_isa(op); /* what it is for is its time, here */
    if (has_result)
        ir_set_dst(f, in, ir_value_new(f, IR_S, 1));
    return in;
}

static ir_val
put_constant(struct ir_func *f, struct ir_block *b, int32_t x)
{
    struct ir_insn *in = put_insn(f, b, IR_CONST, true);
    in->imm = x;
    return in->dst;
}

static void
put_chain(struct ir_func *f, struct ir_block *b)
{
    ir_val x = put_constant(f, b, 1);
    for (unsigned left = MULTIPLICATIONS; left; left--) {
        struct ir_insn *in = put_insn(f, b, VENTUS_ISA_MUL, left > 1);
        in->src[1] = x;
        in->src[2] = IR_ZERO;
        x = in->dst;
    }
}

static void
put_divisions(struct ir_func *f, struct ir_block *b, unsigned fetches)
{
    ir_val dividend = put_constant(f, b, DIVIDEND);
    ir_val one = put_constant(f, b, 1);
    for (unsigned left = fetches / DIVISION_CYCLES + 1; left; left--) {
        struct ir_insn *in = put_insn(f, b, VENTUS_ISA_DIVU, false);
        in->src[1] = dividend;
        in->src[2] = one;
    }
}

/* An upper bound of the fetches of one round: two for an instruction, as lowering may
 * make more of it. */
static unsigned
fetches_of(const struct ir_func *f, const struct ir_loop *l)
{
    unsigned n = 0;
    ir_foreach_rpo (f, b) {
        if (!ir_in_loop(b, l))
            continue;
        n += BRANCH_FETCHES;
        ir_foreach_insn (b, in)
            n += 2 * ir_is_isa(in->op);
    }
    return n;
}

static void
pause_loop(struct ir_func *f, const struct ir_loop *l, enum cc_pause kind)
{
    struct ir_block *h = l->header;
    unsigned fetches = fetches_of(f, l);
    assert(h->preds.n > 1 && "a loop has a way in and a way back");
    for (size_t i = 0; i < h->preds.n; i++) {
        struct ir_block *p = h->preds.at[i], *b = p;
        if (!p->reachable || !ir_in_loop(p, l))
            continue;
        if (p->succ[1]) {
            b = ir_split_edge(p, p->succ[1] == h);
            ir_place_like(b->last, p->last);
        }
        if (kind == CC_PAUSE_DIVIDE)
            put_divisions(f, b, fetches);
        else
            put_chain(f, b);
    }
}

void
pause_loops(const struct waits *w, enum cc_pause kind)
{
    assert(kind != CC_PAUSE_NONE && "else nothing is to be done");
    for (size_t i = 0; i < w->loops.n; i++)
        pause_loop(w->f, w->loops.at[i].loop, kind);
}
