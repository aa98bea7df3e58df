/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions that only move words: of structures, arrays and vectors. */
#include "cc/isel/aggregate.h"

#include <assert.h>
#include <string.h>

#include "cc/isel/build.h"
#include "cc/isel/fp.h"
#include "cc/isel/type.h"
#include "cc/isel/value.h"

/* c ? a : b of truth values, one of which is constant: no select. */
static ir_val
select_truth(struct tr *t, ir_val c, ir_val a, ir_val b)
{
    int32_t x;
    if (tr_is_const(t, b, &x))
        return x ? tr_op(t, VENTUS_ISA_OR, tr_opi(t, VENTUS_ISA_XOR, c, 1), a)
                 : tr_op(t, VENTUS_ISA_AND, c, a);
    if (tr_is_const(t, a, &x))
        return x ? tr_op(t, VENTUS_ISA_OR, c, b)
                 : tr_op(t, VENTUS_ISA_AND, tr_opi(t, VENTUS_ISA_XOR, c, 1), b);
    return tr_select(t, c, a, b);
}

bool
tr_select_value(struct tr *t, LLVMValueRef in)
{
    LLVMTypeRef type = LLVMTypeOf(in);
    if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind &&
        tr_width(t, type) == 1) {
        tr_set1(t, in,
                select_truth(t, tr_get1(t, LLVMGetOperand(in, 0)),
                             tr_get1(t, LLVMGetOperand(in, 1)),
                             tr_get1(t, LLVMGetOperand(in, 2))));
        return true;
    }
    struct tr_value c = tr_get(t, LLVMGetOperand(in, 0));
    struct tr_value a = tr_get(t, LLVMGetOperand(in, 1));
    struct tr_value b = tr_get(t, LLVMGetOperand(in, 2));
    assert(a.n == b.n && (c.n == 1 || a.n % c.n == 0));
    struct tr_value r = tr_new_value(t, a.n);
    for (unsigned i = 0; i < a.n; i++)
        r.at[i] = fp_select(t, c.at[c.n > 1 ? i * c.n / a.n : 0], a.at[i],
                            b.at[i], fp_format_of(type));
    tr_set(t, in, r.at, r.n);
    return true;
}

/* The place of element `index` of an aggregate among its words. */
static unsigned
element_at(struct tr *t, LLVMTypeRef *type, unsigned index)
{
    unsigned at = 0;
    if (LLVMGetTypeKind(*type) == LLVMStructTypeKind) {
        for (unsigned i = 0; i < index; i++)
            at += tr_words(t, LLVMStructGetTypeAtIndex(*type, i));
        *type = LLVMStructGetTypeAtIndex(*type, index);
        return at;
    }
    *type = LLVMGetElementType(*type);
    return index * tr_words(t, *type);
}

static bool
translate_aggregate(struct tr *t, LLVMValueRef in, bool insert)
{
    struct tr_value v = tr_get(t, LLVMGetOperand(in, 0));
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(in, 0));
    unsigned at = 0;
    for (unsigned i = 0; i < LLVMGetNumIndices(in); i++)
        at += element_at(t, &type, LLVMGetIndices(in)[i]);
    unsigned n = tr_words(t, type);
    assert(at + n <= v.n);
    if (!insert) {
        tr_set(t, in, v.at + at, n);
        return true;
    }
    struct tr_value e = tr_get(t, LLVMGetOperand(in, 1));
    tr_set(t, in, v.at, v.n);
    memcpy(tr_get(t, in).at + at, e.at, n * sizeof *e.at);
    return true;
}

bool
tr_extract_value(struct tr *t, LLVMValueRef in)
{
    return translate_aggregate(t, in, false);
}

bool
tr_insert_value(struct tr *t, LLVMValueRef in)
{
    return translate_aggregate(t, in, true);
}

/* A variable index selects among all elements. */
static bool
translate_element(struct tr *t, LLVMValueRef in, bool insert)
{
    LLVMValueRef vector = LLVMGetOperand(in, 0);
    LLVMValueRef index = LLVMGetOperand(in, insert ? 2 : 1);
    struct tr_value v = tr_get(t, vector), e = { 0 };
    unsigned n = LLVMGetVectorSize(LLVMTypeOf(vector)), step = v.n / n;
    assert(n && v.n % n == 0);
    ir_val k = tr_get1(t, index);
    struct tr_value r = tr_new_value(t, insert ? v.n : step);
    if (insert)
        e = tr_get(t, LLVMGetOperand(in, 1));
    for (unsigned i = 0; i < n; i++) {
        ir_val here = tr_opi(t, IR_SEQ, k, (int32_t)i);
        for (unsigned j = 0; j < step; j++) {
            ir_val x = v.at[i * step + j];
            if (insert)
                r.at[i * step + j] = tr_select(t, here, e.at[j], x);
            else
                r.at[j] = i ? tr_select(t, here, x, r.at[j]) : x;
        }
    }
    tr_set(t, in, r.at, r.n);
    return true;
}

bool
tr_extract_element(struct tr *t, LLVMValueRef in)
{
    return translate_element(t, in, false);
}

bool
tr_insert_element(struct tr *t, LLVMValueRef in)
{
    return translate_element(t, in, true);
}

bool
tr_shuffle(struct tr *t, LLVMValueRef in)
{
    struct tr_value a = tr_get(t, LLVMGetOperand(in, 0));
    struct tr_value b = tr_get(t, LLVMGetOperand(in, 1));
    unsigned n = LLVMGetVectorSize(LLVMTypeOf(LLVMGetOperand(in, 0)));
    unsigned m = LLVMGetNumMaskElements(in), step = a.n / n;
    assert(n && a.n % n == 0 && (b.n == a.n || !b.n));
    struct tr_value r = tr_new_value(t, m * step);
    for (unsigned i = 0; i < m; i++) {
        int k = LLVMGetMaskValue(in, i);
        for (unsigned j = 0; j < step; j++)
            r.at[i * step + j] = k < 0 ? a.at[j]
                                 : (unsigned)k < n
                                     ? a.at[(unsigned)k * step + j]
                                     : b.at[((unsigned)k - n) * step + j];
    }
    tr_set(t, in, r.at, r.n);
    return true;
}

bool
tr_freeze(struct tr *t, LLVMValueRef in)
{
    struct tr_value v = tr_get(t, LLVMGetOperand(in, 0));
    tr_set(t, in, v.at, v.n);
    return true;
}
