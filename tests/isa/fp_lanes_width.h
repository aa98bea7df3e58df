/* SPDX-License-Identifier: Apache-2.0 */
/* One format of fp_lanes.c. */
#include "isa/softfloat_format.h"

#undef FP_LANE
#if FP_WIDTH == 16
#define FP_LANE uint32_t /* with anything above the half */
#else
#define FP_LANE FP_UINT
#endif

struct FP(lanes) {
    enum fp_rm rm;
    unsigned n;
    FP_LANE a[LANES], b[LANES], c[LANES], hard[LANES], soft[LANES];
};

static void
FP(compare)(const char *name, const struct FP(lanes) * l, unsigned hard,
            unsigned soft)
{
    for (unsigned i = 0; i < l->n; i++) {
        const uint64_t operand[] = { l->a[i], l->b[i], l->c[i] };
        if (l->hard[i] != l->soft[i])
            report(name, FP_WIDTH, l->rm, operand, l->hard[i], l->soft[i]);
    }
    if (hard != soft) {
        const uint64_t operand[] = { l->a[0], l->b[0], l->c[0] };
        printf("flags, first of %u lanes, ", l->n);
        report(name, FP_WIDTH, l->rm, operand, hard, soft);
    }
}

/* Runs a kernel as HARD and softfloat as SOFT, lane i. */
#define CHECK_LANES(name, HARD, SOFT)       \
    do {                                    \
        struct fp_host h;                   \
        unsigned flags = 0;                 \
        fp_host_enter(&h, l->rm);           \
        HARD;                               \
        unsigned hard = fp_host_leave(&h);  \
        for (unsigned i = 0; i < l->n; i++) \
            l->soft[i] = (FP_UINT)(SOFT);   \
        FP(compare)(name, l, hard, flags);  \
    } while (0)

static void
FP(check_rounding)(struct FP(lanes) * l)
{
    const enum fp_rm rm = l->rm;
    const FP_LANE *a = l->a, *b = l->b, *c = l->c;
    CHECK_LANES("add", FP(add_lanes)(&h, l->hard, a, b, l->n),
                FP(add)((FP_UINT)a[i], (FP_UINT)b[i], rm, &flags));
    CHECK_LANES("sub", FP(sub_lanes)(&h, l->hard, a, b, l->n),
                FP(sub)((FP_UINT)a[i], (FP_UINT)b[i], rm, &flags));
    CHECK_LANES("mul", FP(mul_lanes)(&h, l->hard, a, b, l->n),
                FP(mul)((FP_UINT)a[i], (FP_UINT)b[i], rm, &flags));
    CHECK_LANES("div", FP(div_lanes)(&h, l->hard, a, b, l->n),
                FP(div)((FP_UINT)a[i], (FP_UINT)b[i], rm, &flags));
    CHECK_LANES("sqrt", FP(sqrt_lanes)(&h, l->hard, a, l->n),
                FP(sqrt)((FP_UINT)a[i], rm, &flags));
    for (unsigned negate = 0; negate < 4; negate++)
        CHECK_LANES("fma", FP(fma_lanes)(&h, l->hard, a, b, c, negate, l->n),
                    FP(fma)((FP_UINT)a[i], (FP_UINT)b[i], (FP_UINT)c[i], negate,
                            rm, &flags));
    /* In place. */
    memcpy(l->hard, a, sizeof l->hard);
    CHECK_LANES("add in place", FP(add_lanes)(&h, l->hard, l->hard, b, l->n),
                FP(add)((FP_UINT)a[i], (FP_UINT)b[i], rm, &flags));
}

static void
FP(check_integer)(struct FP(lanes) * l)
{
    const enum fp_rm rm = l->rm;
    const FP_LANE *a = l->a, *b = l->b;
    CHECK_LANES("eq", FP(eq_lanes)(&h, l->hard, a, b, l->n),
                FP(eq)((FP_UINT)a[i], (FP_UINT)b[i], &flags));
    CHECK_LANES("ne", FP(ne_lanes)(&h, l->hard, a, b, l->n),
                !FP(eq)((FP_UINT)a[i], (FP_UINT)b[i], &flags));
    CHECK_LANES("lt", FP(lt_lanes)(&h, l->hard, a, b, l->n),
                FP(lt)((FP_UINT)a[i], (FP_UINT)b[i], &flags));
    CHECK_LANES("le", FP(le_lanes)(&h, l->hard, a, b, l->n),
                FP(le)((FP_UINT)a[i], (FP_UINT)b[i], &flags));
    CHECK_LANES("min", FP(min_lanes)(&h, l->hard, a, b, l->n),
                FP(min)((FP_UINT)a[i], (FP_UINT)b[i], &flags));
    CHECK_LANES("max", FP(max_lanes)(&h, l->hard, a, b, l->n),
                FP(max)((FP_UINT)a[i], (FP_UINT)b[i], &flags));
    CHECK_LANES("to_int", FP(to_int_lanes)(&h, l->hard, a, l->n),
                FP(to_int)((FP_UINT)a[i], FP_WIDTH, rm, &flags));
    CHECK_LANES("to_uint", FP(to_uint_lanes)(&h, l->hard, a, l->n),
                FP(to_uint)((FP_UINT)a[i], FP_WIDTH, rm, &flags));
    CHECK_LANES("from_int", FP(from_int_lanes)(&h, l->hard, a, l->n),
                FP(from_int)((FP_INT)a[i], rm, &flags));
    CHECK_LANES("sgnj", FP(sgnj_lanes)(&h, l->hard, a, b, l->n),
                FP(sgnj)((FP_UINT)a[i], (FP_UINT)b[i]));
    CHECK_LANES("sgnjn", FP(sgnjn_lanes)(&h, l->hard, a, b, l->n),
                FP(sgnjn)((FP_UINT)a[i], (FP_UINT)b[i]));
    CHECK_LANES("sgnjx", FP(sgnjx_lanes)(&h, l->hard, a, b, l->n),
                FP(sgnjx)((FP_UINT)a[i], (FP_UINT)b[i]));
    CHECK_LANES("class", FP(class_lanes)(&h, l->hard, a, l->n),
                FP(class)((FP_UINT)a[i]));
    CHECK_LANES("from_uint", FP(from_uint_lanes)(&h, l->hard, a, l->n),
                FP(from_uint)((FP_UINT)a[i], rm, &flags));
}

/* Mostly one lane, so that its flags are seen alone; up to all. */
static void
FP(check)(struct fp_random *random)
{
    static struct FP(lanes) lanes;
    struct FP(lanes) *l = &lanes;
    l->n = fp_random(random) % 4 ? 1 : 1 + fp_random(random) % LANES;
    l->rm = (enum fp_rm)(fp_random(random) % 5);
    for (unsigned i = 0; i < l->n; i++) {
        FP_UINT x = (FP_UINT)fp_operand(random, FP_WIDTH);
        FP_UINT y = (FP_UINT)fp_partner(random, FP_WIDTH, x);
        unsigned ignored = 0;
        FP_UINT product = FP(mul)(x, y, FP_RNE, &ignored);
        FP_UINT z = (FP_UINT)fp_partner(random, FP_WIDTH, product);
        FP_LANE above = (FP_LANE)fp_random(random) ^ (FP_UINT)-1;
        above &= (FP_LANE) ~(FP_LANE)(FP_UINT)-1;
        l->a[i] = x | above;
        l->b[i] = y | above;
        l->c[i] = z | above;
    }
    FP(check_rounding)(l);
    FP(check_integer)(l);
}

#undef CHECK_LANES
#undef FP_WIDTH
