/* SPDX-License-Identifier: Apache-2.0 */
/* Constants and global variables. */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "abi/opencl.h"
#include "base/arith.h"
#include "cc/front/module.h"
#include "cc/isel/build.h"
#include "cc/isel/const.h"
#include "cc/isel/int.h"
#include "cc/isel/type.h"
#include "cc/isel/value.h"

static uint64_t
float_bits(struct tr *t, LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v);
    unsigned width = tr_width(t, type);
    LLVMTypeRef as = LLVMIntTypeInContext(LLVMGetTypeContext(type), width);
    return LLVMConstIntGetZExtValue(LLVMConstBitCast(v, as));
}

/* The bits of an integer, floating or null constant of at most 64 bits. */
static bool
scalar_bits(struct tr *t, LLVMValueRef v, uint64_t *bits)
{
    if (LLVMIsAConstantInt(v))
        *bits = LLVMConstIntGetZExtValue(v);
    else if (LLVMIsAConstantFP(v))
        *bits = float_bits(t, v);
    else if (LLVMIsNull(v) || LLVMIsUndef(v) || LLVMIsPoison(v))
        *bits = 0;
    else
        return false;
    return true;
}

/* ---- as values ---- */

bool
tr_add_indices(struct tr *t, LLVMValueRef gep, int64_t *offset)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    unsigned n = (unsigned)LLVMGetNumOperands(gep);
    for (unsigned i = 1; i < n; i++) {
        LLVMValueRef index = LLVMGetOperand(gep, i);
        if (!LLVMIsAConstantInt(index))
            return false;
        int64_t k = LLVMConstIntGetSExtValue(index);
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            *offset +=
                (int64_t)LLVMOffsetOfElement(t->layout, type, (unsigned)k);
            type = LLVMStructGetTypeAtIndex(type, (unsigned)k);
            continue;
        }
        if (i > 1)
            type = LLVMGetElementType(type);
        *offset += k * (int64_t)LLVMABISizeOfType(t->layout, type);
    }
    return true;
}

/* The address a constant expression stands for: a global and an offset; no
 * global: one that the program has as a number. */
static bool
address_of(struct tr *t, LLVMValueRef v, LLVMValueRef *global, int64_t *offset)
{
    if (LLVMIsAGlobalVariable(v)) {
        *global = v;
        *offset = 0;
        return true;
    }
    uint64_t bits;
    if (scalar_bits(t, v, &bits)) {
        *global = NULL;
        *offset = (int64_t)bits;
        return true;
    }
    if (!LLVMIsAConstantExpr(v))
        return false;
    switch ((int)LLVMGetConstOpcode(v)) {
    case LLVMBitCast:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMAddrSpaceCast: /* to a generic pointer, of the same address */
        return address_of(t, LLVMGetOperand(v, 0), global, offset);
    case LLVMAdd:
    case LLVMSub:
        if (!LLVMIsAConstantInt(LLVMGetOperand(v, 1)) ||
            !address_of(t, LLVMGetOperand(v, 0), global, offset))
            return false;
        int64_t c = LLVMConstIntGetSExtValue(LLVMGetOperand(v, 1));
        *offset += LLVMGetConstOpcode(v) == LLVMAdd ? c : -c;
        return true;
    case LLVMGetElementPtr:
        break;
    default:
        return false;
    }
    return address_of(t, LLVMGetOperand(v, 0), global, offset) &&
           tr_add_indices(t, v, offset);
}

/*
 * A constant expression that is not an address and an offset, as the difference of two
 * addresses, or has 64 bits: computed as an instruction would be; r.n is 0 if it
 * cannot.
 */
static struct tr_value
constant_expression(struct tr *t, LLVMValueRef v)
{
    LLVMOpcode op = LLVMIsAConstantExpr(v) ? LLVMGetConstOpcode(v) : 0;
    switch ((int)op) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMXor:
    case LLVMShl:
        return tr_binary_value(t, op, v);
    case LLVMTrunc:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
        return tr_cast_value(t, op, v);
    default:
        return (struct tr_value){ 0 };
    }
}

/* A number as the IR values of its type. */
static void
add_number(struct tr *t, LLVMTypeRef type, uint64_t bits, ir_val **at)
{
    ir_val lo = tr_const(t, (int32_t)(uint32_t)bits);
    ir_val hi = tr_const(t, (int32_t)(uint32_t)(bits >> 32));
    if (tr_is_pair(t, type)) {
        *(*at)++ = tr_pair(t, lo, hi);
        return;
    }
    *(*at)++ = lo;
    if (tr_width(t, type) > 32)
        *(*at)++ = hi;
}

