/* SPDX-License-Identifier: Apache-2.0 */
/* LLVM's intrinsics on floating point. */
#include <string.h>

#include "cc/isel/build.h"
#include "cc/isel/fp.h"
#include "cc/isel/intrinsic_fp.h"
#include "cc/isel/value.h"

/* LLVM's bits of classes to those of fclass. */
static int32_t
class_bits(uint64_t llvm)
{
    static const uint8_t to[10] = { 8, 9, 0, 1, 2, 3, 4, 5, 6, 7 };
    int32_t r = 0;
    for (unsigned i = 0; i < 10; i++)
        if (llvm >> i & 1)
            r |= 1 << to[i];
    return r;
}

bool
tr_float_intrinsic(struct tr *t, LLVMValueRef in, const char *name)
{
    static const struct {
        const char *name;
        unsigned op;  /* of two operands */
        int rounding; /* or -1 */
    } table[] = {
        { "fabs.", VENTUS_ISA_FSGNJX_S, -1 },
        { "copysign.", VENTUS_ISA_FSGNJ_S, -1 },
        { "minnum.", VENTUS_ISA_FMIN_S, -1 },
        { "maxnum.", VENTUS_ISA_FMAX_S, -1 },
        { "floor.", 0, FP_ROUND_DOWN },
        { "ceil.", 0, FP_ROUND_UP },
        { "trunc.", 0, FP_ROUND_ZERO },
        { "rint.", 0, FP_ROUND_EVEN },
        { "nearbyint.", 0, FP_ROUND_EVEN },
        { "roundeven.", 0, FP_ROUND_EVEN },
        { "round.", 0, FP_ROUND_AWAY },
    };
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(in, 0));
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    enum fp_format format = fp_format_of(type);
    if (kind != LLVMHalfTypeKind && kind != LLVMFloatTypeKind &&
        kind != LLVMDoubleTypeKind)
        return tr_fail(t, "llvm.%s is not supported", name);
    ir_val a = tr_get1(t, LLVMGetOperand(in, 0)), r;
    for (unsigned i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (strncmp(name, table[i].name, strlen(table[i].name)) != 0)
            continue;
        bool two = LLVMGetNumArgOperands(in) == 2;
        r = table[i].rounding >= 0
                ? fp_round(t, (enum fp_rounding)table[i].rounding, a, format)
                : fp_op(t, table[i].op, a,
                        two ? tr_get1(t, LLVMGetOperand(in, 1)) : a, format);
        tr_set1(t, in, r);
        return true;
    }
    if (!strncmp(name, "fma.", 4) || !strncmp(name, "fmuladd.", 8)) {
        r = fp_fma(t, a, tr_get1(t, LLVMGetOperand(in, 1)),
                   tr_get1(t, LLVMGetOperand(in, 2)), format);
    } else if (!strncmp(name, "sqrt.", 5)) {
        r = fp_sqrt(t, a, format);
    } else if (!strncmp(name, "is.fpclass.", 11)) {
        int32_t bits =
            class_bits(LLVMConstIntGetZExtValue(LLVMGetOperand(in, 1)));
        r = tr_opi(t, VENTUS_ISA_AND, fp_class(t, a, format), bits);
        r = tr_op(t, IR_SNE, r, IR_ZERO);
    } else if (!strncmp(name, "exp.", 4) && format == FP_SINGLE) {
        struct ir_insn *x = tr_emit(t, VENTUS_ISA_VFEXP_V, 1);
        x->src[2] = a;
        r = x->dst;
    } else {
        return tr_fail(t, "llvm.%s is not supported", name);
    }
    tr_set1(t, in, r);
    return true;
}
