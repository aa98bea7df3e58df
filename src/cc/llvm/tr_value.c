/* SPDX-License-Identifier: Apache-2.0 */
/* LLVM's values as words, and the instructions that only move words. */
#include "cc/llvm/tr_fp.h"

#include <assert.h>
#include <string.h>

/* A sampler is a word, an image the address of a descriptor. */
static unsigned
opaque_width(const struct tr *t, LLVMTypeRef type)
{
    enum { CONSTANT = 2 };
    if (strcmp(LLVMGetTargetExtTypeName(type), "spirv.Image") == 0)
        return cc_pointer_bits(t->target, CONSTANT);
    return 32;
}

unsigned
tr_width(const struct tr *t, LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type);
    case LLVMHalfTypeKind:
        return 16;
    case LLVMDoubleTypeKind:
        return 64;
    case LLVMPointerTypeKind:
        return cc_pointer_bits(t->target, LLVMGetPointerAddressSpace(type));
    case LLVMTargetExtTypeKind:
        return opaque_width(t, type);
    default:
        return 32;
    }
}

unsigned
tr_unit(const struct tr *t, unsigned width)
{
    return width > 32 && !t->target->wide_integers ? 2 : 1;
}

bool
tr_is_pair(const struct tr *t, LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
        type = LLVMGetElementType(type);
    return LLVMGetTypeKind(type) == LLVMDoubleTypeKind ||
           (t->target->wide_integers && tr_width(t, type) > 32);
}

void
tr_split(struct tr *t, const ir_val *at, ir_val words[2])
{
    bool pair = t->target->wide_integers;
    words[0] = pair ? tr_lo(t, at[0]) : at[0];
    words[1] = pair ? tr_hi(t, at[0]) : at[1];
}

void
tr_join(struct tr *t, const ir_val words[2], ir_val *at)
{
    if (t->target->wide_integers) {
        at[0] = tr_pair(t, words[0], words[1]);
        return;
    }
    at[0] = words[0];
    at[1] = words[1];
}

struct tr_value
tr_get_words(struct tr *t, LLVMValueRef v)
{
    struct tr_value from = tr_get(t, v);
    if (!tr_is_pair(t, LLVMTypeOf(v)))
        return from;
    assert(from.n == 1);
    struct tr_value r = tr_new_value(t, 2);
    r.at[0] = tr_lo(t, from.at[0]);
    r.at[1] = tr_hi(t, from.at[0]);
    return r;
}

void
tr_set_words(struct tr *t, LLVMValueRef key, const ir_val *words, unsigned n)
{
    LLVMTypeRef type = LLVMTypeOf(key);
    bool aggregate = LLVMGetTypeKind(type) == LLVMStructTypeKind;
    if (!tr_is_pair(t, aggregate ? LLVMStructGetTypeAtIndex(type, 0) : type)) {
        tr_set(t, key, words, n);
        return;
    }
    ir_val r[3];
    assert(n >= 2 && n <= 3);
    r[0] = tr_pair(t, words[0], words[1]);
    for (unsigned i = 2; i < n; i++)
        r[i - 1] = words[i];
    tr_set(t, key, r, n - 1);
}

static void
add_sizes(struct tr *t, LLVMTypeRef type, uint8_t **at)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    unsigned n = 0;
    if (kind == LLVMStructTypeKind)
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
            add_sizes(t, LLVMStructGetTypeAtIndex(type, i), at);
    else if (kind == LLVMArrayTypeKind)
        for (uint64_t i = 0; i < LLVMGetArrayLength2(type); i++)
            add_sizes(t, LLVMGetElementType(type), at);
    else
        n = tr_words(t, type);
    for (unsigned i = 0; i < n; i++)
        *(*at)++ = tr_is_pair(t, type) ? 2 : 1;
}

const uint8_t *
tr_value_sizes(struct tr *t, LLVMTypeRef type)
{
    uint8_t *r = arena_new(t->m->arena, uint8_t, tr_words(t, type) + 1);
    uint8_t *at = r;
    add_sizes(t, type, &at);
    return r;
}

