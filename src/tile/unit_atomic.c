/* SPDX-License-Identifier: Apache-2.0 */
/* Atomics on x registers and on tiles (docs/tile.md, Atomics). */
#include <assert.h>

#include "isa/sem.h"
#include "tile/check.h"
#include "tile/number.h"
#include "tile/thread.h"

/* log2 of an element's bytes, by memuop[4:0]. */
static unsigned
element_log2(unsigned func)
{
    switch (func) {
    case VENTUS_TILE_ATOMIC_FADD_H:
    case VENTUS_TILE_ATOMIC_FADD_BF16:
    case VENTUS_TILE_ATOMIC_FMIN_H:
    case VENTUS_TILE_ATOMIC_FMAX_H:
        return 1;
    case VENTUS_TILE_ATOMIC_FADD_D:
    case VENTUS_TILE_ATOMIC_SWAP_D:
    case VENTUS_TILE_CAS_CAS_D:
        return 3;
    }
    return func >= VENTUS_TILE_ATOMIC_ADD_D && func <= VENTUS_TILE_ATOMIC_MAXU_D
               ? 3
               : 2;
}

/* May several elements be packed in a register? */
static bool
packs(unsigned func)
{
    return func < VENTUS_TILE_ATOMIC_SWAP_W && element_log2(func) < 3;
}

static uint64_t
add_bf16(uint64_t a, uint64_t b, unsigned *flags)
{
    uint32_t sum =
        fp32_add((uint32_t)a << 16, (uint32_t)b << 16, FP_RNE, flags);
    return number_from_f32(VENTUS_TILE_CVTFMT_BF16, sum, flags);
}

static uint64_t
float_op(unsigned func, uint64_t old, uint64_t b, unsigned *flags)
{
    switch (func) {
    case VENTUS_TILE_ATOMIC_FADD_S:
        return fp32_add((uint32_t)old, (uint32_t)b, FP_RNE, flags);
    case VENTUS_TILE_ATOMIC_FADD_H:
        return fp16_add((uint16_t)old, (uint16_t)b, FP_RNE, flags);
    case VENTUS_TILE_ATOMIC_FADD_BF16:
        return add_bf16(old, b, flags);
    case VENTUS_TILE_ATOMIC_FADD_D:
        return fp64_add(old, b, FP_RNE, flags);
    case VENTUS_TILE_ATOMIC_FMIN_S:
        return fp32_min((uint32_t)old, (uint32_t)b, flags);
    case VENTUS_TILE_ATOMIC_FMAX_S:
        return fp32_max((uint32_t)old, (uint32_t)b, flags);
    case VENTUS_TILE_ATOMIC_FMIN_H:
        return fp16_min((uint16_t)old, (uint16_t)b, flags);
    case VENTUS_TILE_ATOMIC_FMAX_H:
        return fp16_max((uint16_t)old, (uint16_t)b, flags);
    }
    return old;
}

