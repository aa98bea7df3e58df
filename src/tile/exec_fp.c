/* SPDX-License-Identifier: Apache-2.0 */
/* Scalar floating point: F and D, on softfloat. */
#include "isa/softfloat.h"
#include "tile/exec.h"

#define BOX   UINT64_C(0xffffffff00000000)
#define NAN32 0x7fc00000u

/* A binary32 that is not boxed reads as the canonical NaN. */
static inline uint32_t
single(const struct hart *h, unsigned reg)
{
    return (h->f[reg] & BOX) == BOX ? (uint32_t)h->f[reg] : NAN32;
}

static inline uint64_t
boxed(uint32_t x)
{
    return x | BOX;
}

/* The rounding mode; 5 and more is none. */
static inline unsigned
mode(const struct hart *h, const struct hart_insn *i)
{
    return i->rm == 7 ? h->frm : i->rm;
}

#define S1 single(h, i->rs1)
#define S2 single(h, i->rs2)
#define S3 single(h, i->rs3)
#define D1 h->f[i->rs1]
#define D2 h->f[i->rs2]
#define D3 h->f[i->rs3]

/* An instruction that rounds: `rm` and `flags` are there. */
#define ROUNDED(name, target, expression)                          \
    HANDLER(name)                                                  \
    {                                                              \
        unsigned way = mode(h, i), *flags = &h->fflags;            \
        if (way > FP_RMM)                                          \
            return hart_fault(h, i, VENTUS_TILE_CAUSE_ILLEGAL, 0); \
        enum fp_rm rm = (enum fp_rm)way;                           \
        target = (uint64_t)(expression);                           \
        (void)rm, (void)flags;                                     \
        return i + step;                                           \
    }
#define PLAIN(name, target, expression)  \
    HANDLER(name)                        \
    {                                    \
        unsigned *flags = &h->fflags;    \
        target = (uint64_t)(expression); \
        (void)flags;                     \
        return i + step;                 \
    }
#define FD h->f[i->rd]
#define XD h->x[i->rd]

#define ARITHMETIC(name)                                            \
    ROUNDED(f##name##_s, FD, boxed(fp32_##name(S1, S2, rm, flags))) \
    ROUNDED(f##name##_d, FD, fp64_##name(D1, D2, rm, flags))
ARITHMETIC(add)
ARITHMETIC(sub)
ARITHMETIC(mul)
ARITHMETIC(div)
ROUNDED(fsqrt_s, FD, boxed(fp32_sqrt(S1, rm, flags)))
ROUNDED(fsqrt_d, FD, fp64_sqrt(D1, rm, flags))

#define FUSED(name, negate)                                               \
    ROUNDED(name##_s, FD, boxed(fp32_fma(S1, S2, S3, negate, rm, flags))) \
    ROUNDED(name##_d, FD, fp64_fma(D1, D2, D3, negate, rm, flags))
FUSED(fmadd, 0)
FUSED(fmsub, FP_NEG_ADDEND)
FUSED(fnmsub, FP_NEG_PRODUCT)
FUSED(fnmadd, FP_NEG_PRODUCT | FP_NEG_ADDEND)

#define SIGN(name)                                     \
    PLAIN(f##name##_s, FD, boxed(fp32_##name(S1, S2))) \
    PLAIN(f##name##_d, FD, fp64_##name(D1, D2))
SIGN(sgnj)
SIGN(sgnjn)
SIGN(sgnjx)

#define CHOICE(name)                                          \
    PLAIN(f##name##_s, FD, boxed(fp32_##name(S1, S2, flags))) \
    PLAIN(f##name##_d, FD, fp64_##name(D1, D2, flags))
CHOICE(min)
CHOICE(max)

#define COMPARE(name)                                  \
    PLAIN(f##name##_s, XD, fp32_##name(S1, S2, flags)) \
    PLAIN(f##name##_d, XD, fp64_##name(D1, D2, flags))
COMPARE(eq)
COMPARE(lt)
COMPARE(le)

PLAIN(fclass_s, XD, fp32_class(S1))
PLAIN(fclass_d, XD, fp64_class(D1))

/* 32-bit results, unsigned ones too, come sign-extended. */
#define WORD(x) (uint64_t)(int32_t)(uint32_t)(x)
#define TO_INTEGER(suffix, source, width)                                     \
    ROUNDED(fcvt_w_##suffix, XD, WORD(width##_to_int(source, 32, rm, flags))) \
    ROUNDED(fcvt_wu_##suffix, XD,                                             \
            WORD(width##_to_uint(source, 32, rm, flags)))                     \
    ROUNDED(fcvt_l_##suffix, XD, width##_to_int(source, 64, rm, flags))       \
    ROUNDED(fcvt_lu_##suffix, XD, width##_to_uint(source, 64, rm, flags))
TO_INTEGER(s, S1, fp32)
TO_INTEGER(d, D1, fp64)

#define X1 h->x[i->rs1]
ROUNDED(fcvt_s_w, FD, boxed(fp32_from_int((int32_t)(uint32_t)X1, rm, flags)))
ROUNDED(fcvt_s_wu, FD, boxed(fp32_from_uint((uint32_t)X1, rm, flags)))
ROUNDED(fcvt_s_l, FD, boxed(fp32_from_int((int64_t)X1, rm, flags)))
ROUNDED(fcvt_s_lu, FD, boxed(fp32_from_uint(X1, rm, flags)))
ROUNDED(fcvt_d_w, FD, fp64_from_int((int32_t)(uint32_t)X1, rm, flags))
ROUNDED(fcvt_d_wu, FD, fp64_from_uint((uint32_t)X1, rm, flags))
ROUNDED(fcvt_d_l, FD, fp64_from_int((int64_t)X1, rm, flags))
ROUNDED(fcvt_d_lu, FD, fp64_from_uint(X1, rm, flags))
ROUNDED(fcvt_s_d, FD, boxed(fp32_from_fp64(D1, rm, flags)))
ROUNDED(fcvt_d_s, FD, fp64_from_fp32(S1, flags))

PLAIN(fmv_x_w, XD, WORD(h->f[i->rs1]))
PLAIN(fmv_w_x, FD, boxed((uint32_t)X1))
PLAIN(fmv_x_d, XD, D1)
PLAIN(fmv_d_x, FD, X1)
