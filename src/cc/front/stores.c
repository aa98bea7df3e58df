/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stores to variables in memory that passes remove, with -g.  Where one was,
 * the memory is no longer what the source says that the variable is.
 *
 * Before a pass that may remove stores each gets a mark, a dbg.value of its
 * bytes with a number that no program has.  Behind the pass the marks go whose
 * store is there; the others stay and say that these bytes are unknown from
 * here on.  When all passes are done, variables with such marks are memory
 * from their declaration to the mark, and again from the next store of the same
 * bytes on.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

#include "cc/front/module.h"
#include "cc/front/stores.h"

enum { MARK_BITS = 77 }; /* of the numbers: no type of OpenCL C has so many */

static const char store_kind[] = "ventus.store";

struct declaration {
    LLVMValueRef insn, variable; /* dbg.declare, alloca */
    uint64_t offset_B, size_B;   /* which part of the source's variable */
    bool whole;
};

struct stores {
    struct front_build *b;
    LLVMTargetDataRef layout;
    LLVMDIBuilderRef debug;
    LLVMBuilderRef builder;
    vec(struct declaration) declared;
    unsigned marks;
};

/* Bytes of the variable that an instruction writes; not exact: some of these. */
struct written {
    LLVMValueRef variable;
    uint64_t offset_B, size_B;
    bool exact;
};

/* ---- what a store writes ---- */

/* The element that an index of a GEP names. */
static LLVMTypeRef
step_into(struct stores *s, LLVMTypeRef type, LLVMValueRef index,
          struct written *w)
{
    bool known = LLVMIsAConstantInt(index);
    uint64_t i = known ? (uint64_t)LLVMConstIntGetSExtValue(index) : 0;
    LLVMTypeRef element;
    if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
        w->offset_B += LLVMOffsetOfElement(s->layout, type, (unsigned)i);
        return LLVMStructGetTypeAtIndex(type, (unsigned)i);
    }
    element = LLVMGetElementType(type);
    w->offset_B += i * LLVMABISizeOfType(s->layout, element);
    w->exact &= known;
    return element;
}

static void
add_offset(struct stores *s, LLVMValueRef gep, struct written *w)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    LLVMValueRef first = LLVMGetOperand(gep, 1);
    bool known = LLVMIsAConstantInt(first);
    if (known)
        w->offset_B += (uint64_t)LLVMConstIntGetSExtValue(first) *
                       LLVMABISizeOfType(s->layout, type);
    w->exact &= known;
    for (int i = 2; i < LLVMGetNumOperands(gep); i++)
        type = step_into(s, type, LLVMGetOperand(gep, (unsigned)i), w);
}

static bool
find_variable(struct stores *s, LLVMValueRef pointer, struct written *w)
{
    while (!LLVMIsAAllocaInst(pointer)) {
        if (LLVMIsAGetElementPtrInst(pointer))
            add_offset(s, pointer, w);
        else if (!LLVMIsAAddrSpaceCastInst(pointer) &&
                 !LLVMIsABitCastInst(pointer))
            return false;
        pointer = LLVMGetOperand(pointer, 0);
    }
    w->variable = pointer;
    return true;
}

static bool
find_written(struct stores *s, LLVMValueRef insn, struct written *w)
{
    *w = (struct written){ .exact = true };
    if (LLVMIsAStoreInst(insn)) {
        w->size_B =
            LLVMStoreSizeOfType(s->layout, LLVMTypeOf(LLVMGetOperand(insn, 0)));
        return find_variable(s, LLVMGetOperand(insn, 1), w);
    }
    if (!LLVMIsAMemIntrinsic(insn))
        return false;
    LLVMValueRef size = LLVMGetOperand(insn, 2);
    w->exact = LLVMIsAConstantInt(size);
    w->size_B = w->exact ? LLVMConstIntGetZExtValue(size) : 0;
    return find_variable(s, LLVMGetOperand(insn, 0), w);
}

/* ---- records ---- */

static bool
is_record(LLVMValueRef insn, const char *name)
{
    LLVMValueRef callee = front_callee(insn);
    size_t n;
    return callee && strcmp(LLVMGetValueName2(callee, &n), name) == 0;
}