/* The 64-bit address of a symbol, which is below 4 GiB, and of the bytes after it;
 * sums with other numbers have 64 bits. */
static ir_val
wide_address(struct tr *t, LLVMValueRef global, int64_t offset)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(global);
    bool inside =
        offset >= 0 && (uint64_t)offset <= LLVMABISizeOfType(t->layout, type);
    ir_val word = tr_address(t, global, inside ? (int32_t)offset : 0);
    ir_val address = tr_extend(t, word, false);
    if (inside)
        return address;
    ir_val lo = tr_const(t, (int32_t)(uint32_t)offset);
    ir_val hi = tr_const(t, (int32_t)(uint32_t)((uint64_t)offset >> 32));
    return tr_op(t, VENTUS_ISA_ADD, address, tr_pair(t, lo, hi));
}

static void
add_words(struct tr *t, LLVMValueRef v, ir_val **at)
{
    LLVMTypeRef type = LLVMTypeOf(v);
    unsigned n = (unsigned)front_parts(type);
    if (n) {
        for (unsigned i = 0; i < n; i++)
            add_words(t, LLVMGetAggregateElement(v, i), at);
        return;
    }
    uint64_t bits;
    LLVMValueRef global;
    int64_t offset;
    bool pair = tr_is_pair(t, type);
    if (scalar_bits(t, v, &bits)) {
        add_number(t, type, bits, at);
    } else if ((tr_width(t, type) <= 32 || pair) &&
               address_of(t, v, &global, &offset)) {
        if (!global) {
            add_number(t, type, (uint64_t)offset, at);
            return;
        }
        *(*at)++ = pair ? wide_address(t, global, offset)
                        : tr_address(t, global, (int32_t)offset);
    } else {
        struct tr_value r = constant_expression(t, v);
        for (unsigned i = 0; i < r.n; i++)
            *(*at)++ = r.at[i];
        if (r.n)
            return;
        tr_fail(t, "a constant of a kind that is not supported");
        for (unsigned i = tr_words(t, type); i > 0; i--)
            *(*at)++ = IR_ZERO;
    }
}

struct tr_value
tr_constant(struct tr *t, LLVMValueRef v)
{
    struct tr_value r = tr_new_value(t, tr_words(t, LLVMTypeOf(v)));
    ir_val *at = r.at;
    add_words(t, v, &at);
    assert(at == r.at + r.n);
    return r;
}

/* ---- globals ---- */

static void
add_bytes(struct tr *t, struct cc_data *d, uint32_t at, LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v);
    uint64_t bits;
    LLVMValueRef global;
    int64_t offset;
    if (LLVMIsNull(v) || LLVMIsUndef(v))
        return;
    assert(at <= d->size);
    unsigned n = (unsigned)front_parts(type);
    if (n) {
        bool is_struct = LLVMGetTypeKind(type) == LLVMStructTypeKind;
        for (unsigned i = 0; i < n; i++) {
            LLVMValueRef e = LLVMGetAggregateElement(v, i);
            uint64_t size = LLVMABISizeOfType(t->layout, LLVMTypeOf(e));
            uint64_t o =
                is_struct ? LLVMOffsetOfElement(t->layout, type, i) : i * size;
            add_bytes(t, d, at + (uint32_t)o, e);
        }
    } else if (!tr_check_type(t, type)) {
        return;
    } else if (scalar_bits(t, v, &bits)) {
        unsigned size = (unsigned)LLVMStoreSizeOfType(t->layout, type);
        for (unsigned i = 0; i < size && at + i < d->size; i++)
            d->bytes[at + i] = (uint8_t)(bits >> 8 * i);
    } else if (address_of(t, v, &global, &offset) && !global) {
        unsigned size = tr_width(t, type) / 8;
        for (unsigned i = 0; i < size && at + i < d->size; i++)
            d->bytes[at + i] = (uint8_t)((uint64_t)offset >> 8 * i);
    } else if (address_of(t, v, &global, &offset)) {
        vec_push(t->m->arena, &d->fixups,
                 ((struct cc_fixup){ at, tr_global(t, global)->symbol,
                                     (int32_t)offset }));
    } else {
        tr_fail(t, "an initialiser of a kind that is not supported");
    }
}

