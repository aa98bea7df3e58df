/* SPDX-License-Identifier: Apache-2.0 */
/* Vector configuration, integer arithmetic and moves. */
#include <assert.h>

#include "isa/sem.h"
#include "tile/exec.h"
#include "tile/vector.h"

/* vtype: [7] ma [6] ta [5:3] SEW = 8 << n [2:0] LMUL (RVV 1.0, 3.4) */
static uint64_t
configure(struct hart *h, uint64_t vtype, uint64_t avl, bool keep)
{
    unsigned sew = vtype >> 3 & 7, lmul = vtype & 7;
    int log2 = lmul < 4 ? (int)lmul : (int)lmul - 8;
    int max = HART_VLENB >> sew;
    max = log2 >= 0 ? max << log2 : max >> -log2;
    if (vtype >> 8 || sew > 3 || lmul == 4 || max == 0 ||
        (log2 < 0 && sew > (unsigned)(3 + log2))) {
        h->vtype = 1u << 31;
        h->vl = h->vlmax = 0;
        return 0;
    }
    h->vtype = (unsigned)vtype;
    h->vlmax = (unsigned)max;
    if (keep)
        avl = h->vl;
    h->vl = avl < h->vlmax ? (unsigned)avl : h->vlmax;
    assert(h->vl <= h->vlmax && h->vlmax <= 8 * HART_VLENB);
    return h->vl;
}

/* rs1 = x0: all of it, or with rd = x0 as many as now. */
static uint64_t
wanted(const struct hart *h, const struct hart_insn *i, bool *keep)
{
    *keep = !i->rs1 && i->rd == HART_SINK;
    return i->rs1 ? h->x[i->rs1] : ~UINT64_C(0);
}

HANDLER(vsetvli)
{
    bool keep;
    uint64_t avl = wanted(h, i, &keep);
    h->x[i->rd] = configure(h, i->aux, avl, keep);
    return i + step;
}

HANDLER(vsetivli)
{
    h->x[i->rd] = configure(h, i->aux, i->rs1, false);
    return i + step;
}

HANDLER(vsetvl)
{
    bool keep;
    uint64_t avl = wanted(h, i, &keep);
    h->x[i->rd] = configure(h, h->x[i->rs2], avl, keep);
    return i + step;
}

/* ---- elements ------------------------------------------------------------ */

enum source { FROM_V, FROM_X, FROM_I };

static uint64_t
operand(const struct hart *h, const struct hart_insn *i, enum source from,
        unsigned e)
{
    if (from == FROM_V)
        return vector_get(h, i->rs1, e, vector_sew(h));
    return from == FROM_X ? h->x[i->rs1] : (uint64_t)(int64_t)i->imm;
}

/* Is the vtype legal, and do the registers fit its LMUL? */
static bool
usable(const struct hart *h, const struct hart_insn *i, enum source from)
{
    if (h->vtype >> 31)
        return false;
    unsigned mask = vector_group(h) - 1, regs = i->rd | i->rs2;
    if (from == FROM_V)
        regs |= i->rs1;
    return (regs & mask) == 0;
}

#define ILLEGAL hart_fault(h, i, VENTUS_TILE_CAUSE_ILLEGAL, 0)

/* The meaning of an operation (isa/sem.h) at the current element width. */
#define OF_SEW(op)                                                \
    static uint64_t op##_of(unsigned sew, uint64_t a, uint64_t b) \
    {                                                             \
        switch (sew) {                                            \
        case 0:                                                   \
            return sem_##op##_8((uint8_t)a, (uint8_t)b);          \
        case 1:                                                   \
            return sem_##op##_16((uint16_t)a, (uint16_t)b);       \
        case 2:                                                   \
            return sem_##op##_32((uint32_t)a, (uint32_t)b);       \
        }                                                         \
        return sem_##op##_64(a, b);                               \
    }

/* vd[i] = an expression of a = vs2[i], b = the operand, d = vd[i]; `sew`. */
#define EACH(name, from, expression)                              \
    HANDLER(name)                                                 \
    {                                                             \
        if (!usable(h, i, from))                                  \
            return ILLEGAL;                                       \
        unsigned sew = vector_sew(h);                             \
        for (unsigned e = 0; e < h->vl; e++) {                    \
            if (!vector_active(h, i->vm, e))                      \
                continue;                                         \
            uint64_t a = vector_get(h, i->rs2, e, sew);           \
            uint64_t b = operand(h, i, from, e);                  \
            uint64_t d = vector_get(h, i->rd, e, sew);            \
            (void)d;                                              \
            vector_set(h, i->rd, e, sew, (uint64_t)(expression)); \
        }                                                         \
        return i + step;                                          \
    }