/* `func` of the word form: bits 2:0 are those of RISC-V's AMOs. */
static uint64_t
integer_op(unsigned func, uint64_t old, uint64_t b, bool wide)
{
#define OP(meaning)                    \
    (wide ? sem_##meaning##_64(old, b) \
          : sem_##meaning##_32((uint32_t)old, (uint32_t)b))
    switch (func & 7) {
    case VENTUS_TILE_ATOMIC_ADD_W:
        return OP(add);
    case VENTUS_TILE_ATOMIC_XOR_W:
        return OP(xor);
    case VENTUS_TILE_ATOMIC_OR_W:
        return OP(or);
    case VENTUS_TILE_ATOMIC_AND_W:
        return OP(and);
    case VENTUS_TILE_ATOMIC_MIN_W:
        return OP(min);
    case VENTUS_TILE_ATOMIC_MAX_W:
        return OP(max);
    case VENTUS_TILE_ATOMIC_MINU_W:
        return OP(minu);
    }
    return OP(maxu);
#undef OP
}

/* The new value of memory. */
static uint64_t
combine(unsigned func, uint64_t old, uint64_t b, uint64_t expected,
        unsigned *flags)
{
    uint32_t count = (uint32_t)old, limit = (uint32_t)b;
    switch (func) {
    case VENTUS_TILE_ATOMIC_SWAP_W:
    case VENTUS_TILE_ATOMIC_SWAP_D:
        return b;
    case VENTUS_TILE_CAS_CAS_W:
        return (uint32_t)old == (uint32_t)expected ? b : old;
    case VENTUS_TILE_CAS_CAS_D:
        return old == expected ? b : old;
    case VENTUS_TILE_ATOMIC_INC_W:
        return count >= limit ? 0 : count + 1;
    case VENTUS_TILE_ATOMIC_DEC_W:
        return count == 0 || count > limit ? limit : count - 1;
    }
    if (func >= VENTUS_TILE_ATOMIC_FADD_S)
        return float_op(func, old, b, flags);
    return integer_op(func, old, b, func >= VENTUS_TILE_ATOMIC_ADD_D);
}

static uint64_t
apply(struct tile_thread *t, unsigned func, uint8_t *at, uint64_t b,
      uint64_t expected)
{
    assert(element_log2(func) <= 3);
    uint64_t old = 0, made;
    unsigned size = 1u << element_log2(func), flags = 0;
    memcpy(&old, at, size);
    made = combine(func, old, b, expected, &flags);
    memcpy(at, &made, size);
    t->tfcsr |= flags;
    return old;
}

/* ---- on x registers ------------------------------------------------------ */

enum thread_result
capture_atom(struct tile_thread *t, struct thread_op *op)
{
    struct ventus_tile_machine *m = t->machine;
    const struct ventus_tile_insn *in = &op->in;
    unsigned log2 = element_log2(in->func), size = 1u << (log2 + in->n);
    if (in->op == VENTUS_TILE_RED_I)
        op->a += (uint64_t)(int64_t)in->imm << log2;
    if (in->op == VENTUS_TILE_RED_R)
        op->a += op->c;
    if (size > 8 || (in->n && !packs(in->func)))
        return thread_fault(t, op->pc, VENTUS_TILE_CAUSE_ILLEGAL, 0);
    if (op->a % (1u << log2))
        return thread_fault(t, op->pc, VENTUS_TILE_CAUSE_STORE_MISALIGNED,
                            op->a);
    if (!memory_tile(&m->memory, (enum memory_space)in->space, t->pe, op->a,
                     size))
        return thread_fault(t, op->pc, VENTUS_TILE_CAUSE_STORE, op->a);
    return THREAD_DONE;
}

static bool
has_result(const struct ventus_tile_insn *in)
{
    return in->op == VENTUS_TILE_ATOM_R || in->op == VENTUS_TILE_CAS_R;
}

enum thread_result
unit_atom(struct tile_thread *t, struct thread_op *op)
{
    struct ventus_tile_machine *m = t->machine;
    const struct ventus_tile_insn *in = &op->in;
    unsigned log2 = element_log2(in->func), bits = 8u << log2;
    unsigned total = bits << in->n;
    uint8_t *at = memory_tile(&m->memory, (enum memory_space)in->space, t->pe,
                              op->a, total / 8);
    assert(at && total <= 64); /* as capture_atom has seen */
    uint64_t old = 0,
             mask = bits < 64 ? (UINT64_C(1) << bits) - 1 : ~UINT64_C(0);
    for (unsigned e = 0; e < 1u << in->n; e++) {
        uint64_t b = op->b >> (bits * e) & mask;
        old |= apply(t, in->func, at + (e << log2), b, op->c) << (bits * e);
    }
    check_observe(
        m, memory_name(&m->memory, (enum memory_space)in->space, t->pe, op->a));
    if (has_result(in) && in->rd)
        t->hart.x[in->rd] = sem_sext(old, total);
    return THREAD_DONE;
}

/* ---- on tiles ------------------------------------------------------------ */

enum thread_result
capture_atomt(struct tile_thread *t, struct thread_op *op)
{
    struct ventus_tile_machine *m = t->machine;
    const struct ventus_tile_insn *in = &op->in;
    uint64_t size = (uint64_t)VENTUS_TILE_B << in->n;
    op->a += in->op == VENTUS_TILE_ATOMT_R ? op->c : (uint64_t)(int64_t)in->imm;
    op->stride = 1;
    if (in->n < 3)
        op->tmask &= (UINT64_C(1) << (VENTUS_TILE_ROWS << in->n)) - 1;
    if (op->a % VENTUS_TILE_ROW_B)
        return thread_fault(t, op->pc, VENTUS_TILE_CAUSE_STORE_MISALIGNED,
                            op->a);
    if (!memory_tile(&m->memory, (enum memory_space)in->space, t->pe, op->a,
                     size))
        return thread_fault(t, op->pc, VENTUS_TILE_CAUSE_STORE, op->a);
    return THREAD_DONE;
}

enum thread_result
unit_atomt(struct tile_thread *t, struct thread_op *op)
{
    struct ventus_tile_machine *m = t->machine;
    const struct ventus_tile_insn *in = &op->in;
    unsigned log2 = element_log2(in->func), size = 1u << log2;
    uint8_t *memory =
        memory_tile(&m->memory, (enum memory_space)in->space, t->pe, op->a,
                    (uint64_t)VENTUS_TILE_B << in->n);
    assert(memory && in->td + (1u << in->n) <= VENTUS_TILE_REGISTERS);
    for (unsigned at = 0; at < (unsigned)VENTUS_TILE_B << in->n; at += size) {
        if (!(op->tmask >> at / VENTUS_TILE_ROW_B & 1))
            continue;
        uint8_t *element =
            &t->tr[in->td + at / VENTUS_TILE_B][at % VENTUS_TILE_B];
        uint64_t b = 0, old;
        memcpy(&b, element, size);
        old = apply(t, in->func, memory + at, b, 0);
        if (in->rtn)
            memcpy(element, &old, size);
    }
    return THREAD_DONE;
}
