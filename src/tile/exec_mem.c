/* SPDX-License-Identifier: Apache-2.0 */
/* Scalar loads, stores and atomics. */
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
#define AMO(name, type, expression)                                          \
    HANDLER(name)                                                            \
    {                                                                        \
        uint64_t at = h->x[i->rs1];                                          \
        type old, b = (type)h->x[i->rs2];                                    \
        if (at % sizeof old)                                                 \
            return hart_fault(h, i, VENTUS_TILE_CAUSE_STORE_MISALIGNED, at); \
        if (!exec_load(h, i, at, &old, sizeof old))                          \
            return NULL;                                                     \
        type made = (type)(expression);                                      \
        if (!exec_store(h, i, at, &made, sizeof made))                       \
            return NULL;                                                     \
        h->x[i->rd] = (uint64_t)old;                                         \
        return i + step;                                                     \
    }
#define AMO_BOTH(name, expression)          \
    AMO(amo##name##_w, int32_t, expression) \
    AMO(amo##name##_d, int64_t, expression)
#define AMO_UNSIGNED(name, compare)                                          \
    AMO(amo##name##_w, int32_t, (uint32_t)old compare(uint32_t) b ? old : b) \
    AMO(amo##name##_d, int64_t, (uint64_t)old compare(uint64_t) b ? old : b)

AMO_BOTH(swap, b)
AMO_BOTH(add, (uint64_t)old + (uint64_t)b)
AMO_BOTH(xor, old ^ b)
AMO_BOTH(and, old &b)
AMO_BOTH(or, old | b)
AMO_BOTH(min, old < b ? old : b)
AMO_BOTH(max, old > b ? old : b)
AMO_UNSIGNED(minu, <)
AMO_UNSIGNED(maxu, >)

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
