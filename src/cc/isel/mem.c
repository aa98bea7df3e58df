/* SPDX-License-Identifier: Apache-2.0 */
/* Memory: address spaces, addresses, loads and stores. */
#include "cc/isel/mem.h"

#include <assert.h>
#include <string.h>

#include "cc/front/front.h"
#include "cc/front/hints.h"
#include "cc/front/intrinsics.h"
#include "cc/front/module.h"
#include "cc/isel/arith.h"
#include "cc/isel/atomic.h"
#include "cc/isel/build.h"
#include "cc/isel/type.h"
#include "cc/isel/value.h"

/*
 * Volatile words of global memory are read and written where atomics are.  There
 * is no atomic of less than a word, and one of the word around it would leave a
 * buffer that ends inside of that word.  So a fence before a load makes the L1D
 * invalidate its line, and one after a store writes the line back.
 */
enum { FENCE_R_R = 0x22, FENCE_W_W = 0x11 };

static bool
is_wide(const struct tr *t, ir_val v)
{
    return ir_value(t->f, v)->words == 2;
}

static ir_val
load_insn(struct tr *t, struct tr_memory p, unsigned row, unsigned words)
{
    struct ir_insn *in = tr_emit(t, row, words);
    in->object = p.object ? (uint16_t)p.object : in->object;
    in->src[1] = p.base;
    in->imm = p.offset;
    in->space = p.space;
    in->is_volatile = p.is_volatile;
    in->hint = p.hint;
    in->pair = words == 2 || is_wide(t, p.base);
    return in->dst;
}

static void
store_insn(struct tr *t, struct tr_memory p, unsigned row, ir_val v)
{
    struct ir_insn *in = tr_emit(t, row, 0);
    in->object = p.object ? (uint16_t)p.object : in->object;
    in->src[1] = p.base;
    in->src[2] = v;
    in->imm = p.offset;
    in->space = p.space;
    in->is_volatile = p.is_volatile;
    in->hint = p.hint;
    in->pair = is_wide(t, v) || is_wide(t, p.base);
}

ir_val
tr_load_piece(struct tr *t, struct tr_memory p, unsigned size, bool is_signed)
{
    static const uint16_t rows[2][5] = {
        { 0, VENTUS_ISA_LBU, VENTUS_ISA_LHU, 0, VENTUS_ISA_LW },
        { 0, VENTUS_ISA_LB, VENTUS_ISA_LH, 0, VENTUS_ISA_LW },
    };
    if (p.shared && size == 4)
        return tr_shared_load(t, tr_opi(t, VENTUS_ISA_ADD, p.base, p.offset));
    if (p.shared)
        tr_emit(t, VENTUS_ISA_FENCE, 0)->aux = FENCE_R_R;
    assert(size <= 4 && rows[is_signed][size]);
    return load_insn(t, p, rows[is_signed][size], 1);
}

void
tr_store_piece(struct tr *t, struct tr_memory p, unsigned size, ir_val v)
{
    static const uint16_t rows[5] = { 0, VENTUS_ISA_SB, VENTUS_ISA_SH, 0,
                                      VENTUS_ISA_SW };
    if (p.shared && size == 4) {
        tr_shared_store(t, tr_opi(t, VENTUS_ISA_ADD, p.base, p.offset), v);
        return;
    }
    assert(size <= 4 && rows[size]);
    store_insn(t, p, rows[size], v);
    if (p.shared)
        tr_emit(t, VENTUS_ISA_FENCE, 0)->aux = FENCE_W_W;
}

/* A word or less, from pieces no larger than the alignment. */
static ir_val
load_word(struct tr *t, struct tr_memory p, unsigned size, unsigned align,
          bool is_signed)
{
    if (align >= size)
        return tr_load_piece(t, p, size, is_signed);
    assert(align && size % align == 0);
    ir_val all = IR_NONE;
    for (unsigned i = 0; i < size; i += align) {
        struct tr_memory at = p;
        at.offset += (int32_t)i;
        ir_val x = tr_load_piece(t, at, align, false);
        x = tr_opi(t, VENTUS_ISA_SLL, x, (int32_t)(8 * i));
        all = all ? tr_op(t, VENTUS_ISA_OR, all, x) : x;
    }
    return all;
}