/* The value that a record is of; NULL: none of the function's. */
static LLVMValueRef
value_of(LLVMValueRef record)
{
    LLVMValueRef v = NULL, of = LLVMGetOperand(record, 0);
    LLVMMetadataKind kind = LLVMGetMetadataKind(LLVMValueAsMetadata(of));
    if (kind == LLVMLocalAsMetadataMetadataKind ||
        kind == LLVMConstantAsMetadataMetadataKind)
        LLVMGetMDNodeOperands(of, &v);
    return v;
}

/* The part of the variable that a record names; false: all of it. */
static bool
read_part(LLVMValueRef record, uint64_t *offset_B, uint64_t *size_B)
{
    static const char key[] = "DW_OP_LLVM_fragment, ";
    char *text = LLVMPrintValueToString(LLVMGetOperand(record, 2));
    char *at = strstr(text, key), *end;
    if (at) {
        *offset_B = strtoull(at + strlen(key), &end, 10) / 8;
        *size_B = strtoull(end + 1, NULL, 10) / 8;
    }
    LLVMDisposeMessage(text);
    return at != NULL;
}

static void
find_declarations(struct stores *s, LLVMValueRef function)
{
    s->declared.n = 0;
    front_foreach_block(block, function) front_foreach_insn(i, block)
    {
        LLVMValueRef v = is_record(i, "llvm.dbg.declare") ? value_of(i) : NULL;
        if (!v || !LLVMIsAAllocaInst(v))
            continue;
        struct declaration d = { .insn = i, .variable = v };
        d.whole = !read_part(i, &d.offset_B, &d.size_B);
        if (d.whole)
            d.size_B = LLVMABISizeOfType(s->layout, LLVMGetAllocatedType(v));
        vec_push(s->b->arena, &s->declared, d);
    }
}

/* Bytes [from, to) of the declared part are `value`, or what is there. */
static LLVMValueRef
add_record(struct stores *s, const struct declaration *d, LLVMValueRef before,
           LLVMValueRef value, uint64_t from, uint64_t to)
{
    enum { DEREF = 6, PLUS_UCONST = 0x23, FRAGMENT = 0x1000 };
    uint64_t text[8];
    size_t n = 0;
    if (value == d->variable && from)
        text[n++] = PLUS_UCONST, text[n++] = from;
    if (value == d->variable)
        text[n++] = DEREF;
    if (!d->whole || from || to < d->size_B) {
        text[n++] = FRAGMENT;
        text[n++] = 8 * (d->offset_B + from);
        text[n++] = 8 * (to - from);
    }
    LLVMValueRef operand[3] = {
        LLVMMetadataAsValue(s->b->context, LLVMValueAsMetadata(value)),
        LLVMGetOperand(d->insn, 1),
        LLVMMetadataAsValue(s->b->context,
                            LLVMDIBuilderCreateExpression(s->debug, text, n)),
    };
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(
        s->b->module, LLVMLookupIntrinsicID("llvm.dbg.value", 14), NULL, 0);
    LLVMPositionBuilderBefore(s->builder, before);
    LLVMSetCurrentDebugLocation2(s->builder,
                                 LLVMInstructionGetDebugLoc(d->insn));
    return LLVMBuildCall2(s->builder, LLVMGlobalGetValueType(f), f, operand, 3,
                          "");
}

static unsigned
kind_of_marks(struct front_build *b)
{
    return LLVMGetMDKindIDInContext(b->context, store_kind,
                                    sizeof store_kind - 1);
}

static void
begin_stores(struct stores *s, struct front_build *b)
{
    *s = (struct stores){ .b = b };
    assert(b->options->debug && b->options->optimise &&
           "without optimisation no store goes");
    s->layout = LLVMGetModuleDataLayout(b->module);
    s->debug = LLVMCreateDIBuilder(b->module);
    s->builder = LLVMCreateBuilderInContext(b->context);
    LLVMSetIsNewDbgInfoFormat(b->module, false); /* records are calls */
}

