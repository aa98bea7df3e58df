/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LLVM's debug records, dbg.value and dbg.declare, become ir_debug.  Nothing
 * here makes an instruction: what a record names is there already, or the
 * variable is unknown from here on.
 */
#include <string.h>

#include "cc/front/module.h"
#include "cc/isel/build.h"
#include "cc/isel/debug.h"
#include "cc/isel/type.h"

/* ---- values ---- */

static void
add_word(struct tr *t, struct ir_debug *d, ir_val v, uint32_t imm, unsigned n)
{
    struct ir_debug_word *word =
        arena_new(t->m->arena, struct ir_debug_word, d->n + 1);
    if (d->n)
        memcpy(word, d->word, d->n * sizeof *word);
    int32_t x;
    if (v != IR_NONE && tr_is_const(t, v, &x)) {
        imm = v == IR_ZERO ? imm : (uint32_t)x;
        v = IR_ZERO;
    }
    word[d->n++] = (struct ir_debug_word){ v, imm, (uint8_t)n };
    d->word = word;
}

/* A scalar from its IR values, NULL if they are not known. */
static const ir_val *
add_scalar(struct tr *t, struct ir_debug *d, LLVMTypeRef type, const ir_val *at)
{
    unsigned bits = tr_width(t, type), left = bits < 8 ? 1 : bits / 8;
    while (left) {
        ir_val v = at ? *at : (ir_val)IR_NONE;
        bool pair = v > IR_ZERO && tr_is_pair(t, type);
        unsigned n = left < 4 || pair ? left : 4;
        add_word(t, d, v, 0, n);
        left -= n;
        at += at && (!tr_is_pair(t, type) || !left);
    }
    return at;
}

static bool
is_scalar(LLVMTypeRef type)
{
    switch ((int)LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
    case LLVMHalfTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
    case LLVMPointerTypeKind:
        return true;
    }
    return false;
}

/* The bits of a constant; false if it is none that we know. */
static bool
constant_bits(LLVMValueRef v, uint64_t *bits)
{
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(v));
    LLVMBool lossy;
    *bits = 0;
    if (LLVMIsAConstantInt(v)) {
        *bits = LLVMConstIntGetZExtValue(v);
        return LLVMGetIntTypeWidth(LLVMTypeOf(v)) <= 64;
    }
    if (LLVMIsAConstantFP(v) && kind == LLVMDoubleTypeKind) {
        double x = LLVMConstRealGetDouble(v, &lossy);
        memcpy(bits, &x, sizeof x);
        return true;
    }
    if (LLVMIsAConstantFP(v) && kind == LLVMFloatTypeKind) {
        float x = (float)LLVMConstRealGetDouble(v, &lossy);
        memcpy(bits, &x, sizeof x);
        return true;
    }
    return LLVMIsNull(v) && is_scalar(LLVMTypeOf(v));
}

static void
add_constant(struct tr *t, struct ir_debug *d, LLVMValueRef v)
{
    uint64_t bits;
    unsigned width = tr_width(t, LLVMTypeOf(v));
    unsigned left = width < 8 ? 1 : width / 8;
    bool known = constant_bits(v, &bits);
    for (; left; bits >>= 32) {
        unsigned n = left < 4 ? left : 4;
        add_word(t, d, known ? (ir_val)IR_ZERO : (ir_val)IR_NONE,
                 (uint32_t)bits, n);
        left -= n;
    }
}

/* The words of the value here; NULL if it has none. */
static const struct tr_value *
find_value(struct tr *t, LLVMValueRef v)
{
    if (!LLVMIsAArgument(v) && !LLVMIsAInstruction(v))
        return NULL;
    void **value = map_find_number(&t->values, (uintptr_t)v);
    return value ? *value : NULL;
}