static void
store_word(struct tr *t, struct tr_memory p, unsigned size, unsigned align,
           ir_val v)
{
    if (align >= size) {
        tr_store_piece(t, p, size, v);
        return;
    }
    assert(align && size % align == 0);
    for (unsigned i = 0; i < size; i += align) {
        struct tr_memory at = p;
        at.offset += (int32_t)i;
        tr_store_piece(t, at, align,
                       tr_opi(t, VENTUS_ISA_SRL, v, (int32_t)(8 * i)));
    }
}

static unsigned
align_at(unsigned align, uint64_t offset)
{
    unsigned low = (unsigned)(offset & (0 - offset));
    unsigned a = low && low < align ? low : align;
    assert(a && (a & (a - 1)) == 0);
    return a > 4 ? 4 : a;
}

/* Eight bytes that are one IR value, at once if the target can. */
static void
access_pair(struct tr *t, struct tr_memory p, unsigned align, ir_val *v,
            bool store)
{
    struct tr_memory high = p;
    high.offset += 4;
    if (t->target->access_words >= 2 && align >= 4 && !p.shared) {
        if (store)
            store_insn(t, p, VENTUS_ISA_SW, *v);
        else
            *v = load_insn(t, p, VENTUS_ISA_LW, 2);
    } else if (store) {
        store_word(t, p, 4, align, tr_lo(t, *v));
        store_word(t, high, 4, align, tr_hi(t, *v));
    } else {
        ir_val lo = load_word(t, p, 4, align, false);
        *v = tr_pair(t, lo, load_word(t, high, 4, align, false));
    }
}

/* Walks the leaves of a type; stores if `store`, else loads. */
void
tr_access(struct tr *t, struct tr_memory p, LLVMTypeRef type, unsigned align,
          ir_val **at, bool store)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMStructTypeKind) {
        unsigned n = LLVMCountStructElementTypes(type);
        for (unsigned i = 0; i < n; i++) {
            struct tr_memory q = p;
            uint64_t offset = LLVMOffsetOfElement(t->layout, type, i);
            q.offset += (int32_t)offset;
            tr_access(t, q, LLVMStructGetTypeAtIndex(type, i),
                      align_at(align, offset), at, store);
        }
        return;
    }
    if (kind == LLVMVectorTypeKind || kind == LLVMArrayTypeKind) {
        LLVMTypeRef element = LLVMGetElementType(type);
        uint64_t size = LLVMABISizeOfType(t->layout, element);
        uint64_t n = kind == LLVMVectorTypeKind ? LLVMGetVectorSize(type)
                                                : LLVMGetArrayLength2(type);
        for (uint64_t i = 0; i < n; i++) {
            struct tr_memory q = p;
            q.offset += (int32_t)(i * size);
            tr_access(t, q, element, align_at(align, i * size), at, store);
        }
        return;
    }
    unsigned size = (tr_width(t, type) + 7) / 8;
    assert(size <= 8 && "tr_check_type: no scalar is wider");
    unsigned a = align_at(align, 0);
    struct tr_memory high = p;
    high.offset += 4;
    if (size <= 4) {
        unsigned whole = size == 3 ? 4 : size;
        if (store)
            store_word(t, p, whole, a, *(*at)++);
        else
            *(*at)++ = load_word(t, p, whole, a, false);
    } else if (tr_is_pair(t, type)) {
        access_pair(t, p, a, (*at)++, store);
    } else if (store) {
        store_word(t, p, 4, a, *(*at)++);
        store_word(t, high, 4, a, *(*at)++);
    } else {
        *(*at)++ = load_word(t, p, 4, a, false);
        *(*at)++ = load_word(t, high, 4, a, false);
    }
}

/* Whether all users are sext: then the load extends the sign. */
static bool
wants_sign(LLVMValueRef in)
{
    LLVMUseRef use = LLVMGetFirstUse(in);
    for (LLVMUseRef u = use; u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (!LLVMIsAInstruction(user) ||
            LLVMGetInstructionOpcode(user) != LLVMSExt)
            return false;
    }
    return use != NULL;
}

/* __builtin_nontemporal_load and _store: the line is used once.  Local and private
 * memory have no cache, or are not streams. */
