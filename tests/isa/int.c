/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every integer operation of isa/sem_int.h against its definition in integers
 * of 128 bits: all pairs of bytes; of the other widths, corners crossed.
 */
#include "isa/sem.h"
#include "test.h"

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 uwide;

#define X(name) OP_##name,
enum op { SEM_LIST2(X) SEM_LIST3(X) OP_COUNT };
#undef X
#define X(name) #name,
static const char *const names[] = { SEM_LIST2(X) SEM_LIST3(X) };
#undef X

static uint64_t
low(uint64_t x, unsigned width)
{
    return width == 64 ? x : x & ((UINT64_C(1) << width) - 1);
}

static wide
number(uint64_t x, unsigned width)
{
    wide v = (wide)low(x, width);
    return v >> (width - 1) & 1 ? v - ((wide)1 << width) : v;
}

/* RISC-V M, table of section 7.2: by zero, and where the quotient is 2^W. */
static wide
divide(wide a, wide b, bool rest)
{
    if (!b)
        return rest ? a : -1;
    return rest ? a % b : a / b;
}

/* a op b (op c), of which the low `width` bits count. */
static uint64_t
expected(enum op op, unsigned width, uint64_t ua, uint64_t ub, uint64_t uc)
{
    uwide a = ua, b = ub, c = uc;
    wide sa = number(ua, width), sb = number(ub, width);
    unsigned by = (unsigned)(ub & (width - 1));
    switch (op) {
    case OP_add:
        return (uint64_t)(a + b);
    case OP_sub:
        return (uint64_t)(a - b);
    case OP_rsub:
        return (uint64_t)(b - a);
    case OP_and:
        return ~(~ua | ~ub);
    case OP_or:
        return ~(~ua & ~ub);
    case OP_xor:
        return (ua | ub) - (uint64_t)(~(~ua | ~ub));
    case OP_andn:
        return ua - (ua & ub);
    case OP_orn:
        return ~(~ua & ub);
    case OP_nand:
        return ~ua | ~ub;
    case OP_nor:
        return ~ua & ~ub;
    case OP_xnor:
        return (ua & ub) | (~ua & ~ub);
    case OP_mv:
        return ub;
    case OP_sll:
        return (uint64_t)(a * ((uwide)1 << by));
    case OP_srl:
        return (uint64_t)(a / ((uwide)1 << by));
    case OP_sra: /* rounds down */
        return (uint64_t)((sa - (wide)((uwide)sa % ((uwide)1 << by))) /
                          ((wide)1 << by));
    case OP_seq:
        return sa == sb;
    case OP_sne:
        return sa != sb;
    case OP_slt:
        return sa < sb;
    case OP_sltu:
        return a < b;
    case OP_sle:
        return sa <= sb;
    case OP_sleu:
        return a <= b;
    case OP_sgt:
        return sa > sb;
    case OP_sgtu:
        return a > b;
    case OP_min:
        return sa < sb ? ua : ub;
    case OP_max:
        return sa > sb ? ua : ub;
    case OP_minu:
        return a < b ? ua : ub;
    case OP_maxu:
        return a > b ? ua : ub;
    case OP_mul:
        return (uint64_t)(sa * sb);
    case OP_mulh:
        return (uint64_t)((sa * sb) >> width);
    case OP_mulhsu:
        return (uint64_t)((sa * (wide)b) >> width);
    case OP_mulhu:
        return (uint64_t)((a * b) >> width);
    case OP_div:
        return (uint64_t)divide(sa, sb, false);
    case OP_divu:
        return (uint64_t)divide((wide)a, (wide)b, false);
    case OP_rem:
        return (uint64_t)divide(sa, sb, true);
    case OP_remu:
        return (uint64_t)divide((wide)a, (wide)b, true);
    case OP_madd:
        return (uint64_t)(a * c + b);
    case OP_nmsub:
        return (uint64_t)(b - a * c);
    case OP_macc:
        return (uint64_t)(a * b + c);
    case OP_nmsac:
        return (uint64_t)(c - a * b);
    case OP_COUNT:
        break;
    }
    return 0;
}

#define U(w) uint##w##_t
#define X2(w, name) \
    case OP_##name: \
        return sem_##name##_##w((U(w))a, (U(w))b);
#define X3(w, name) \
    case OP_##name: \
        return sem_##name##_##w((U(w))a, (U(w))b, (U(w))c);

#define RUN(w)                                                              \
    static uint64_t run_##w(enum op op, uint64_t a, uint64_t b, uint64_t c) \
    {                                                                       \
        switch (op) {                                                       \
            SEM_LIST2(X) SEM_LIST3(Y) case OP_COUNT : break;                \
        }                                                                   \
        return 0;                                                           \
    }
#define X(name) X2(8, name)
#define Y(name) X3(8, name)
RUN(8)
#undef X
#undef Y
#define X(name) X2(16, name)
#define Y(name) X3(16, name)
RUN(16)
#undef X
#undef Y
#define X(name) X2(32, name)
#define Y(name) X3(32, name)
RUN(32)
#undef X
#undef Y
#define X(name) X2(64, name)
#define Y(name) X3(64, name)
RUN(64)
#undef X
#undef Y

static bool
compare(unsigned width, uint64_t a, uint64_t b, uint64_t c)
{
    for (enum op op = 0; op < OP_COUNT; op++) {
        uint64_t got = width == 8    ? run_8(op, a, b, c)
                       : width == 16 ? run_16(op, a, b, c)
                       : width == 32 ? run_32(op, a, b, c)
                                     : run_64(op, a, b, c);
        uint64_t want = low(expected(op, width, a, b, c), width);
        if (!CHECK_EQ(got, want)) {
            printf("  %s of %u bits: 0x%llx, 0x%llx, 0x%llx\n", names[op],
                   width, (unsigned long long)a, (unsigned long long)b,
                   (unsigned long long)c);
            return false;
        }
    }
    return true;
}

TEST(all_pairs_of_bytes)
{
    for (unsigned a = 0; a < 256; a++)
        for (unsigned b = 0; b < 256; b++)
            if (!compare(8, a, b, (a * 7 + b * 13) & 255))
                return;
}

/* Zero and one, what is around each power of two, their negatives. */
TEST(corners_of_every_width)
{
    for (unsigned width = 16; width <= 64; width *= 2) {
        uint64_t at[600], n = 0;
        for (unsigned bit = 0; bit < width; bit++)
            for (int beside = -1; beside <= 1; beside++) {
                at[n++] = low((UINT64_C(1) << bit) + (uint64_t)beside, width);
                at[n] = low(0 - at[n - 1], width);
                n++;
            }
        for (uint64_t i = 0; i < n; i++)
            for (uint64_t k = 0; k < n; k++)
                if (!compare(width, at[i], at[k], at[(i + 3 * k) % n]))
                    return;
    }
}

TEST(absolute_values_and_negatives)
{
    for (int x = -128; x < 128; x++) {
        CHECK_EQ(sem_abs_8((uint8_t)x), (uint8_t)(x < 0 ? -x : x));
        CHECK_EQ(sem_neg_8((uint8_t)x), (uint8_t)-x);
    }
    CHECK_EQ(sem_abs_64(UINT64_MAX), 1);
    CHECK_EQ(sem_abs_64(0), 0);
    CHECK(sem_abs_64(UINT64_C(1) << 63) == UINT64_C(1) << 63);
    CHECK_EQ(sem_neg_32(1), UINT32_MAX);
    CHECK_EQ(sem_abs_16(0x8001), 0x7fff);
}

TEST_MAIN
