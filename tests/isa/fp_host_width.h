/* SPDX-License-Identifier: Apache-2.0 */
/* One format of fp_host.c: HOST, HOST_FMA and HOST_SQRT belong to FP_WIDTH. */
#include "isa/softfloat_format.h"

static HOST
FP(host)(FP_UINT bits)
{
    volatile FP_UINT hidden = bits;
    bits = hidden;
    HOST x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static FP_UINT
FP(bits)(HOST x)
{
    FP_UINT bits;
    memcpy(&bits, &x, sizeof bits);
    return FP(is_nan)(bits) ? FP_CANONICAL : bits;
}

static void
FP(check_binary)(enum fp_rm rm, FP_UINT a, FP_UINT b)
{
    static const char *const names[] = { "add", "sub", "mul", "div" };
    for (unsigned k = 0; k < 4; k++) {
        struct operation o = { names[k], FP_WIDTH, rm, a, b, 0 };
        volatile HOST x = FP(host)(a), y = FP(host)(b), z = 0;
        unsigned f = 0;
        feclearexcept(FE_ALL_EXCEPT);
        FP_UINT ours = 0;
        switch (k) {
        case 0:
            z = x + y;
            ours = FP(add)(a, b, rm, &f);
            break;
        case 1:
            z = x - y;
            ours = FP(sub)(a, b, rm, &f);
            break;
        case 2:
            z = x * y;
            ours = FP(mul)(a, b, rm, &f);
            break;
        case 3:
            z = x / y;
            ours = FP(div)(a, b, rm, &f);
            break;
        }
        compare(&o, ours, f, FP(bits)(z), host_flags());
    }
}

static void
FP(check_fma)(enum fp_rm rm, FP_UINT a, FP_UINT b, FP_UINT c)
{
    struct operation o = { "fma", FP_WIDTH, rm, a, b, c };
    volatile HOST x = FP(host)(a), y = FP(host)(b), z = FP(host)(c);
    unsigned flags = 0;
    FP_UINT ours = FP(fma)(a, b, c, 0, rm, &flags);
    feclearexcept(FE_ALL_EXCEPT);
    volatile HOST r = HOST_FMA(x, y, z);
    unsigned want = host_flags();
    /* IEEE 754 leaves this one open, RISC-V does not. */
    bool inf_times_zero = (isinf(x) && y == 0) || (x == 0 && isinf(y));
    if (inf_times_zero && FP(is_nan)(c))
        want |= FP_NV;
    compare(&o, ours, flags, FP(bits)(r), want);
    for (unsigned negate = 1; negate < 4; negate++) {
        /* Rounding is not symmetric: compare with negated operands. */
        unsigned f = 0, g = 0;
        FP_UINT n = FP(fma)(a, b, c, negate, rm, &f);
        FP_UINT na = negate & FP_NEG_PRODUCT ? a ^ FP_SIGN : a;
        FP_UINT nc = negate & FP_NEG_ADDEND ? c ^ FP_SIGN : c;
        FP_UINT m = FP(fma)(na, b, nc, 0, rm, &g);
        compare(&o, n, f, m, g);
    }
}

static void
FP(check_sqrt)(enum fp_rm rm, FP_UINT a)
{
    struct operation o = { "sqrt", FP_WIDTH, rm, a, 0, 0 };
    volatile HOST x = FP(host)(a);
    unsigned flags = 0;
    FP_UINT ours = FP(sqrt)(a, rm, &flags);
    feclearexcept(FE_ALL_EXCEPT);
    volatile HOST r = HOST_SQRT(x);
    compare(&o, ours, flags, FP(bits)(r), host_flags());
}

static void
FP(check_compare)(FP_UINT a, FP_UINT b)
{
    struct operation o = { "compare", FP_WIDTH, FP_RNE, a, b, 0 };
    volatile HOST x = FP(host)(a), y = FP(host)(b);
    unsigned f[3] = { 0 };
    bool nan = FP(is_nan)(a) || FP(is_nan)(b);
    unsigned quiet = FP(is_snan)(a) || FP(is_snan)(b) ? FP_NV : 0;
    bool eq = FP(eq)(a, b, &f[0]);
    bool lt = FP(lt)(a, b, &f[1]);
    bool le = FP(le)(a, b, &f[2]);
    compare(&o, eq, f[0], x == y, quiet);
    compare(&o, lt, f[1], x < y, nan ? FP_NV : 0);
    compare(&o, le, f[2], x <= y, nan ? FP_NV : 0);
}

/* llrint is exact and raises what RISC-V raises, if the result fits. */
static void
FP(check_integers)(enum fp_rm rm, FP_UINT a, uint64_t integer)
{
    struct operation o = { "to_int", FP_WIDTH, rm, a, 0, 0 };
    volatile HOST x = FP(host)(a);
    unsigned flags = 0;
    if (x > (HOST)-0x1p62 && x < (HOST)0x1p62) {
        feclearexcept(FE_ALL_EXCEPT);
        volatile long long host = llrint((double)x);
        unsigned want = host_flags();
        int64_t ours = FP(to_int)(a, 64, rm, &flags);
        compare(&o, (uint64_t)ours, flags, (uint64_t)host, want);
    }
    o = (struct operation){ "from_int", FP_WIDTH, rm, integer, 0, 0 };
    volatile int64_t i = (int64_t)integer;
    flags = 0;
    feclearexcept(FE_ALL_EXCEPT);
    volatile HOST s = (HOST)i;
    FP_UINT ours = FP(from_int)((int64_t)integer, rm, &flags);
    compare(&o, ours, flags, FP(bits)(s), host_flags());
    /* Unsigned ones below 2^63 are the same; the oracle does the others. */
    flags = 0;
    feclearexcept(FE_ALL_EXCEPT);
    i = (int64_t)(integer >> 1);
    volatile HOST u = (HOST)i;
    ours = FP(from_uint)(integer >> 1, rm, &flags);
    compare(&o, ours, flags, FP(bits)(u), host_flags());
}

static void
FP(check)(enum fp_rm rm, struct fp_random *random, uint64_t integer)
{
    FP_UINT a = (FP_UINT)fp_operand(random, FP_WIDTH);
    FP_UINT b = (FP_UINT)fp_partner(random, FP_WIDTH, a);
    /* Often close to the product, so that the sum cancels. */
    unsigned ignored = 0;
    FP_UINT product = FP(mul)(a, b, FP_RNE, &ignored) ^ FP_SIGN;
    FP_UINT c = (FP_UINT)fp_partner(random, FP_WIDTH, product);
    FP(check_binary)(rm, a, b);
    FP(check_fma)(rm, a, b, c);
    FP(check_sqrt)(rm, a);
    FP(check_compare)(a, b);
    FP(check_integers)(rm, a, integer);
}

#undef HOST
#undef HOST_FMA
#undef HOST_SQRT
#undef FP_WIDTH
