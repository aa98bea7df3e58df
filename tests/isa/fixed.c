/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fixed point against its definitions (RVV 3.8, chapter 12) in integers of 128
 * bits: all pairs of bytes, corners and random numbers of other widths, in all
 * rounding modes.
 */
#include "isa/sem.h"
#include "test.h"

__extension__ typedef __int128 wide;

/* v / 2^d, rounded as the table of RVV 3.8 says. */
static wide
roundoff(wide v, unsigned d, unsigned vxrm)
{
    wide unit = (wide)1 << d, floor = v >> d, rest = v - floor * unit;
    bool up = false;
    switch (vxrm) {
    case 0:
        up = 2 * rest >= unit && d;
        break;
    case 1:
        up = 2 * rest > unit || (2 * rest == unit && floor & 1);
        break;
    case 2:
        break;
    case 3:
        up = rest && !(floor & 1);
        break;
    }
    return floor + up;
}

enum form {
    SADDU,
    SADD,
    SSUBU,
    SSUB,
    AADDU,
    AADD,
    ASUBU,
    ASUB,
    SSRL,
    SSRA,
    SMUL,
    NSRL,
    NSRA,
    NCLIPU,
    NCLIP
};

static const bool is_signed[] = { 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1 };
static const bool saturates[] = { 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 1 };

static wide
number(uint64_t x, unsigned width, bool with_sign)
{
    wide v =
        (wide)(x & (width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1));
    return with_sign && v >> (width - 1) & 1 ? v - ((wide)1 << width) : v;
}

/* The result before it is cut to its width. */
static wide
exact(enum form f, uint64_t a, uint64_t b, unsigned w, unsigned vxrm)
{
    bool sign = is_signed[f];
    wide x = number(a, f >= NSRL ? 2 * w : w, sign), y = number(b, w, sign);
    unsigned by = (unsigned)b & ((f >= NSRL ? 2 * w : w) - 1);
    switch (f) {
    case SADDU:
    case SADD:
        return x + y;
    case SSUBU:
    case SSUB:
        return x - y;
    case AADDU:
    case AADD:
        return roundoff(x + y, 1, vxrm);
    case ASUBU:
    case ASUB:
        return roundoff(x - y, 1, vxrm);
    case SSRL:
    case SSRA:
    case NCLIPU:
    case NCLIP:
        return roundoff(x, by, vxrm);
    case SMUL:
        return roundoff(x * y, w - 1, vxrm);
    case NSRL:
    case NSRA:
        return x >> by;
    }
    return 0;
}

static uint64_t
expected(enum form f, uint64_t a, uint64_t b, unsigned w, unsigned vxrm,
         unsigned *sat)
{
    wide r = exact(f, a, b, w, vxrm);
    wide most = ((wide)1 << (is_signed[f] ? w - 1 : w)) - 1;
    wide least = is_signed[f] ? -most - 1 : 0;
    *sat = saturates[f] && (r > most || r < least);
    if (*sat)
        r = r > most ? most : least;
    return (uint64_t)number((uint64_t)r, w, false);
}

#define ROW(name, W) \
    case W:          \
        return sem_##name##_##W((uint##W##_t)a, (uint##W##_t)b, vxrm, sat);
#define ALL(NAME, name)                                            \
    case NAME:                                                     \
        switch (w) {                                               \
            ROW(name, 8) ROW(name, 16) ROW(name, 32) ROW(name, 64) \
        }                                                          \
        break;
#define TWICE(W, T, name) \
    case W:               \
        return sem_##name##_##W((T)a, (uint##W##_t)b, vxrm, sat);
#define NARROW(NAME, name)                                      \
    case NAME:                                                  \
        switch (w) {                                            \
            TWICE(8, uint16_t, name)                            \
            TWICE(16, uint32_t, name) TWICE(32, uint64_t, name) \
        }                                                       \
        break;

static uint64_t
computed(enum form f, uint64_t a, uint64_t b, unsigned w, unsigned vxrm,
         unsigned *sat)
{
    switch (f) {
        ALL(SADDU, saddu)
        ALL(SADD, sadd)
        ALL(SSUBU, ssubu)
        ALL(SSUB, ssub)
        ALL(AADDU, aaddu)
        ALL(AADD, aadd)
        ALL(ASUBU, asubu)
        ALL(ASUB, asub)
        ALL(SSRL, ssrl)
        ALL(SSRA, ssra)
        ALL(SMUL, smul)
        NARROW(NSRL, nsrl)
        NARROW(NSRA, nsra)
        NARROW(NCLIPU, nclipu)
        NARROW(NCLIP, nclip)
    }
    return 0;
}

static bool
same(enum form f, uint64_t a, uint64_t b, unsigned w)
{
    for (unsigned vxrm = 0; vxrm < 4; vxrm++) {
        unsigned sat = 0, over;
        uint64_t r = computed(f, a, b, w, vxrm, &sat);
        uint64_t e = expected(f, a, b, w, vxrm, &over);
        if (CHECK(r == e && sat == over))
            continue;
        printf("  form %d, width %u, vxrm %u: %#llx, %#llx: %#llx (%u), "
               "expected %#llx (%u)\n",
               f, w, vxrm, (unsigned long long)a, (unsigned long long)b,
               (unsigned long long)r, sat, (unsigned long long)e, over);
        return false;
    }
    return true;
}

TEST(all_bytes)
{
    for (enum form f = SADDU; f < NSRL; f++)
        for (unsigned a = 0, ok = 1; a < 256 && ok; a++)
            for (unsigned b = 0; b < 256 && ok; b++)
                ok = same(f, a, b, 8);
}

TEST(all_halfwords_become_bytes)
{
    for (enum form f = NSRL; f <= NCLIP; f++)
        for (unsigned a = 0, ok = 1; a < 65536 && ok; a++)
            for (unsigned b = 0; b < 17 && ok; b++)
                ok = same(f, a, b, 8);
}

/* Corners of each width, and xorshift64. */
static uint64_t
operand(uint64_t *state, unsigned w)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    uint64_t x = *state;
    if (x >> 61)
        return x;
    return (UINT64_C(1) << (x >> 8) % w) + (x & 3) - 2;
}

TEST(corners_of_other_widths)
{
    uint64_t state = 88172645463325252;
    for (unsigned w = 16; w <= 64; w *= 2)
        for (enum form f = SADDU; f <= NCLIP; f++)
            for (unsigned i = 0, ok = 1; i < 20000 && ok; i++) {
                if (f >= NSRL && w == 64)
                    break;
                uint64_t a = operand(&state, f >= NSRL ? 2 * w : w);
                ok = same(f, a, operand(&state, w), w);
            }
}

TEST(carries_of_bytes)
{
    for (unsigned a = 0; a < 256; a++)
        for (unsigned b = 0; b < 256; b++)
            for (uint8_t c = 0; c < 2; c++) {
                int sum = (int)(a + b + c), rest = (int)a - (int)b - c;
                uint8_t x = (uint8_t)a, y = (uint8_t)b;
                CHECK(sem_adc_8(x, y, c) == (uint8_t)sum);
                CHECK(sem_madc_8(x, y, c) == (sum > 255));
                CHECK(sem_sbc_8(x, y, c) == (uint8_t)rest);
                CHECK(sem_msbc_8(x, y, c) == (rest < 0));
            }
}

TEST_MAIN
