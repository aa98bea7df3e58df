/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fixed point, carries and narrowing on SEM_W-bit numbers (RVV chapters 11.4,
 * 11.7, 12); sem.h includes this file for 8, 16, 32 and 64, as sem_int.h.
 *
 *     d = sem_aadd_8(vs2[i], vs1[i], vxrm, &vxsat);
 *
 * a is vs2, b is vs1, rs1 or the immediate.  vxrm is of enum sem_vxrm;
 * *vxsat becomes 1 if the result saturates; the functions never clear it.
 * Functions with the same operands have the same type.
 */
#define SEM_JOIN(a, b, c)  a##b##c
#define SEM_JOIN3(a, b, c) SEM_JOIN(a, b, c)
#define SEM_INT(name)      SEM_JOIN3(sem_##name##_, SEM_W, )
#define U                  SEM_JOIN3(uint, SEM_W, _t)
#define S                  SEM_JOIN3(int, SEM_W, _t)
#define UP                 SEM_JOIN3(sem_up_, SEM_W, )
#define U2                 SEM_JOIN3(sem_twice_, SEM_W, )
#define S2                 SEM_JOIN3(sem_stwice_, SEM_W, )
#define LOWEST             ((U)((U)1 << (SEM_W - 1)))
#define ONES               ((U) ~(U)0)

/* ---- saturating sums and differences ---- */

static inline U
SEM_INT(saddu)(U a, U b, unsigned vxrm, unsigned *vxsat)
{
    U sum = (U)((UP)a + b);
    (void)vxrm;
    *vxsat |= sum < a;
    return sum < a ? ONES : sum;
}

static inline U
SEM_INT(ssubu)(U a, U b, unsigned vxrm, unsigned *vxsat)
{
    (void)vxrm;
    *vxsat |= a < b;
    return a < b ? 0 : (U)((UP)a - b);
}

/* The end of the range on the side of a's sign. */
static inline U
SEM_INT(limit)(U a)
{
    return (U)((U)(LOWEST - 1) + (U)(a >> (SEM_W - 1)));
}

/* Signed overflow: both operands have the sign that the sum does not have. */
static inline U
SEM_INT(sadd)(U a, U b, unsigned vxrm, unsigned *vxsat)
{
    U sum = (U)((UP)a + b);
    bool over = (((UP)a ^ sum) & ((UP)b ^ sum)) >> (SEM_W - 1) & 1;
    (void)vxrm;
    *vxsat |= over;
    return over ? SEM_INT(limit)(a) : sum;
}

static inline U
SEM_INT(ssub)(U a, U b, unsigned vxrm, unsigned *vxsat)
{
    U rest = (U)((UP)a - b);
    bool over = (((UP)a ^ b) & ((UP)a ^ rest)) >> (SEM_W - 1) & 1;
    (void)vxrm;
    *vxsat |= over;
    return over ? SEM_INT(limit)(a) : rest;
}

/* ---- averages: one bit is rounded off ---- */

/* Rounds low + `half` / 2. */
static inline U
SEM_INT(round_half)(U low, UP half, unsigned vxrm)
{
    UP odd = low & 1u;
    UP up = vxrm == SEM_RNU   ? half
            : vxrm == SEM_RNE ? (half & odd)
            : vxrm == SEM_ROD ? (half & (odd ^ 1u))
                              : 0;
    return (U)(low + up);
}

/* The sum: a + b is twice the bits that both have, plus the bits that one has. */
static inline U
SEM_INT(aaddu)(U a, U b, unsigned vxrm, unsigned *vxsat)
{
    U one = (U)((UP)a ^ b);
    (void)vxsat;
    return SEM_INT(round_half)((U)((UP)(a & b) + (one >> 1)), one & 1u, vxrm);
}

static inline U
SEM_INT(aadd)(U a, U b, unsigned vxrm, unsigned *vxsat)
{
    U one = (U)((UP)a ^ b);
    (void)vxsat;
    return SEM_INT(round_half)((U)((UP)(a & b) + (UP)((S)one >> 1)), one & 1u,
                               vxrm);
}

/* The difference: a - b is the bits that one has, less twice the bits that only b has. */
static inline U
SEM_INT(asubu)(U a, U b, unsigned vxrm, unsigned *vxsat)
{
    U one = (U)((UP)a ^ b);
    (void)vxsat;
    return SEM_INT(round_half)((U)((UP)(one >> 1) - (U)(~(UP)a & b)), one & 1u,
                               vxrm);
}

