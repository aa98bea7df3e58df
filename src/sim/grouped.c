/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LMUL 2 (manual 4.1: "RV32V-Register State: LMUL 1 and 2").  An instruction
 * of RVV acts on elements 0 to num_thread - 1 in register r, even, and on
 * the next num_thread elements in r + 1; a thread has one of each.  The machine
 * executes it twice, the second time with the register file advanced by one row, so
 * that every function uses the next registers, v0 as a mask included.
 *
 * The instructions of Ventus itself have no groups: a thread has one address, one
 * branch, one atomic.  Nor have the moves to or from one element, as in RVV.
 */
#include <assert.h>

#include "sim/any_width.h"
#include "sim/state.h"

enum { OPCODE = 0x7f, OP_V = 0x57, LOAD_FP = 0x07, STORE_FP = 0x27 };

static bool
is_grouped(const struct sim_op *op)
{
    switch (op->code) {
    case VENTUS_ISA_VMV_X_S:
    case VENTUS_ISA_VMV_S_X:
    case VENTUS_ISA_VFMV_F_S:
    case VENTUS_ISA_VFMV_S_F:
    case VENTUS_ISA_VCPOP_M: /* they look at both halves */
    case VENTUS_ISA_VFIRST_M:
        return false;
    }
    uint32_t opcode = ventus_isa_info[op->code].match & OPCODE;
    bool vector = false;
    for (unsigned slot = VENTUS_ISA_SLOT_D; slot <= VENTUS_ISA_SLOT_3; slot++)
        vector = vector || any_width_is_vector(op, (enum ventus_isa_slot)slot);
    return vector &&
           (opcode == OP_V || opcode == LOAD_FP || opcode == STORE_FP);
}

/* The reason that the instruction is illegal, or NULL. */
static const char *
check(const struct sim_warp *w, const struct sim_op *op)
{
    const uint8_t reg[] = { op->d, op->s1, op->s2, op->s3 };
    for (unsigned slot = VENTUS_ISA_SLOT_D; slot <= VENTUS_ISA_SLOT_3; slot++)
        if (any_width_is_vector(op, (enum ventus_isa_slot)slot) &&
            reg[slot] % 2)
            return "a group of two registers starts at an even one";
    bool memory = mem_bytes(w, op) != 0;
    if (op->mods & MOD_PAIR || op->fn == any_width_wide ||
        (memory && (op->width > 1 || op->space || op->aux & MEM_WIDE_ADDRESS)))
        return "pairs and wide accesses need LMUL 1";
    return NULL;
}

/* How far apart in memory the two halves of an access are. */
static uint32_t
step_of(const struct sim_warp *w, const struct sim_op *op)
{
    if (!mem_bytes(w, op))
        return 0;
    enum mem_mode mode = mem_mode_of(op->code);
    return mode == MODE_UNIT     ? w->num_thread * mem_bytes(w, op)
           : mode == MODE_STRIDE ? w->num_thread * w->x[op->s2]
                                 : 0;
}

/* The base of an access, which is further on for the second half; NULL: none,
 * s1 may be a vector register. */
static uint32_t *
base_of(struct sim_warp *w, const struct sim_op *op)
{
    return mem_bytes(w, op) ? &w->x[op->s1] : NULL;
}

/* Elements from num_thread on, in the registers after. */
static const struct sim_op *
second_half(struct sim_warp *w, const struct sim_op *op)
{
    assert(w->grouped && w->vl <= w->num_thread);
    if (!w->exec)
        return op + op->words;
    uint32_t *base = base_of(w, op), step = step_of(w, op);
    w->v += w->lanes;
    uint64_t exec = warp_op_lanes(w, op);
    if (base)
        *base += step;
    const struct sim_op *next = op->fn(w, op);
    if (base)
        *base -= step;
    uint32_t *d = w->v + (size_t)op->d * w->lanes;
    for (unsigned i = 0; op->code == VENTUS_ISA_VID_V && i < w->num_thread; i++)
        d[i] += exec >> i & 1 ? w->num_thread : 0;
    w->v -= w->lanes;
    return next;
}

const struct sim_op *
grouped_call(struct sim_warp *w, const struct sim_op *op)
{
    if (!is_grouped(op))
        return op->fn(w, op);
    const char *wrong = check(w, op);
    if (wrong)
        return warp_fault_text(w, op, VENTUS_SIM_FAULT_ILLEGAL, wrong);
    uint32_t vl = w->vl, n = w->num_thread;
    assert(w->grouped && vl <= 2 * n);
    w->vl = vl < n ? vl : n;
    warp_set_mask(w, w->mask);
    const struct sim_op *next = op->fn(w, op);
    w->vl = vl < n ? 0 : vl - n;
    warp_set_mask(w, w->mask);
    if (next)
        next = second_half(w, op);
    w->vl = vl;
    warp_set_mask(w, w->mask);
    return next;
}

unsigned
grouped_words(struct sim_warp *w, const struct sim_op *op,
              uint64_t at[MEM_WORDS_MAX], unsigned *bytes)
{
    if (!is_grouped(op) || check(w, op))
        return mem_words(w, op, warp_op_lanes(w, op), at, bytes);
    uint32_t vl = w->vl, n = w->num_thread;
    uint32_t *base = base_of(w, op), step = step_of(w, op);
    w->vl = vl < n ? vl : n;
    warp_set_mask(w, w->mask);
    unsigned words = mem_words(w, op, warp_op_lanes(w, op), at, bytes);
    w->vl = vl < n ? 0 : vl - n;
    warp_set_mask(w, w->mask);
    if (w->exec) {
        w->v += w->lanes;
        if (base)
            *base += step;
        words += mem_words(w, op, warp_op_lanes(w, op), at + words, bytes);
        if (base)
            *base -= step;
        w->v -= w->lanes;
    }
    w->vl = vl;
    warp_set_mask(w, w->mask);
    return words;
}