#define EACH_V(name, op)   EACH(name##_vv, FROM_V, op##_of(sew, a, b))
#define EACH_X(name, op)   EACH(name##_vx, FROM_X, op##_of(sew, a, b))
#define EACH_I(name, op)   EACH(name##_vi, FROM_I, op##_of(sew, a, b))
#define EACH_VX(name, op)  OF_SEW(op) EACH_V(name, op) EACH_X(name, op)
#define EACH_XI(name, op)  OF_SEW(op) EACH_X(name, op) EACH_I(name, op)
#define EACH_VXI(name, op) EACH_VX(name, op) EACH_I(name, op)

EACH_VXI(vadd, add)
EACH_VX(vsub, sub)
EACH_XI(vrsub, rsub)
EACH_VX(vminu, minu)
EACH_VX(vmin, min)
EACH_VX(vmaxu, maxu)
EACH_VX(vmax, max)
EACH_VXI(vand, and)
EACH_VXI(vor, or)
EACH_VXI(vxor, xor)
EACH_VXI(vsll, sll)
EACH_VXI(vsrl, srl)
EACH_VXI(vsra, sra)
EACH_VX(vmul, mul)
EACH_VX(vdivu, divu)
EACH_VX(vremu, remu)
EACH_VX(vdiv, div)
EACH_VX(vrem, rem)

/* Modulo 2^64 the low bits do not depend on the width. */
EACH(vmacc_vv, FROM_V, sem_macc_64(b, a, d))
EACH(vmacc_vx, FROM_X, sem_macc_64(b, a, d))

/* Mask bit i = an expression. */
#define TEST(name, from, expression)                           \
    HANDLER(name)                                              \
    {                                                          \
        unsigned group = h->vtype >> 31 ? 1 : vector_group(h); \
        if (h->vtype >> 31 || i->rs2 % group ||                \
            (from == FROM_V && i->rs1 % group))                \
            return ILLEGAL;                                    \
        unsigned sew = vector_sew(h);                          \
        uint8_t made[HART_VLENB];                              \
        memcpy(made, h->v[i->rd], sizeof made);                \
        for (unsigned e = 0; e < h->vl; e++) {                 \
            if (!vector_active(h, i->vm, e))                   \
                continue;                                      \
            uint64_t a = vector_get(h, i->rs2, e, sew);        \
            uint64_t b = operand(h, i, from, e);               \
            vector_set_bit(made, e, (expression));             \
        }                                                      \
        memcpy(h->v[i->rd], made, sizeof made);                \
        return i + step;                                       \
    }