static void
add_value(struct tr *t, struct ir_debug *d, LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v);
    bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    unsigned n = vector ? LLVMGetVectorSize(type) : 1;
    LLVMTypeRef element = vector ? LLVMGetElementType(type) : type;
    const struct tr_value *value = find_value(t, v);
    const ir_val *at = value ? value->at : NULL;
    if (!is_scalar(element) || (value && value->n != tr_words(t, type)))
        return;
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef x =
            vector && LLVMIsConstant(v) ? LLVMGetAggregateElement(v, i) : v;
        if (x && LLVMIsConstant(v) && !LLVMIsUndef(v))
            add_constant(t, d, x);
        else
            at = add_scalar(t, d, element, at);
    }
}

/* ---- records ---- */

static uint32_t
bytes_of(const struct ir_debug *d)
{
    uint32_t n = 0;
    for (unsigned i = 0; i < d->n; i++)
        n += d->word[i].size_B;
    return n;
}

/* The offset of an array in private memory, whose address `at` is. */
static bool
private_offset(struct tr *t, ir_val at, int32_t *offset)
{
    if (t->tp == IR_ZERO)
        return tr_is_const(t, at, offset);
    const struct ir_insn *def = ir_value(t->f, at)->def;
    return def && def->op == VENTUS_ISA_ADD && def->src[2] == t->tp &&
           tr_is_const(t, def->src[1], offset);
}

/* The variable is memory from its declaration to its end. */
static bool
declare_variable(struct tr *t, LLVMValueRef v, uint32_t variable,
                 const struct tr_debug_expression *e)
{
    struct cc_debug_variable *x = &t->m->debug->variables.at[variable];
    const struct tr_value *value = find_value(t, v);
    int32_t offset;
    if (!LLVMIsAAllocaInst(v) || !value || e->steps.n || e->size_B || e->bad ||
        !private_offset(t, value->at[0], &offset))
        return false;
    x->has_address = true;
    x->address = CC_DEBUG_PRIVATE + (uint32_t)offset;
    x->from_tp = t->tp != IR_ZERO;
    return true;
}

/* Private memory is at an address of its own for debuggers. */
static void
set_address(struct tr *t, struct ir_debug *d, LLVMValueRef v, uint32_t behind_B)
{
    const struct tr_value *value = find_value(t, v);
    int32_t offset;
    d->is_address = true;
    if (d->n != 1 || !LLVMIsAAllocaInst(v))
        d->n = d->n == 1 && LLVMIsAArgument(v) && !behind_B;
    else if (value && private_offset(t, value->at[0], &offset) &&
             t->tp == IR_ZERO)
        d->word[0] = (struct ir_debug_word){
            IR_ZERO, CC_DEBUG_PRIVATE + (uint32_t)offset + behind_B, 4
        };
    else
        d->n = 0;
}

/* Pointers to local and private memory are shorter than the type's. */
static void
fill_pointer(struct tr *t, struct ir_debug *d, LLVMValueRef v, uint32_t size_B)
{
    if (LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind && d->n == 1 &&
        size_B == 8 && d->word[0].size_B == 4 && d->word[0].v != IR_NONE)
        add_word(t, d, IR_ZERO, 0, 4);
}

/* The values of a record: one, or those that an expression names. */
struct values {
    LLVMValueRef *at;
    unsigned *width;
    unsigned n;
};

/* An IR value of a word for each value of an expression. */
static void
add_computed(struct tr *t, struct ir_debug *d, const struct values *v,
             const struct tr_debug_expression *e)
{
    for (unsigned i = 0; i < v->n; i++)
        add_value(t, d, v->at[i]);
    bool known = d->n == v->n && d->size_B <= 4;
    for (unsigned i = 0; i < d->n; i++)
        known &= d->word[i].size_B <= 4;
    d->step = e->steps.at;
    d->n_steps = (unsigned)e->steps.n;
    if (!known)
        d->n = 0;
}