static inline U
SEM_INT(asub)(U a, U b, unsigned vxrm, unsigned *vxsat)
{
    U one = (U)((UP)a ^ b);
    (void)vxsat;
    return SEM_INT(round_half)((U)((UP)((S)one >> 1) - (U)(~(UP)a & b)),
                               one & 1u, vxrm);
}

/* ---- rounding shifts ---- */

/* The rounding increment of v >> n, n below the width: 0 or 1. */
static inline U
SEM_INT(increment)(U v, unsigned n, unsigned vxrm)
{
    U below = (U)(v & (((UP)1 << n) - 1));
    U half = (U)(n ? (UP)1 << (n - 1) : 0);
    bool odd = (UP)v >> n & 1;
    switch ((enum sem_vxrm)vxrm) {
    case SEM_RNU:
        return n && below >= half;
    case SEM_RNE:
        return n && (below > half || (below == half && odd));
    case SEM_RDN:
        return 0;
    case SEM_ROD:
        return !odd && below;
    }
    return 0;
}

static inline U
SEM_INT(ssrl)(U a, U b, unsigned vxrm, unsigned *vxsat)
{
    unsigned n = b & (SEM_W - 1);
    (void)vxsat;
    return (U)((a >> n) + SEM_INT(increment)(a, n, vxrm));
}

static inline U
SEM_INT(ssra)(U a, U b, unsigned vxrm, unsigned *vxsat)
{
    unsigned n = b & (SEM_W - 1);
    (void)vxsat;
    return (U)((UP)((S)a >> n) + SEM_INT(increment)(a, n, vxrm));
}

/* The upper W + 1 bits of the product; only lowest * lowest overflows. */
static inline U
SEM_INT(smul)(U a, U b, unsigned vxrm, unsigned *vxsat)
{
    U low = SEM_INT(mul)(a, b), high = SEM_INT(mulh)(a, b);
    U r = (U)((UP)high << 1 | low >> (SEM_W - 1));
    UP odd = r & 1u, rest = low & (U)(LOWEST - 1), half = LOWEST >> 1;
    UP up = vxrm == SEM_RNU   ? rest >= half
            : vxrm == SEM_RNE ? (rest > half || (rest == half && odd))
            : vxrm == SEM_ROD ? (!odd && rest)
                              : 0;
    bool over = a == LOWEST && b == LOWEST;
    *vxsat |= over;
    return over ? (U)(LOWEST - 1) : (U)(r + up);
}

/* ---- with a carry, 0 or 1 ---- */

static inline U
SEM_INT(adc)(U a, U b, U carry)
{
    return (U)((UP)a + b + carry);
}

static inline U
SEM_INT(sbc)(U a, U b, U borrow)
{
    return (U)((UP)a - b - borrow);
}

static inline U
SEM_INT(madc)(U a, U b, U carry)
{
    U sum = (U)((UP)a + b);
    return sum < a || (U)((UP)sum + carry) < sum;
}

static inline U
SEM_INT(msbc)(U a, U b, U borrow)
{
    return a < b || (a == b && borrow);
}

/* ---- narrowing from twice the width ---- */
#if SEM_W < 64

static inline U
SEM_INT(nsrl)(U2 a, U b, unsigned vxrm, unsigned *vxsat)
{
    (void)vxrm;
    (void)vxsat;
    return (U)(a >> (b & (2 * SEM_W - 1)));
}

static inline U
SEM_INT(nsra)(U2 a, U b, unsigned vxrm, unsigned *vxsat)
{
    (void)vxrm;
    (void)vxsat;
    return (U)((S2)a >> (b & (2 * SEM_W - 1)));
}

static inline U
SEM_INT(nclipu)(U2 a, U b, unsigned vxrm, unsigned *vxsat)
{
    unsigned n = b & (2 * SEM_W - 1);
    uint64_t r = ((uint64_t)a >> n) + sem_increment_64(a, n, vxrm);
    *vxsat |= r > ONES;
    return r > ONES ? ONES : (U)r;
}

static inline U
SEM_INT(nclip)(U2 a, U b, unsigned vxrm, unsigned *vxsat)
{
    unsigned n = b & (2 * SEM_W - 1);
    int64_t r =
        ((int64_t)(S2)a >> n) + (int64_t)sem_increment_64((uint64_t)a, n, vxrm);
    const int64_t most = LOWEST - 1, least = -most - 1;
    *vxsat |= r > most || r < least;
    return (U)(r > most ? most : r < least ? least : r);
}
#endif

#undef SEM_JOIN
#undef SEM_JOIN3
#undef SEM_INT
#undef U
#undef S
#undef UP
#undef U2
#undef S2
#undef LOWEST
#undef ONES
#undef SEM_W
