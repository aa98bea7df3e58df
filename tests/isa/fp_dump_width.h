/* SPDX-License-Identifier: Apache-2.0 */
/* Every operation of the format FP_WIDTH, once; included by fp_dump.c. */
#include "isa/softfloat_format.h"

static void
FP(dump_binary)(const struct operands *o)
{
    FP_UINT a = (FP_UINT)o->a, b = (FP_UINT)o->b, c = (FP_UINT)o->c;
    const enum fp_rm rm = o->rm;
    const unsigned both = FP_NEG_PRODUCT | FP_NEG_ADDEND;
    unsigned f[10] = { 0 };
    print("add", FP_WIDTH, o, FP(add)(a, b, rm, &f[0]), &f[0]);
    print("sub", FP_WIDTH, o, FP(sub)(a, b, rm, &f[1]), &f[1]);
    print("mul", FP_WIDTH, o, FP(mul)(a, b, rm, &f[2]), &f[2]);
    print("div", FP_WIDTH, o, FP(div)(a, b, rm, &f[3]), &f[3]);
    print("fma", FP_WIDTH, o, FP(fma)(a, b, c, 0, rm, &f[4]), &f[4]);
    print("fnmadd", FP_WIDTH, o, FP(fma)(a, b, c, both, rm, &f[5]), &f[5]);
    print("eq", FP_WIDTH, o, FP(eq)(a, b, &f[6]), &f[6]);
    print("lt", FP_WIDTH, o, FP(lt)(a, b, &f[7]), &f[7]);
    print("le", FP_WIDTH, o, FP(le)(a, b, &f[8]), &f[8]);
    f[0] = f[1] = 0;
    print("min", FP_WIDTH, o, FP(min)(a, b, &f[0]), &f[0]);
    print("max", FP_WIDTH, o, FP(max)(a, b, &f[1]), &f[1]);
}

/* `i` has an integer. */
static void
FP(dump_unary)(const struct operands *o, const struct operands *i)
{
    static const char *const to[3][2] = {
        { "to_i16", "to_u16" },
        { "to_i32", "to_u32" },
        { "to_i64", "to_u64" },
    };
    FP_UINT a = (FP_UINT)o->a;
    unsigned f[4] = { 0 };
    print("sqrt", FP_WIDTH, o, FP(sqrt)(a, o->rm, &f[0]), &f[0]);
    print("class", FP_WIDTH, o, FP(class)(a), &f[3]);
    print("exp", FP_WIDTH, o, FP(exp)(a), &f[3]);
    print("from_int", FP_WIDTH, i, FP(from_int)((int64_t)i->a, o->rm, &f[1]),
          &f[1]);
    print("from_uint", FP_WIDTH, i, FP(from_uint)(i->a, o->rm, &f[2]), &f[2]);
    for (unsigned k = 0; k < 3; k++) {
        unsigned s = 0, u = 0;
        int64_t n = FP(to_int)(a, 16u << k, o->rm, &s);
        print(to[k][0], FP_WIDTH, o, (uint64_t)n, &s);
        print(to[k][1], FP_WIDTH, o, FP(to_uint)(a, 16u << k, o->rm, &u), &u);
    }
}

#undef FP_WIDTH