static void
add_record(struct tr *t, const struct values *v, uint32_t variable,
           const struct tr_debug_expression *e)
{
    struct ir_debug *d = arena_new(t->m->arena, struct ir_debug, 1);
    uint32_t size_B = t->m->debug->variables.at[variable].size_B;
    d->variable = variable;
    d->offset_B = e->offset_B;
    d->size_B = e->size_B ? e->size_B : size_B;
    ir_debug_at_end(t->block, d);
    if (e->bad || !v->n)
        return;
    if (e->steps.n) {
        add_computed(t, d, v, e);
        return;
    }
    add_value(t, d, v->at[0]);
    if (e->is_address)
        set_address(t, d, v->at[0], e->behind_B);
    else
        fill_pointer(t, d, v->at[0], d->size_B);
    if (!e->is_address && bytes_of(d) > d->size_B)
        d->n = 0;
}

/* Records the half of a pointer at offset_B that is not used, but part of its type. */
static void
record_padding(struct tr *t, uint32_t variable, uint32_t offset_B)
{
    struct ir_debug *d = arena_new(t->m->arena, struct ir_debug, 1);
    d->variable = variable;
    d->offset_B = offset_B + 4;
    d->size_B = 4;
    add_word(t, d, IR_ZERO, 0, 4);
    ir_debug_at_end(t->block, d);
}

/* The values of a record; none if one of them is undefined. */
static struct values
values_of(struct tr *t, LLVMValueRef in)
{
    struct values v = { 0 };
    LLVMValueRef operand = LLVMGetOperand(in, 0);
    LLVMMetadataKind kind = LLVMGetMetadataKind(LLVMValueAsMetadata(operand));
    v.at = arena_new(t->m->arena, LLVMValueRef, TR_DEBUG_VALUES);
    v.width = arena_new(t->m->arena, unsigned, TR_DEBUG_VALUES);
    if (kind == LLVMDIArgListMetadataKind) {
        if (!tr_debug_list(t, in, v.at, &v.n))
            v.n = 0;
    } else if (kind == LLVMLocalAsMetadataMetadataKind ||
               kind == LLVMConstantAsMetadataMetadataKind) {
        LLVMGetMDNodeOperands(operand, v.at);
        v.n = !LLVMIsUndef(v.at[0]); /* poison, too */
    }
    for (unsigned i = 0; i < v.n; i++)
        if (is_scalar(LLVMTypeOf(v.at[i])))
            v.width[i] = tr_width(t, LLVMTypeOf(v.at[i]));
    if (v.n && v.width[0] == 1) /* isel/debug_expression.c says why */
        v.n = 0;
    return v;
}

bool
tr_debug_record(struct tr *t, LLVMValueRef in)
{
    if (!tr_is_debug_record(in))
        return false;
    size_t n;
    const char *name = LLVMGetValueName2(front_callee(in), &n);
    bool declares = strcmp(name, "llvm.dbg.declare") == 0;
    if (!t->m->debug || (!declares && strcmp(name, "llvm.dbg.value") != 0))
        return true;
    struct values v = values_of(t, in);
    struct tr_debug_expression e = tr_debug_expression(
        t, LLVMValueAsMetadata(LLVMGetOperand(in, 2)), v.width, v.n);
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(in);
    LLVMMetadataRef node = LLVMValueAsMetadata(LLVMGetOperand(in, 1));
    LLVMMetadataRef type = tr_debug_type_of(t, node);
    bool half = e.size_B == 4;
    if (half && e.offset_B >= 4 &&
        tr_debug_is_short_pointer(t, type, e.offset_B - 4))
        return true; /* said with the other half */
    uint32_t variable =
        tr_debug_variable(t, node, at ? LLVMDILocationGetInlinedAt(at) : NULL);
    e.is_address |= declares;
    if (!declares || !v.n || !declare_variable(t, v.at[0], variable, &e))
        add_record(t, &v, variable, &e);
    if (half && tr_debug_is_short_pointer(t, type, e.offset_B))
        record_padding(t, variable, e.offset_B);
    return true;
}
