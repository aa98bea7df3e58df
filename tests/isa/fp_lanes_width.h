/* SPDX-License-Identifier: Apache-2.0 */
/* One format of fp_lanes.c. */
#include "isa/softfloat_format.h"

struct FP(lanes) {
    enum fp_rm rm;
    unsigned n;
    FP_UINT a[LANES], b[LANES], c[LANES], hard[LANES], soft[LANES];
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
    const FP_UINT *a = l->a, *b = l->b, *c = l->c;
    CHECK_LANES("add", FP(add_lanes)(&h, l->hard, a, b, l->n),
                FP(add)(a[i], b[i], rm, &flags));
    CHECK_LANES("sub", FP(sub_lanes)(&h, l->hard, a, b, l->n),
                FP(sub)(a[i], b[i], rm, &flags));
    CHECK_LANES("mul", FP(mul_lanes)(&h, l->hard, a, b, l->n),
                FP(mul)(a[i], b[i], rm, &flags));
    CHECK_LANES("div", FP(div_lanes)(&h, l->hard, a, b, l->n),
                FP(div)(a[i], b[i], rm, &flags));
    CHECK_LANES("sqrt", FP(sqrt_lanes)(&h, l->hard, a, l->n),
                FP(sqrt)(a[i], rm, &flags));
    for (unsigned negate = 0; negate < 4; negate++)
        CHECK_LANES("fma", FP(fma_lanes)(&h, l->hard, a, b, c, negate, l->n),
                    FP(fma)(a[i], b[i], c[i], negate, rm, &flags));
    /* In place. */
    memcpy(l->hard, a, sizeof l->hard);
    CHECK_LANES("add in place", FP(add_lanes)(&h, l->hard, l->hard, b, l->n),
                FP(add)(a[i], b[i], rm, &flags));
}

static void
FP(check_integer)(struct FP(lanes) * l)
{
    const enum fp_rm rm = l->rm;
    const FP_UINT *a = l->a, *b = l->b;
    CHECK_LANES("eq", FP(eq_lanes)(&h, l->hard, a, b, l->n),
                FP(eq)(a[i], b[i], &flags));
    CHECK_LANES("ne", FP(ne_lanes)(&h, l->hard, a, b, l->n),
                !FP(eq)(a[i], b[i], &flags));
    CHECK_LANES("lt", FP(lt_lanes)(&h, l->hard, a, b, l->n),
                FP(lt)(a[i], b[i], &flags));
    CHECK_LANES("le", FP(le_lanes)(&h, l->hard, a, b, l->n),
                FP(le)(a[i], b[i], &flags));
    CHECK_LANES("min", FP(min_lanes)(&h, l->hard, a, b, l->n),
                FP(min)(a[i], b[i], &flags));
    CHECK_LANES("max", FP(max_lanes)(&h, l->hard, a, b, l->n),
                FP(max)(a[i], b[i], &flags));
    CHECK_LANES("to_int", FP(to_int_lanes)(&h, l->hard, a, l->n),
                FP(to_int)(a[i], FP_WIDTH, rm, &flags));
    CHECK_LANES("to_uint", FP(to_uint_lanes)(&h, l->hard, a, l->n),
                FP(to_uint)(a[i], FP_WIDTH, rm, &flags));
    CHECK_LANES("from_int", FP(from_int_lanes)(&h, l->hard, a, l->n),
                FP(from_int)((FP_INT)a[i], rm, &flags));
    CHECK_LANES("from_uint", FP(from_uint_lanes)(&h, l->hard, a, l->n),
                FP(from_uint)(a[i], rm, &flags));
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
        l->a[i] = (FP_UINT)fp_operand(random, FP_WIDTH);
        l->b[i] = (FP_UINT)fp_partner(random, FP_WIDTH, l->a[i]);
        unsigned ignored = 0;
        FP_UINT product = FP(mul)(l->a[i], l->b[i], FP_RNE, &ignored);
        l->c[i] = (FP_UINT)fp_partner(random, FP_WIDTH, product);
    }
    FP(check_rounding)(l);
    FP(check_integer)(l);
}

#undef CHECK_LANES
#undef FP_WIDTH