static uint8_t
hint_of(const struct tr *t, LLVMValueRef in, enum ir_space space)
{
    unsigned kind = front_hint_kind(LLVMGetTypeContext(LLVMTypeOf(in)));
    bool cached = space == IR_SPACE_GLOBAL || space == IR_SPACE_CONST;
    return t->target->cache_hints && cached && LLVMGetMetadata(in, kind)
               ? VENTUS_ISA_HINT_STREAM
               : VENTUS_ISA_HINT_DEFAULT;
}

static struct tr_memory
place_of_access(struct tr *t, LLVMValueRef in, LLVMValueRef pointer)
{
    struct tr_memory p = { .base = tr_get1(t, pointer),
                           .space = tr_space(t, pointer),
                           .is_volatile = LLVMGetVolatile(in) };
    p.hint = hint_of(t, in, p.space);
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(pointer));
    unsigned plain = LLVMGetMDKindIDInContext(context, PLAIN_METADATA,
                                              strlen(PLAIN_METADATA));
    p.shared = p.is_volatile && p.space == IR_SPACE_GLOBAL &&
               t->m->options->profile != CC_PROFILE_UPSTREAM &&
               !LLVMGetMetadata(in, plain);
    return p;
}

bool
tr_load(struct tr *t, LLVMValueRef in)
{
    struct tr_memory p = place_of_access(t, in, LLVMGetOperand(in, 0));
    LLVMTypeRef type = LLVMTypeOf(in);
    if (tr_is_atomic(t, in, type, p.space))
        return tr_atomic_load(t, in);
    unsigned align = LLVMGetAlignment(in);
    struct tr_value r = tr_new_value(t, tr_words(t, type));
    ir_val *at = r.at;
    if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && wants_sign(in) &&
        (tr_width(t, type) == 8 || tr_width(t, type) == 16))
        r.at[0] =
            load_word(t, p, tr_width(t, type) / 8, align_at(align, 0), true);
    else
        tr_access(t, p, type, align, &at, false);
    if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && tr_width(t, type) == 1)
        r.at[0] = tr_opi(t, VENTUS_ISA_AND, r.at[0], 1);
    tr_set(t, in, r.at, r.n);
    return true;
}

bool
tr_store(struct tr *t, LLVMValueRef in)
{
    struct tr_memory p = place_of_access(t, in, LLVMGetOperand(in, 1));
    if (tr_is_atomic(t, in, LLVMTypeOf(LLVMGetOperand(in, 0)), p.space))
        return tr_atomic_store(t, in);
    struct tr_value v = tr_get(t, LLVMGetOperand(in, 0));
    ir_val *at = v.at;
    tr_access(t, p, LLVMTypeOf(LLVMGetOperand(in, 0)), LLVMGetAlignment(in),
              &at, true);
    return true;
}

/* ---- addresses ---- */

/* The value that an index is the sum of, besides a constant, in *constant: itself or,
 * if nothing overflows, what it extends.  NULL: it is no such sum. */
static LLVMValueRef
without_constant(LLVMValueRef index, int64_t *constant)
{
    LLVMValueRef sum = index;
    bool sign = LLVMIsASExtInst(index), zero = LLVMIsAZExtInst(index);
    if (sign || zero)
        sum = LLVMGetOperand(index, 0);
    if (!LLVMIsAInstruction(sum) || LLVMGetInstructionOpcode(sum) != LLVMAdd ||
        !LLVMIsAConstantInt(LLVMGetOperand(sum, 1)) ||
        (sign && !LLVMGetNSW(sum)) || (zero && !LLVMGetNUW(sum)))
        return NULL;
    LLVMValueRef c = LLVMGetOperand(sum, 1);
    *constant = zero ? (int64_t)LLVMConstIntGetZExtValue(c)
                     : LLVMConstIntGetSExtValue(c);
    return LLVMGetOperand(sum, 0);
}

/* base + index * scale of 64 bits; constants are added to *constant. */
static ir_val
add_wide_index(struct tr *t, ir_val base, LLVMValueRef index, int64_t scale,
               int64_t *constant)
{
    int64_t c;
    if (LLVMIsAConstantInt(index)) {
        *constant += LLVMConstIntGetSExtValue(index) * scale;
        return base;
    }
    LLVMValueRef rest = without_constant(index, &c);
    if (rest)
        *constant += c * scale;
    else
        rest = index;
    unsigned width = tr_width(t, LLVMTypeOf(rest));
    bool zero = LLVMIsAZExtInst(index) && rest != index;
    ir_val x = tr_get1(t, rest);
    if (width <= 32)
        x = tr_extend(t, zero ? tr_zext(t, x, width) : tr_sext(t, x, width),
                      !zero);
    if (scale != (int32_t)scale)
        x = tr_op(t, VENTUS_ISA_MUL, x,
                  tr_pair(t, tr_const(t, (int32_t)(uint32_t)scale),
                          tr_const(t, (int32_t)(scale >> 32))));
    else
        x = tr_opi(t, VENTUS_ISA_MUL, x, (int32_t)scale);
    return tr_op(t, VENTUS_ISA_ADD, base, x);
}