#define TEST_X(name, op)  TEST(name##_vx, FROM_X, op##_of(sew, a, b))
#define TEST_I(name, op)  TEST(name##_vi, FROM_I, op##_of(sew, a, b))
#define TEST_XI(name, op) OF_SEW(op) TEST_X(name, op) TEST_I(name, op)
#define TEST_VX(name, op) \
    OF_SEW(op) TEST(name##_vv, FROM_V, op##_of(sew, a, b)) TEST_X(name, op)
#define TEST_VXI(name, op) TEST_VX(name, op) TEST_I(name, op)

TEST_VXI(vmseq, seq)
TEST_VXI(vmsne, sne)
TEST_VX(vmsltu, sltu)
TEST_VX(vmslt, slt)
TEST_VXI(vmsleu, sleu)
TEST_VXI(vmsle, sle)
TEST_XI(vmsgtu, sgtu)
TEST_XI(vmsgt, sgt)

/* ---- slides -------------------------------------------------------------- */

/* vd[i] = vs2[i - up] or vs2[i + down]; `edge` fills what has no source. */
static const struct hart_insn *
slide(struct hart *h, const struct hart_insn *i, bool up, uint64_t by,
      const uint64_t *edge, unsigned step)
{
    if (!usable(h, i, FROM_X) || (up && i->rd == i->rs2))
        return ILLEGAL;
    unsigned sew = vector_sew(h);
    uint64_t old[8 * HART_VLENB], vlmax = h->vlmax;
    assert(vlmax <= sizeof old / sizeof *old && h->vl <= vlmax);
    for (unsigned e = 0; e < h->vlmax; e++)
        old[e] = vector_get(h, i->rs2, e, sew);
    for (unsigned e = 0; e < h->vl; e++) {
        if (!vector_active(h, i->vm, e) || (up && e < by && !edge))
            continue;
        uint64_t value = 0;
        if (edge && e == (up ? 0 : h->vl - 1))
            value = *edge;
        else if (up)
            value = old[e - by];
        else if (by < vlmax && e + by < vlmax)
            value = old[e + by];
        vector_set(h, i->rd, e, sew, value);
    }
    return i + step;
}

HANDLER(vslideup_vx)
{
    return slide(h, i, true, h->x[i->rs1], NULL, step);
}

HANDLER(vslideup_vi)
{
    return slide(h, i, true, (uint64_t)i->imm, NULL, step);
}

HANDLER(vslidedown_vx)
{
    return slide(h, i, false, h->x[i->rs1], NULL, step);
}

HANDLER(vslidedown_vi)
{
    return slide(h, i, false, (uint64_t)i->imm, NULL, step);
}

HANDLER(vslide1up_vx)
{
    return slide(h, i, true, 1, &h->x[i->rs1], step);
}

HANDLER(vslide1down_vx)
{
    return slide(h, i, false, 1, &h->x[i->rs1], step);
}

/* ---- moves --------------------------------------------------------------- */

/* For instructions without vs2, whose field is 0. */
EACH(vmv_vv, FROM_V, ((void)a, b))
EACH(vmv_vx, FROM_X, ((void)a, b))
EACH(vmv_vi, FROM_I, ((void)a, b))
EACH(vid, FROM_X, ((void)a, (void)b, e))

/* An f register for an element: its bits, if boxed for that width. */
static uint64_t
unboxed(const struct hart *h, unsigned reg)
{
    unsigned sew = vector_sew(h);
    uint64_t x = h->f[reg];
    if (sew == 2 && x >> 32 != 0xffffffff)
        return 0x7fc00000;
    return x;
}

HANDLER(vfmv_v_f)
{
    if (!usable(h, i, FROM_X) || vector_sew(h) < 2)
        return ILLEGAL;
    for (unsigned e = 0; e < h->vl; e++)
        vector_set(h, i->rd, e, vector_sew(h), unboxed(h, i->rs1));
    return i + step;
}

/* All elements; which of the two is decided by the mask. */
#define MERGE(name, from)                                    \
    HANDLER(name)                                            \
    {                                                        \
        if (!usable(h, i, from))                             \
            return ILLEGAL;                                  \
        unsigned sew = vector_sew(h);                        \
        for (unsigned e = 0; e < h->vl; e++)                 \
            vector_set(h, i->rd, e, sew,                     \
                       vector_active(h, 0, e)                \
                           ? operand(h, i, from, e)          \
                           : vector_get(h, i->rs2, e, sew)); \
        return i + step;                                     \
    }
MERGE(vmerge_vv, FROM_V)
MERGE(vmerge_vx, FROM_X)
MERGE(vmerge_vi, FROM_I)

HANDLER(vmv_x_s)
{
    if (h->vtype >> 31)
        return ILLEGAL;
    unsigned sew = vector_sew(h);
    h->x[i->rd] = sem_sext(vector_get(h, i->rs2, 0, sew), 8u << sew);
    return i + step;
}

HANDLER(vmv_s_x)
{
    if (h->vtype >> 31)
        return ILLEGAL;
    if (h->vl)
        vector_set(h, i->rd, 0, vector_sew(h), h->x[i->rs1]);
    return i + step;
}

HANDLER(vfmv_f_s)
{
    if (h->vtype >> 31 || vector_sew(h) < 2)
        return ILLEGAL;
    uint64_t x = vector_get(h, i->rs2, 0, vector_sew(h));
    h->f[i->rd] = vector_sew(h) == 2 ? x | UINT64_C(0xffffffff) << 32 : x;
    return i + step;
}

HANDLER(vfmv_s_f)
{
    if (h->vtype >> 31 || vector_sew(h) < 2)
        return ILLEGAL;
    if (h->vl)
        vector_set(h, i->rd, 0, vector_sew(h), unboxed(h, i->rs1));
    return i + step;
}

HANDLER(vmv1r)
{
    memmove(h->v[i->rd], h->v[i->rs2], HART_VLENB);
    return i + step;
}

/* Compares vs2 and vs1; a bit for each element. */
#define MASKS(name, op)                                             \
    HANDLER(name##_mm)                                              \
    {                                                               \
        if (h->vtype >> 31)                                         \
            return ILLEGAL;                                         \
        for (unsigned e = 0; e < h->vl; e++) {                      \
            bool a = vector_bit(h->v[i->rs2], e);                   \
            bool b = vector_bit(h->v[i->rs1], e);                   \
            vector_set_bit(h->v[i->rd], e, sem_##op##_8(a, b) & 1); \
        }                                                           \
        return i + step;                                            \
    }
MASKS(vmandn, andn)
MASKS(vmand, and)
MASKS(vmor, or)
MASKS(vmxor, xor)
MASKS(vmorn, orn)
MASKS(vmnand, nand)
MASKS(vmnor, nor)
MASKS(vmxnor, xnor)
