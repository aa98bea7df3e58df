/* SPDX-License-Identifier: Apache-2.0 */
/* Scalar loads, stores and atomics. */
#include "isa/sem.h"
#include "tile/exec.h"

static inline uint64_t
address(const struct hart *h, const struct hart_insn *i)
{
    return h->x[i->rs1] + (uint64_t)(int64_t)i->imm;
}

/* A signed type extends its sign on the way to 64 bits. */
#define LOAD(name, type, target, boxed)                            \
    HANDLER(name)                                                  \
    {                                                              \
        type value;                                                \
        if (!exec_load(h, i, address(h, i), &value, sizeof value)) \
            return NULL;                                           \
        target = (uint64_t)value | (boxed);                        \
        return i + step;                                           \
    }
#define STORE(name, type, source)                                   \
    HANDLER(name)                                                   \
    {                                                               \
        type value = (type)(source);                                \
        if (!exec_store(h, i, address(h, i), &value, sizeof value)) \
            return NULL;                                            \
        return i + step;                                            \
    }
#define BOX UINT64_C(0xffffffff00000000)

LOAD(lb, int8_t, h->x[i->rd], 0)
LOAD(lh, int16_t, h->x[i->rd], 0)
LOAD(lw, int32_t, h->x[i->rd], 0)
LOAD(ld, uint64_t, h->x[i->rd], 0)
LOAD(lbu, uint8_t, h->x[i->rd], 0)
LOAD(lhu, uint16_t, h->x[i->rd], 0)
LOAD(lwu, uint32_t, h->x[i->rd], 0)
LOAD(flw, uint32_t, h->f[i->rd], BOX)
LOAD(fld, uint64_t, h->f[i->rd], 0)
STORE(sb, uint8_t, h->x[i->rs2])
STORE(sh, uint16_t, h->x[i->rs2])
STORE(sw, uint32_t, h->x[i->rs2])
STORE(sd, uint64_t, h->x[i->rs2])
STORE(fsw, uint32_t, h->f[i->rs2])
STORE(fsd, uint64_t, h->f[i->rs2])

/*
 * Atomics need no more than this: harts take turns, and an instruction is
 * never cut in two.  A turn's end drops the reservation of lr.
 */
#define AMO(name, W, meaning)                                                \
    HANDLER(name)                                                            \
    {                                                                        \
        uint64_t at = h->x[i->rs1];                                          \
        uint##W##_t old, b = (uint##W##_t)h->x[i->rs2];                      \
        if (at % sizeof old)                                                 \
            return hart_fault(h, i, VENTUS_TILE_CAUSE_STORE_MISALIGNED, at); \
        if (!exec_load(h, i, at, &old, sizeof old))                          \
            return NULL;                                                     \
        uint##W##_t made = sem_##meaning##_##W(old, b);                      \
        if (!exec_store(h, i, at, &made, sizeof made))                       \
            return NULL;                                                     \
        h->x[i->rd] = sem_sext(old, W);                                      \
        return i + step;                                                     \
    }
#define AMO_BOTH(name, meaning)     \
    AMO(amo##name##_w, 32, meaning) \
    AMO(amo##name##_d, 64, meaning)

AMO_BOTH(swap, mv)
AMO_BOTH(add, add)
AMO_BOTH(xor, xor)
AMO_BOTH(and, and)
AMO_BOTH(or, or)
AMO_BOTH(min, min)
AMO_BOTH(max, max)
AMO_BOTH(minu, minu)
AMO_BOTH(maxu, maxu)

#define RESERVED(suffix, type)                                               \
    HANDLER(lr_##suffix)                                                     \
    {                                                                        \
        uint64_t at = h->x[i->rs1];                                          \
        type old;                                                            \
        if (at % sizeof old)                                                 \
            return hart_fault(h, i, VENTUS_TILE_CAUSE_LOAD_MISALIGNED, at);  \
        if (!exec_load(h, i, at, &old, sizeof old))                          \
            return NULL;                                                     \
        h->reserved = at;                                                    \
        h->x[i->rd] = (uint64_t)old;                                         \
        return i + step;                                                     \
    }                                                                        \
    HANDLER(sc_##suffix)                                                     \
    {                                                                        \
        uint64_t at = h->x[i->rs1];                                          \
        type made = (type)h->x[i->rs2];                                      \
        if (at % sizeof made)                                                \
            return hart_fault(h, i, VENTUS_TILE_CAUSE_STORE_MISALIGNED, at); \
        bool held = h->reserved == at;                                       \
        h->reserved = ~UINT64_C(0);                                          \
        if (held && !exec_store(h, i, at, &made, sizeof made))               \
            return NULL;                                                     \
        h->x[i->rd] = !held;                                                 \
        return i + step;                                                     \
    }

RESERVED(w, int32_t)
RESERVED(d, int64_t)