static ir_val
add_wide_constant(struct tr *t, ir_val base, int64_t x)
{
    if (x == (int32_t)x)
        return tr_opi(t, VENTUS_ISA_ADD, base, (int32_t)x);
    return tr_op(t, VENTUS_ISA_ADD, base,
                 tr_pair(t, tr_const(t, (int32_t)(uint32_t)x),
                         tr_const(t, (int32_t)(x >> 32))));
}

/* A pointer of 64 bits. */
static void
wide_gep(struct tr *t, LLVMValueRef in)
{
    ir_val base = tr_get1(t, LLVMGetOperand(in, 0));
    LLVMTypeRef type = LLVMGetGEPSourceElementType(in);
    int64_t constant = 0;
    unsigned n = (unsigned)LLVMGetNumOperands(in);
    for (unsigned i = 1; i < n; i++) {
        LLVMValueRef index = LLVMGetOperand(in, i);
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned k = (unsigned)LLVMConstIntGetZExtValue(index);
            constant += (int64_t)LLVMOffsetOfElement(t->layout, type, k);
            type = LLVMStructGetTypeAtIndex(type, k);
            continue;
        }
        if (i > 1)
            type = LLVMGetElementType(type);
        base = add_wide_index(t, base, index,
                              (int64_t)LLVMABISizeOfType(t->layout, type),
                              &constant);
    }
    tr_set1(t, in, add_wide_constant(t, base, constant));
}

/* Constants are added last: there they fit into the access. */
bool
tr_gep(struct tr *t, LLVMValueRef in)
{
    if (tr_is_pair(t, LLVMTypeOf(in))) {
        wide_gep(t, in);
        return true;
    }
    ir_val base = tr_get1(t, LLVMGetOperand(in, 0));
    LLVMTypeRef type = LLVMGetGEPSourceElementType(in);
    uint32_t constant = 0;
    unsigned n = (unsigned)LLVMGetNumOperands(in);
    for (unsigned i = 1; i < n; i++) {
        LLVMValueRef index = LLVMGetOperand(in, i);
        uint32_t scale;
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned k = (unsigned)LLVMConstIntGetZExtValue(index);
            constant += (uint32_t)LLVMOffsetOfElement(t->layout, type, k);
            type = LLVMStructGetTypeAtIndex(type, k);
            continue;
        }
        if (i > 1)
            type = LLVMGetElementType(type);
        scale = (uint32_t)LLVMABISizeOfType(t->layout, type);
        struct tr_value v = tr_get(t, index);
        unsigned width = tr_width(t, LLVMTypeOf(index));
        ir_val x = tr_is_pair(t, LLVMTypeOf(index)) ? tr_lo(t, v.at[0])
                   : width < 32                     ? tr_sext(t, v.at[0], width)
                                                    : v.at[0];
        /* (y + c) * scale = y * scale + c * scale */
        int32_t c;
        struct ir_insn *def = ir_value(t->f, x)->def;
        if (tr_is_const(t, x, &c)) {
            constant += (uint32_t)c * scale;
            continue;
        }
        if (def && def->op == VENTUS_ISA_ADD &&
            tr_is_const(t, def->src[2], &c)) {
            constant += (uint32_t)c * scale;
            x = def->src[1];
        }
        x = tr_opi(t, VENTUS_ISA_MUL, x, (int32_t)scale);
        base = tr_op(t, VENTUS_ISA_ADD, base, x);
    }
    tr_set1(t, in, tr_opi(t, VENTUS_ISA_ADD, base, (int32_t)constant));
    for (unsigned i = 0; i < t->n_arg_pointers; i++)
        if (t->arg_pointers[i] == LLVMGetOperand(in, 0))
            return true; /* tr_params has put `in` there as well */
    return true;
}