static void
end_stores(struct stores *s)
{
    LLVMDisposeBuilder(s->builder);
    LLVMDisposeDIBuilder(s->debug);
    LLVMSetIsNewDbgInfoFormat(s->b->module, true);
}

/* ---- around a pass ---- */

/* Bytes of the declared part that may be written; false: none. */
static bool
cut(const struct declaration *d, struct written *w)
{
    if (d->variable != w->variable)
        return false;
    if (!w->exact || w->offset_B + w->size_B > d->size_B)
        w->offset_B = 0, w->size_B = d->size_B;
    return w->size_B != 0;
}

static void
mark(struct stores *s, LLVMValueRef store)
{
    struct written w;
    if (!find_written(s, store, &w))
        return;
    LLVMTypeRef type = LLVMIntTypeInContext(s->b->context, MARK_BITS);
    LLVMValueRef number = LLVMConstInt(type, ++s->marks, false);
    LLVMMetadataRef of = LLVMValueAsMetadata(number);
    LLVMSetMetadata(
        store, kind_of_marks(s->b),
        LLVMMetadataAsValue(s->b->context,
                            LLVMMDNodeInContext2(s->b->context, &of, 1)));
    for (size_t i = 0; i < s->declared.n; i++) {
        struct written part = w;
        if (cut(&s->declared.at[i], &part))
            add_record(s, &s->declared.at[i], LLVMGetNextInstruction(store),
                       number, part.offset_B, part.offset_B + part.size_B);
    }
}

void
front_mark_stores(struct front_build *b)
{
    struct stores s;
    begin_stores(&s, b);
    front_foreach_function(f, b->module)
    {
        find_declarations(&s, f);
        front_foreach_block(block, f) front_foreach_insn(i, block) mark(&s, i);
    }
    end_stores(&s);
}

static LLVMValueRef
number_of_store(struct front_build *b, LLVMValueRef insn)
{
    LLVMValueRef node = LLVMGetMetadata(insn, kind_of_marks(b)), number;
    if (!node)
        return NULL;
    LLVMGetMDNodeOperands(node, &number);
    return number;
}

static LLVMValueRef
number_of_mark(LLVMValueRef insn)
{
    LLVMValueRef v = is_record(insn, "llvm.dbg.value") ? value_of(insn) : NULL;
    LLVMTypeRef type = v && LLVMIsAConstantInt(v) ? LLVMTypeOf(v) : NULL;
    return type && LLVMGetIntTypeWidth(type) == MARK_BITS ? v : NULL;
}

/* Whether the store of a mark is before it in the block, as long as it was. */
static bool
has_store(struct stores *s, LLVMValueRef mark, LLVMValueRef number)
{
    LLVMValueRef i = mark;
    while (i && number_of_store(s->b, i) != number)
        i = LLVMGetPreviousInstruction(i);
    struct written w;
    uint64_t offset_B, size_B;
    if (!i || !LLVMIsAMemIntrinsic(i))
        return i != NULL;
    return find_written(s, i, &w) &&
           (!w.exact || !read_part(mark, &offset_B, &size_B) ||
            w.size_B == size_B);
}

void
front_settle_stores(struct front_build *b)
{
    struct stores s;
    begin_stores(&s, b);
    front_foreach_function(f, b->module) front_foreach_block(block, f)
        front_foreach_insn(i, block)
    {
        LLVMValueRef number = number_of_mark(i);
        if (number && has_store(&s, i, number))
            LLVMInstructionEraseFromParent(i);
        else if (number)
            LLVMSetOperand(i, 0,
                           LLVMMetadataAsValue(b->context,
                                               LLVMValueAsMetadata(LLVMGetUndef(
                                                   LLVMTypeOf(number)))));
    }
    front_foreach_function(f, b->module) front_foreach_block(block, f)
        front_foreach_insn(i, block)
    {
        if (number_of_store(b, i))
            LLVMSetMetadata(i, kind_of_marks(b), NULL);
    }
    end_stores(&s);
}

/* ---- when all passes are done ---- */

typedef vec(uint64_t) borders;

