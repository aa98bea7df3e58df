/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Integer operations on SEM_W-bit numbers; sem.h includes this file for 8, 16,
 * 32 and 64.  It has no include guard, because it is included several times.
 *
 * Operands are unsigned; signed operations interpret the same bits as two's
 * complement.  In scalar instructions a is rs1 and b rs2 or the immediate; in
 * vector instructions a is vs2 and b vs1, rs1 or the immediate.  The comments of
 * the operations with an accumulator name their operands.
 */
#define SEM_JOIN(a, b, c)  a##b##c
#define SEM_JOIN3(a, b, c) SEM_JOIN(a, b, c)
#define SEM_INT(name)      SEM_JOIN3(sem_##name##_, SEM_W, )
#define U                  SEM_JOIN3(uint, SEM_W, _t)
#define S                  SEM_JOIN3(int, SEM_W, _t)
/* An unsigned type of at least 32 bits, so that nothing is promoted to a signed int. */
#define UP SEM_JOIN3(sem_up_, SEM_W, )

static inline U
SEM_INT(add)(U a, U b)
{
    return (U)((UP)a + b);
}

static inline U
SEM_INT(sub)(U a, U b)
{
    return (U)((UP)a - b);
}

static inline U
SEM_INT(rsub)(U a, U b)
{
    return (U)((UP)b - a);
}

static inline U SEM_INT (and)(U a, U b)
{
    return a & b;
}

static inline U SEM_INT(or)(U a, U b)
{
    return a | b;
}

static inline U SEM_INT (xor)(U a, U b)
{
    return a ^ b;
}

static inline U
SEM_INT(andn)(U a, U b)
{
    return (U)(a & ~(UP)b);
}

static inline U
SEM_INT(orn)(U a, U b)
{
    return (U)(a | ~(UP)b);
}

static inline U
SEM_INT(nand)(U a, U b)
{
    return (U) ~((UP)a & b);
}

static inline U
SEM_INT(nor)(U a, U b)
{
    return (U) ~((UP)a | b);
}

static inline U
SEM_INT(xnor)(U a, U b)
{
    return (U) ~((UP)a ^ b);
}

/* A move is an operation on b: vmv.v.v has vs1, vmv.v.x rs1. */
static inline U
SEM_INT(mv)(U a, U b)
{
    (void)a;
    return b;
}

/* ---- shifts by the low log2(width) bits of the amount ---- */

static inline U
SEM_INT(sll)(U a, U b)
{
    return (U)((UP)a << (b & (SEM_W - 1)));
}

static inline U
SEM_INT(srl)(U a, U b)
{
    return (U)(a >> (b & (SEM_W - 1)));
}

static inline U
SEM_INT(sra)(U a, U b)
{
    return (U)((S)a >> (b & (SEM_W - 1)));
}

/* ---- compares: 0 or 1 ---- */

static inline U
SEM_INT(seq)(U a, U b)
{
    return a == b;
}

static inline U
SEM_INT(sne)(U a, U b)
{
    return a != b;
}

static inline U
SEM_INT(slt)(U a, U b)
{
    return (S)a < (S)b;
}

static inline U
SEM_INT(sltu)(U a, U b)
{
    return a < b;
}

static inline U
SEM_INT(sle)(U a, U b)
{
    return (S)a <= (S)b;
}

static inline U
SEM_INT(sleu)(U a, U b)
{
    return a <= b;
}

static inline U
SEM_INT(sgt)(U a, U b)
{
    return (S)a > (S)b;
}

static inline U
SEM_INT(sgtu)(U a, U b)
{
    return a > b;
}

static inline U
SEM_INT(sge)(U a, U b)
{
    return (S)a >= (S)b;
}

static inline U
SEM_INT(sgeu)(U a, U b)
{
    return a >= b;
}

static inline U
SEM_INT(min)(U a, U b)
{
    return (S)a < (S)b ? a : b;
}

static inline U
SEM_INT(max)(U a, U b)
{
    return (S)a > (S)b ? a : b;
}

static inline U
SEM_INT(minu)(U a, U b)
{
    return a < b ? a : b;
}

static inline U
SEM_INT(maxu)(U a, U b)
{
    return a > b ? a : b;
}

/* ---- multiply ---- */

static inline U
SEM_INT(mul)(U a, U b)
{
    return (U)((UP)a * b);
}

static inline U
SEM_INT(mulhu)(U a, U b)
{
#if SEM_W == 64
    return sem_high_64(a, b);
#else
    return (U)(((uint64_t)a * b) >> SEM_W);
#endif
}

/* High half of signed times signed: each negative factor adds 2^W times the
 * other one to the unsigned product. */
static inline U
SEM_INT(mulh)(U a, U b)
{
#if SEM_W == 64
    return sem_high_64(a, b) - ((S)a < 0 ? b : 0) - ((S)b < 0 ? a : 0);
#else
    return (U)(((int64_t)(S)a * (S)b) >> SEM_W);
#endif
}

static inline U
SEM_INT(mulhsu)(U a, U b)
{
#if SEM_W == 64
    return sem_high_64(a, b) - ((S)a < 0 ? b : 0);
#else
    return (U)(((int64_t)(S)a * (int64_t)b) >> SEM_W);
#endif
}

/* Multiply-add with an accumulator: a is vs1 or rs1, b is vs2, c is vd. */
static inline U
SEM_INT(madd)(U a, U b, U c)
{
    return (U)((UP)a * c + b);
}

static inline U
SEM_INT(nmsub)(U a, U b, U c)
{
    return (U)(b - (UP)a * c);
}

static inline U
SEM_INT(macc)(U a, U b, U c)
{
    return (U)((UP)a * b + c);
}

static inline U
SEM_INT(nmsac)(U a, U b, U c)
{
    return (U)(c - (UP)a * b);
}

/* ---- divide: nothing traps (RISC-V M, table of section 7.2) ---- */

static inline U
SEM_INT(divu)(U a, U b)
{
    return (U)(b ? a / b : (U)-1);
}

static inline U
SEM_INT(remu)(U a, U b)
{
    return (U)(b ? a % b : a);
}

/* By zero: -1.  The one overflow, lowest / -1, gives the lowest number. */
static inline U
SEM_INT(div)(U a, U b)
{
    if (!b)
        return (U)-1;
    if (b == (U)-1)
        return (U)(0 - (UP)a);
    return (U)((S)a / (S)b);
}

static inline U
SEM_INT(rem)(U a, U b)
{
    if (!b)
        return a;
    if (b == (U)-1)
        return 0;
    return (U)((S)a % (S)b);
}

/* ---- ABS and NEG of a prefix (draft, PREFIX) ---- */

static inline U
SEM_INT(abs)(U a)
{
    return (S)a < 0 ? (U)(0 - (UP)a) : a;
}

static inline U
SEM_INT(neg)(U a)
{
    return (U)(0 - (UP)a);
}

#undef SEM_JOIN
#undef SEM_JOIN3
#undef SEM_INT
#undef U
#undef S
#undef UP
#undef SEM_W
