/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "isa/isa_meanings.h" /* generated: SEM_LIST2, SEM_LIST3 */

/*
 * The results of integer instructions: a pure function for every operation and width,
 * named by the MEANING column of ventus.isa: sem_add_32(a, b).  The lane loops of the
 * functional machine, the constant folder of the compiler and the tile extension call
 * these functions and do not compute a + b themselves.  Floating point is in sem_fp.h.
 *
 * Lists name all functions, for tables of them: those of sem_int.h are generated from
 * the table, the others are at the end.  Other effects of instructions (on memory, pc,
 * active mask) are in src/sim.
 */

typedef uint32_t sem_up_8;
typedef uint32_t sem_up_16;
typedef uint32_t sem_up_32;
typedef uint64_t sem_up_64;

/* The high 64 bits of a 128-bit product, from four 32-bit products. */
static inline uint64_t
sem_high_64(uint64_t a, uint64_t b)
{
    uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
    uint64_t mid = ah * bl + (al * bl >> 32);
    uint64_t mid2 = al * bh + (uint32_t)mid;
    return ah * bh + (mid >> 32) + (mid2 >> 32);
}

#define SEM_W 8
#include "isa/sem_int.h"
#define SEM_W 16
#include "isa/sem_int.h"
#define SEM_W 32
#include "isa/sem_int.h"
#define SEM_W 64
#include "isa/sem_int.h"

/* Rounding modes of fixed-point results: the vxrm CSR (RVV 3.8). */
enum sem_vxrm {
    SEM_RNU, /* to nearest, ties up */
    SEM_RNE, /* to nearest, ties to even */
    SEM_RDN, /* down: the bits shifted out are dropped */
    /* To odd: the last bit is set if the bits shifted out were not zero. */
    SEM_ROD
};

typedef uint16_t sem_twice_8;
typedef uint32_t sem_twice_16;
typedef uint64_t sem_twice_32;
typedef int16_t sem_stwice_8;
typedef int32_t sem_stwice_16;
typedef int64_t sem_stwice_32;

#define SEM_W 64 /* 64 comes first, as narrowing functions use its rounding */
#include "isa/sem_fixed.h"
#define SEM_W 8
#include "isa/sem_fixed.h"
#define SEM_W 16
#include "isa/sem_fixed.h"
#define SEM_W 32
#include "isa/sem_fixed.h"

/* The low `bits` of x, 1 to 64, widened to 64. */
static inline uint64_t
sem_zext(uint64_t x, unsigned bits)
{
    return x << (64 - bits) >> (64 - bits);
}

static inline uint64_t
sem_sext(uint64_t x, unsigned bits)
{
    return (uint64_t)((int64_t)(x << (64 - bits)) >> (64 - bits));
}

/* Widening operations (draft, RVV widening): 64 = 32 op 32.  Signed operands come
 * sign- extended and unsigned ones zero-extended to 64 bits, as SEM_WIDE_LIST states,
 * so that the operation itself is one of 64 bits. */
static inline uint64_t
sem_wide_add(uint64_t a, uint64_t b, uint64_t c)
{
    (void)c;
    return a + b;
}

static inline uint64_t
sem_wide_sub(uint64_t a, uint64_t b, uint64_t c)
{
    (void)c;
    return a - b;
}

static inline uint64_t
sem_wide_mul(uint64_t a, uint64_t b, uint64_t c)
{
    (void)c;
    return a * b;
}

static inline uint64_t
sem_wide_macc(uint64_t a, uint64_t b, uint64_t c)
{
    return a * b + c;
}

/* clang-format off */
/* Fixed-point operations: two sources, vxrm and vxsat. */
#define SEM_FIXED_LIST(X)                                            \
    X(saddu) X(sadd) X(ssubu) X(ssub) X(aaddu) X(aadd) X(asubu)      \
    X(asub) X(ssrl) X(ssra) X(smul)

/* Narrowing operations: as fixed point, with a first source of twice the width. */
#define SEM_NARROW_LIST(X) X(nsrl) X(nsra) X(nclipu) X(nclip)

/* X(meaning, function): operations with two sources and a carry, which is 0 for
 * meanings that end in 0. */
#define SEM_CARRY_LIST(X)                                            \
    X(adc, adc) X(sbc, sbc) X(madc, madc) X(msbc, msbc)              \
    X(madc0, madc) X(msbc0, msbc)

/* X(meaning, function, part): extensions of SEW / part bits. */
#define SEM_EXTEND_LIST(X)                                           \
    X(zext_vf2, zext, 2) X(zext_vf4, zext, 4) X(zext_vf8, zext, 8)   \
    X(sext_vf2, sext, 2) X(sext_vf4, sext, 4) X(sext_vf8, sext, 8)

/* X(meaning, function, a signed, b signed): widening operations.  With an accumulator
 * a is vs1 or rs1 and b is vs2, else a is vs2 and b is vs1 or rs1. */
#define SEM_WIDE_LIST(X)    \
    X(waddu, add, 0, 0)     \
    X(wadd, add, 1, 1)      \
    X(wsubu, sub, 0, 0)     \
    X(wsub, sub, 1, 1)      \
    X(waddu_w, add, 0, 0)   \
    X(wadd_w, add, 1, 1)    \
    X(wsubu_w, sub, 0, 0)   \
    X(wsub_w, sub, 1, 1)    \
    X(wmulu, mul, 0, 0)     \
    X(wmulsu, mul, 1, 0)    \
    X(wmul, mul, 1, 1)      \
    X(wmaccu, macc, 0, 0)   \
    X(wmacc, macc, 1, 1)    \
    X(wmaccus, macc, 0, 1)  \
    X(wmaccsu, macc, 1, 0)

/* X(meaning, compare): branches of the scalar unit and of threads. */
#define SEM_BRANCH_LIST(X) \
    X(eq, seq) X(ne, sne) X(lt, slt) X(ge, sge) X(ltu, sltu) X(geu, sgeu)
/* clang-format on */