/* A copy of it, of an object of bitcode, has a suffix. */
bool
tr_is_exchange_area(LLVMValueRef v)
{
    size_t n, length = strlen(FRONT_EXCHANGE);
    const char *name = LLVMGetValueName2(v, &n);
    return n >= length && strncmp(name, FRONT_EXCHANGE, length) == 0;
}

/* The size of a variable; 0, and an error, if it is larger than a program may have. */
static uint32_t
size_of(struct tr *t, LLVMValueRef v)
{
    enum { MEMORY_B = 256 << 20 }; /* abi.md, Memory map */
    uint64_t size = LLVMABISizeOfType(t->layout, LLVMGlobalGetValueType(v));
    bool constant = LLVMIsGlobalConstant(v);
    uint32_t most = constant ? MEMORY_B : OPENCL_C_VARIABLE_B;
    if (size <= most)
        return (uint32_t)size;
    size_t n;
    const char *name = LLVMGetValueName2(v, &n);
    tr_fail(t,
            "'%.*s' has %" PRIu64 " bytes: expected %" PRIu32 " at most of %s",
            (int)n, name, size, most, constant ? "a constant" : "a variable");
    return 0;
}

/* Contents, and the section that they belong to. */
static void
add_contents(struct tr *t, struct cc_data *d, LLVMValueRef v)
{
    size_t n;
    const char *section = LLVMGetSection(v);
    LLVMValueRef init = LLVMGetInitializer(v);
    if (section && *section)
        d->section = arena_printf(t->m->arena, "%s", section);
    else if (!LLVMIsGlobalConstant(v))
        d->section = init && LLVMIsNull(init) ? ".bss" : ".data";
    if (!init)
        tr_fail(t, "'%s' has no definition", LLVMGetValueName2(v, &n));
    if (d->section && strcmp(d->section, ".bss") == 0)
        return;
    d->bytes = arena_new(t->m->arena, uint8_t, d->size + 1);
    if (init && d->size)
        add_bytes(t, d, 0, init);
}

struct tr_global *
tr_global(struct tr *t, LLVMValueRef v)
{
    void **at = map_put_number(t->m->arena, &t->globals, (uintptr_t)v);
    if (*at)
        return *at;
    struct tr_global *g = arena_new(t->m->arena, struct tr_global, 1);
    *at = g;
    g->of = v;
    LLVMTypeRef type = LLVMGlobalGetValueType(v);
    uint32_t size = size_of(t, v);
    uint32_t align = LLVMGetAlignment(v);
    if (align < LLVMABIAlignmentOfType(t->layout, type))
        align = LLVMABIAlignmentOfType(t->layout, type);
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(v)) == 3) {
        g->space = IR_SPACE_LOCAL;
        assert(align && (align & (align - 1)) == 0);
        g->offset = align_up(t->kernel->info.local_B, align);
        t->kernel->info.local_B = g->offset + size;
        if (tr_is_exchange_area(v)) {
            t->kernel->info.exchange_at = g->offset;
            t->kernel->info.exchange_B = size;
        }
        return g;
    }
    g->space = IR_SPACE_CONST;
    size_t length;
    const char *name = LLVMGetValueName2(v, &length);
    char *symbol = arena_printf(t->m->arena, "%.*s", (int)length, name);
    for (char *c = symbol; *c; c++)
        if (strchr(" -\"\\", *c))
            *c = '_';
    g->symbol = symbol;
    struct cc_data d = { .name = symbol, .align = align, .size = size };
    for (size_t i = 0; i < t->m->data.n; i++)
        if (strcmp(t->m->data.at[i].name, symbol) == 0)
            return g; /* of another kernel too */
    add_contents(t, &d, v);
    vec_push(t->m->arena, &t->m->data, d);
    return g;
}

void
tr_sections(struct tr *t, LLVMModuleRef module)
{
    for (LLVMValueRef v = LLVMGetFirstGlobal(module); v;
         v = LLVMGetNextGlobal(v)) {
        const char *section = LLVMGetSection(v);
        if (section && strncmp(section, ".ventus.", 8) == 0)
            tr_global(t, v);
    }
}

ir_val
tr_address(struct tr *t, LLVMValueRef global, int32_t offset)
{
    struct tr_global *g = tr_global(t, global);
    if (g->space == IR_SPACE_LOCAL)
        return tr_opi(t, VENTUS_ISA_ADD, t->local_base,
                      (int32_t)g->offset + offset);
    struct ir_insn *in = tr_emit(t, IR_SYMBOL, 1);
    in->symbol = g->symbol;
    return tr_opi(t, VENTUS_ISA_ADD, in->dst, offset);
}