static void
add_border(struct stores *s, borders *list, uint64_t at)
{
    size_t i = 0;
    while (i < list->n && list->at[i] < at)
        i++;
    if (i < list->n && list->at[i] == at)
        return;
    vec_push(s->b->arena, list, at);
    for (size_t k = list->n - 1; k > i; k--)
        list->at[k] = list->at[k - 1];
    list->at[i] = at;
}

/* A mark that stayed, of this declaration. */
static bool
is_mark_of(const struct declaration *d, LLVMValueRef insn, uint64_t *from,
           uint64_t *to)
{
    LLVMValueRef v = is_record(insn, "llvm.dbg.value") ? value_of(insn) : NULL;
    LLVMTypeRef type = v && LLVMIsUndef(v) ? LLVMTypeOf(v) : NULL;
    if (!type || LLVMGetTypeKind(type) != LLVMIntegerTypeKind ||
        LLVMGetIntTypeWidth(type) != MARK_BITS ||
        LLVMGetOperand(insn, 1) != LLVMGetOperand(d->insn, 1))
        return false;
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(insn);
    LLVMMetadataRef mine = LLVMInstructionGetDebugLoc(d->insn);
    if (LLVMDILocationGetInlinedAt(at) != LLVMDILocationGetInlinedAt(mine))
        return false;
    uint64_t offset_B = d->offset_B, size_B = d->size_B;
    read_part(insn, &offset_B, &size_B);
    bool overlap =
        offset_B < d->offset_B + d->size_B && d->offset_B < offset_B + size_B;
    *from = offset_B > d->offset_B ? offset_B - d->offset_B : 0;
    *to = offset_B + size_B - d->offset_B;
    *to = *to < d->size_B ? *to : d->size_B;
    return overlap;
}

static void
find_borders(struct stores *s, const struct declaration *d, LLVMValueRef f,
             borders *list)
{
    uint64_t from, to;
    front_foreach_block(block, f) front_foreach_insn(i, block)
    {
        if (!is_mark_of(d, i, &from, &to))
            continue;
        add_border(s, list, from);
        add_border(s, list, to);
    }
    if (!list->n)
        return;
    add_border(s, list, 0);
    add_border(s, list, d->size_B);
}

/* Records of the parts in [from, to): a record ends what it overlaps. */
static void
place(struct stores *s, const struct declaration *d, const borders *list,
      LLVMValueRef before, LLVMValueRef value, uint64_t from, uint64_t to)
{
    for (size_t k = 0; k + 1 < list->n; k++)
        if (list->at[k] >= from && list->at[k + 1] <= to)
            add_record(s, d, before, value, list->at[k], list->at[k + 1]);
}

/* The instruction after the records that follow a store: a mark there is of the value
 * that it replaces. */
static LLVMValueRef
after_records(LLVMValueRef store)
{
    do
        store = LLVMGetNextInstruction(store);
    while (is_record(store, "llvm.dbg.value") ||
           is_record(store, "llvm.dbg.declare"));
    return store;
}

static void
place_variable(struct stores *s, const struct declaration *d, LLVMValueRef f)
{
    borders list = { 0 };
    uint64_t from, to;
    struct written w;
    find_borders(s, d, f, &list);
    if (!list.n)
        return;
    front_foreach_block(block, f) front_foreach_insn(i, block)
    {
        if (is_mark_of(d, i, &from, &to)) {
            LLVMTypeRef type = LLVMInt32TypeInContext(s->b->context);
            place(s, d, &list, i, LLVMGetUndef(type), from, to);
            LLVMInstructionEraseFromParent(i);
        } else if (find_written(s, i, &w) && w.exact &&
                   w.variable == d->variable) {
            place(s, d, &list, after_records(i), d->variable, w.offset_B,
                  w.offset_B + w.size_B);
        }
    }
    place(s, d, &list, d->insn, d->variable, 0, d->size_B);
    LLVMInstructionEraseFromParent(d->insn);
}

void
front_place_variables(struct front_build *b)
{
    struct stores s;
    begin_stores(&s, b);
    front_foreach_function(f, b->module)
    {
        find_declarations(&s, f);
        for (size_t i = 0; i < s.declared.n; i++)
            place_variable(&s, &s.declared.at[i], f);
    }
    end_stores(&s);
}