unsigned
tr_words(struct tr *t, LLVMTypeRef type)
{
    unsigned n = 0;
    switch (LLVMGetTypeKind(type)) {
    case LLVMVoidTypeKind:
        return 0;
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
            n += tr_words(t, LLVMStructGetTypeAtIndex(type, i));
        return n;
    case LLVMArrayTypeKind:
        return (unsigned)LLVMGetArrayLength2(type) *
               tr_words(t, LLVMGetElementType(type));
    case LLVMVectorTypeKind:
        return LLVMGetVectorSize(type) * tr_words(t, LLVMGetElementType(type));
    case LLVMIntegerTypeKind:
        return tr_unit(t, LLVMGetIntTypeWidth(type));
    default:
        return 1;
    }
}

/* OpenCL's images, samplers and events: the address of a descriptor, a word. */
static bool
is_handle(LLVMTypeRef type)
{
    static const char *const names[] = { "spirv.Image", "spirv.Sampler",
                                         "spirv.Event" };
    const char *name = LLVMGetTargetExtTypeName(type);
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* Whether values of the type are words, or there are none. */
static bool
has_words(LLVMTypeRef type)
{
    switch ((int)LLVMGetTypeKind(type)) {
    case LLVMVoidTypeKind:
    case LLVMLabelTypeKind:
    case LLVMMetadataTypeKind:
    case LLVMHalfTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
    case LLVMPointerTypeKind:
        return true;
    case LLVMTargetExtTypeKind:
        return is_handle(type);
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type) <= 64;
    case LLVMArrayTypeKind:
    case LLVMVectorTypeKind:
        return has_words(LLVMGetElementType(type));
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
            if (!has_words(LLVMStructGetTypeAtIndex(type, i)))
                return false;
        return true;
    }
    return false;
}

bool
tr_check_type(struct tr *t, LLVMTypeRef type)
{
    static char checked;
    void **at = map_put_number(t->m->arena, &t->types, (uintptr_t)type);
    if (*at)
        return true;
    if (has_words(type)) {
        *at = &checked;
        return true;
    }
    char *text = LLVMPrintTypeToString(type);
    tr_fail(t,
            "values of type %s are not supported, only integers of up to 64 "
            "bits, half, float, double, and pointers",
            text);
    LLVMDisposeMessage(text);
    return false;
}

struct tr_value
tr_new_value(struct tr *t, unsigned n)
{
    return (struct tr_value){ arena_new(t->m->arena, ir_val, n + 1), n };
}

void
tr_set(struct tr *t, LLVMValueRef key, const ir_val *words, unsigned n)
{
    struct tr_value *value = arena_new(t->m->arena, struct tr_value, 1);
    *value = tr_new_value(t, n);
    assert(n == 0 || n == tr_words(t, LLVMTypeOf(key)) || t->failed);
    memcpy(value->at, words, n * sizeof *words);
    *map_put_number(t->m->arena, &t->values, (uintptr_t)key) = value;
}

void
tr_set1(struct tr *t, LLVMValueRef key, ir_val v)
{
    tr_set(t, key, &v, 1);
}

struct tr_value
tr_get(struct tr *t, LLVMValueRef v)
{
    if (!LLVMIsAArgument(v) && !LLVMIsAInstruction(v))
        return tr_constant(t, v);
    void **value = map_find_number(&t->values, (uintptr_t)v);
    assert(value || t->failed);
    if (value)
        return *(struct tr_value *)*value;
    struct tr_value r = tr_new_value(t, tr_words(t, LLVMTypeOf(v)));
    for (unsigned i = 0; i < r.n; i++)
        r.at[i] = IR_ZERO;
    return r;
}

ir_val
tr_get1(struct tr *t, LLVMValueRef v)
{
    struct tr_value r = tr_get(t, v);
    return r.n ? r.at[0] : (ir_val)IR_ZERO;
}

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
aggregate(struct tr *t, LLVMValueRef in, bool insert)
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

/* A variable index selects among all elements. */
static bool
element(struct tr *t, LLVMValueRef in, bool insert)
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

bool
tr_extract_value(struct tr *t, LLVMValueRef in)
{
    return aggregate(t, in, false);
}

bool
tr_insert_value(struct tr *t, LLVMValueRef in)
{
    return aggregate(t, in, true);
}

bool
tr_extract_element(struct tr *t, LLVMValueRef in)
{
    return element(t, in, false);
}

bool
tr_insert_element(struct tr *t, LLVMValueRef in)
{
    return element(t, in, true);
}
