/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of printf become stores into the print buffer (docs/printf.md):
 *
 *     if (__ventus_print_begin(size)) {
 *         do {
 *             record = __ventus_print_slot(size);
 *             if (record) {
 *                 record[1] = number of the format; record[2...] = arguments;
 *                 __ventus_print_end(record, size);
 *             }
 *             __ventus_print_again();
 *         } while (!record);
 *         result = 0;
 *     } else
 *         result = -1;
 *     asm volatile("");
 *
 * The last is nothing that runs, but may not return, for all that LLVM knows:
 * else, where no way leads on (__builtin_unreachable), it concludes that the
 * loop never ends.
 *
 * Work-items that have a record complete it inside of the loop: if they left
 * it first they would wait, where the warp comes together again, for others
 * that wait for the host, which waits for these records.
 *
 * The number of a format is where it stands in a table of the object file.
 * What the format is, and what strings are for %s, is seen after inlining: up
 * to then @__ventus_print_format(format, site) and
 * @__ventus_print_string(site, argument, string) stand for the numbers.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

#include "abi/print_format.h"
#include "base/map.h"
#include "cc/front/module.h"
#include "cc/front/printf.h"

enum { HEADER_B = 8, MAX_B = 4096, CONSTANT_SPACE = 2 };

struct lower {
    struct front_build *b;
    LLVMBuilderRef builder;
    LLVMTargetDataRef layout;
    LLVMTypeRef i32, i8, record, string; /* the last two are pointers */
    unsigned sites;
};

static LLVMValueRef
build_number(struct lower *l, unsigned x)
{
    return LLVMConstInt(l->i32, x, false);
}

/* Calls a function by its name, which is declared if it is not there. */
static LLVMValueRef
build_call(struct lower *l, const char *name, LLVMTypeRef result,
           LLVMValueRef *args, unsigned n)
{
    LLVMTypeRef types[3];
    assert(n <= 3);
    for (unsigned i = 0; i < n; i++)
        types[i] = LLVMTypeOf(args[i]);
    LLVMTypeRef type = LLVMFunctionType(result, types, n, false);
    LLVMValueRef f = LLVMGetNamedFunction(l->b->module, name);
    if (!f)
        f = LLVMAddFunction(l->b->module, name, type);
    return LLVMBuildCall2(l->builder, type, f, args, n, "");
}

/* ---- arguments ---- */

/* A half or float went through a double only since C says so. */
static LLVMValueRef
without_promotion(LLVMValueRef v)
{
    if (LLVMIsAFPExtInst(v))
        return LLVMGetOperand(v, 0);
    return v;
}

struct argument {
    LLVMValueRef value;
    char kind;       /* i f p s */
    unsigned size_B; /* of an element */
    unsigned lanes;  /* 0: no vector */
};

static bool
scalar_kind(struct lower *l, LLVMTypeRef type, struct argument *arg)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        arg->kind = 'i';
        break;
    case LLVMHalfTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
        arg->kind = 'f';
        break;
    case LLVMPointerTypeKind:
        arg->kind =
            LLVMGetPointerAddressSpace(type) == CONSTANT_SPACE ? 's' : 'p';
        break;
    default:
        return false;
    }
    arg->size_B = (unsigned)LLVMABISizeOfType(l->layout, type);
    return arg->size_B <= 8;
}

static bool
describe_argument(struct lower *l, LLVMValueRef insn, unsigned i,
                  struct argument *arg)
{
    *arg = (struct argument){ .value =
                                  without_promotion(LLVMGetOperand(insn, i)) };
    LLVMTypeRef type = LLVMTypeOf(arg->value);
    bool ok;
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
        arg->lanes = LLVMGetVectorSize(type);
        ok = scalar_kind(l, LLVMGetElementType(type), arg);
    } else {
        ok = scalar_kind(l, type, arg);
    }
    if (!ok)
        front_error(l->b, insn, "printf: argument %u cannot be printed", i);
    return ok;
}

static unsigned
room_B(const struct argument *arg)
{
    unsigned lanes = arg->lanes ? arg->lanes : 1;
    return (arg->size_B * lanes + 3) & ~3u;
}

static void
build_store(struct lower *l, LLVMValueRef record, unsigned at_B,
            LLVMValueRef value)
{
    LLVMValueRef offset = build_number(l, at_B);
    LLVMValueRef at =
        LLVMBuildInBoundsGEP2(l->builder, l->i8, record, &offset, 1, "");
    LLVMValueRef s = LLVMBuildStore(l->builder, value, at);
    LLVMSetAlignment(s, at_B % 4 ? at_B % 2 ? 1 : 2 : 4);
}

static void
store_argument(struct lower *l, LLVMValueRef record, unsigned at_B,
               const struct argument *arg, unsigned i)
{
    if (arg->kind == 's') {
        LLVMValueRef args[3] = { build_number(l, l->sites), build_number(l, i),
                                 arg->value };
        build_store(l, record, at_B,
                    build_call(l, "__ventus_print_string",
                               front_address_type(l->b), args, 3));
        return;
    }
    if (!arg->lanes) {
        build_store(l, record, at_B, arg->value);
        return;
    }
    for (unsigned lane = 0; lane < arg->lanes; lane++)
        build_store(l, record, at_B + lane * arg->size_B,
                    LLVMBuildExtractElement(l->builder, arg->value,
                                            build_number(l, lane), ""));
}

/* ---- one call ---- */

struct printf_call {
    LLVMValueRef insn;
    struct argument *args;
    unsigned n;
    unsigned size_B; /* of the record */
};

static void
fill_record(struct lower *l, const struct printf_call *c, LLVMValueRef record)
{
    LLVMValueRef format[2] = { LLVMGetOperand(c->insn, 0),
                               build_number(l, l->sites) };
    build_store(l, record, 4,
                build_call(l, "__ventus_print_format", l->i32, format, 2));
    unsigned at_B = HEADER_B;
    for (unsigned i = 0; i < c->n; i++) {
        store_argument(l, record, at_B, &c->args[i], i);
        at_B += room_B(&c->args[i]);
    }
    assert(at_B == c->size_B && "as lower_call has counted");
    LLVMValueRef end[2] = { record, build_number(l, c->size_B) };
    build_call(l, "__ventus_print_end", LLVMVoidTypeInContext(l->b->context),
               end, 2);
}

/* Splits off what stands before `insn` as a block of its own, which is returned; phis
 * of successors, which LLVM-C cannot change, still name the block of `insn`. */
static LLVMBasicBlockRef
split_before(struct lower *l, LLVMValueRef insn)
{
    LLVMBasicBlockRef tail = LLVMGetInstructionParent(insn);
    LLVMBasicBlockRef head =
        LLVMInsertBasicBlockInContext(l->b->context, tail, "");
    for (LLVMUseRef u; (u = LLVMGetFirstUse(LLVMBasicBlockAsValue(tail)));) {
        LLVMValueRef branch = LLVMGetUser(u);
        for (unsigned i = 0; i < LLVMGetNumSuccessors(branch); i++)
            if (LLVMGetSuccessor(branch, i) == tail)
                LLVMSetSuccessor(branch, i, head);
    }
    LLVMPositionBuilderAtEnd(l->builder, head);
    LLVMSetCurrentDebugLocation2(l->builder, NULL); /* each keeps its own */
    for (LLVMValueRef i; (i = LLVMGetFirstInstruction(tail)) != insn;) {
        LLVMInstructionRemoveFromParent(i);
        LLVMInsertIntoBuilder(l->builder, i);
    }
    return head;
}

static LLVMBasicBlockRef
new_block(struct lower *l, LLVMBasicBlockRef before)
{
    return LLVMInsertBasicBlockInContext(l->b->context, before, "");
}

/* Builds an instruction that, as far as LLVM knows, may not return: empty assembly. */
static void
build_end(struct lower *l)
{
    LLVMTypeRef type =
        LLVMFunctionType(LLVMVoidTypeInContext(l->b->context), NULL, 0, false);
    LLVMValueRef nothing = LLVMGetInlineAsm(type, "", 0, "", 0, true, false,
                                            LLVMInlineAsmDialectATT, false);
    LLVMBuildCall2(l->builder, type, nothing, NULL, 0, "");
}

static void
replace_call(struct lower *l, const struct printf_call *c)
{
    LLVMMetadataRef where = LLVMInstructionGetDebugLoc(c->insn);
    LLVMBasicBlockRef head = split_before(l, c->insn);
    LLVMBasicBlockRef done = LLVMGetInstructionParent(c->insn);
    LLVMBasicBlockRef loop = new_block(l, done);
    LLVMBasicBlockRef write = new_block(l, done);
    LLVMBasicBlockRef latch = new_block(l, done);
    LLVMSetCurrentDebugLocation2(l->builder, where);

    LLVMPositionBuilderAtEnd(l->builder, head);
    LLVMValueRef size = build_number(l, c->size_B);
    LLVMValueRef zero = build_number(l, 0);
    LLVMValueRef fits = build_call(l, "__ventus_print_begin", l->i32, &size, 1);
    fits = LLVMBuildICmp(l->builder, LLVMIntNE, fits, zero, "");
    LLVMBuildCondBr(l->builder, fits, loop, done);

    LLVMPositionBuilderAtEnd(l->builder, loop);
    LLVMValueRef record =
        build_call(l, "__ventus_print_slot", l->record, &size, 1);
    LLVMValueRef none = LLVMBuildIsNull(l->builder, record, "");
    LLVMBuildCondBr(l->builder, none, latch, write);

    LLVMPositionBuilderAtEnd(l->builder, write);
    fill_record(l, c, record);
    LLVMBuildBr(l->builder, latch);

    LLVMPositionBuilderAtEnd(l->builder, latch);
    build_call(l, "__ventus_print_again", LLVMVoidTypeInContext(l->b->context),
               NULL, 0);
    LLVMBuildCondBr(l->builder, none, loop, done);

    LLVMPositionBuilderBeforeInstrAndDbgRecords(l->builder, c->insn);
    LLVMValueRef result = LLVMBuildPhi(l->builder, l->i32, "");
    LLVMValueRef values[2] = { LLVMConstAllOnes(l->i32), zero };
    LLVMBasicBlockRef from[2] = { head, latch };
    LLVMAddIncoming(result, values, from, 2);
    LLVMPositionBuilderBefore(l->builder, c->insn);
    build_end(l);
    LLVMReplaceAllUsesWith(c->insn, result);
    LLVMInstructionEraseFromParent(c->insn);
}

/* The types of the arguments, as print_format reads them, wait under the
 * number of the call until its format is known. */
static void
remember_types(struct lower *l, const struct printf_call *c)
{
    struct arena *a = l->b->arena;
    char *types = arena_printf(a, "%s", "");
    for (unsigned i = 0; i < c->n; i++) {
        const struct argument *arg = &c->args[i];
        types = arg->lanes
                    ? arena_printf(a, "%s%c%ux%u", types, arg->kind,
                                   arg->size_B, arg->lanes)
                    : arena_printf(a, "%s%c%u", types, arg->kind, arg->size_B);
    }
    vec_push(a, &l->b->print_types, types);
}

static bool
lower_call(struct lower *l, LLVMValueRef insn)
{
    struct printf_call c = { .insn = insn, .size_B = HEADER_B };
    c.n = LLVMGetNumArgOperands(insn) - 1;
    c.args = arena_new(l->b->arena, struct argument, c.n);
    for (unsigned i = 0; i < c.n; i++) {
        if (!describe_argument(l, insn, i + 1, &c.args[i]))
            return false;
        c.size_B += room_B(&c.args[i]);
    }
    if (c.size_B > MAX_B) {
        front_error(l->b, insn,
                    "printf: the arguments take %u bytes, at most %u are "
                    "possible",
                    c.size_B - HEADER_B, MAX_B - HEADER_B);
        return false;
    }
    replace_call(l, &c);
    remember_types(l, &c);
    l->sites++;
    return true;
}

static LLVMValueRef
find_call(LLVMValueRef printf_function)
{
    for (LLVMUseRef u = LLVMGetFirstUse(printf_function); u;
         u = LLVMGetNextUse(u))
        if (front_callee(LLVMGetUser(u)) == printf_function)
            return LLVMGetUser(u);
    return NULL;
}

void
front_lower_printf(struct front_build *b)
{
    LLVMValueRef f = LLVMGetNamedFunction(b->module, "printf");
    if (!f || !LLVMIsDeclaration(f))
        return;
    struct lower l = { .b = b,
                       .builder = LLVMCreateBuilderInContext(b->context),
                       .layout = LLVMCreateTargetData(
                           LLVMGetDataLayoutStr(b->module)),
                       .i32 = LLVMInt32TypeInContext(b->context),
                       .i8 = LLVMInt8TypeInContext(b->context),
                       .record = LLVMPointerTypeInContext(b->context, 1) };
    bool ok = true;
    for (LLVMValueRef insn; ok && (insn = find_call(f));)
        ok = lower_call(&l, insn);
    LLVMDisposeTargetData(l.layout);
    LLVMDisposeBuilder(l.builder);
}

/* ---- later: numbers ---- */

struct resolve {
    struct front_build *b;
    struct buf table;
    struct map entries;   /* text to its place + 1 */
    const char **formats; /* of a call, by its number */
};

/* A string constant that a pointer points at, or into; NULL. */
static const char *
constant_string(struct resolve *r, LLVMValueRef v)
{
    uint64_t offset = 0;
    if (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMGetElementPtr) {
        /* an offset in bytes, as instcombine writes it */
        if (LLVMGetNumOperands(v) != 2 ||
            LLVMGetTypeKind(LLVMGetGEPSourceElementType(v)) !=
                LLVMIntegerTypeKind)
            return NULL;
        offset = LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1));
        v = LLVMGetOperand(v, 0);
    }
    LLVMValueRef g = LLVMIsAGlobalVariable(v);
    if (!g || !LLVMIsGlobalConstant(g) || !LLVMGetInitializer(g))
        return NULL;
    LLVMValueRef bytes = LLVMGetInitializer(g);
    if (LLVMIsNull(bytes))
        return "";
    if (!LLVMIsAConstantDataSequential(bytes) || !LLVMIsConstantString(bytes))
        return NULL;
    size_t n;
    const char *s = LLVMGetAsString(bytes, &n);
    if (offset >= n || !memchr(s + offset, 0, n - (size_t)offset))
        return NULL;
    return arena_strndup(r->b->arena, s + offset, strlen(s + offset));
}

/* The offset of the bytes in the table, which has them once; `n` counts the last zero
 * byte. */
static unsigned
intern_bytes(struct resolve *r, const char *bytes, size_t n)
{
    void **entry = map_put(r->b->arena, &r->entries, bytes, n);
    if (!*entry) {
        *entry = (void *)(uintptr_t)(r->table.n + 1);
        buf_put(&r->table, bytes, n);
    }
    return (unsigned)((uintptr_t)*entry - 1);
}

static unsigned
site_of(LLVMValueRef insn, unsigned operand)
{
    return (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(insn, operand));
}

static LLVMValueRef
format_number(struct resolve *r, LLVMValueRef insn)
{
    unsigned site = site_of(insn, 1);
    const char *format = constant_string(r, LLVMGetOperand(insn, 0));
    if (!format) {
        front_error(r->b, insn, "printf: the format is not a string literal");
        return NULL;
    }
    r->formats[site] = format;
    const char *types = r->b->print_types.at[site];
    struct buf entry = { 0 };
    buf_put(&entry, types, strlen(types) + 1);
    buf_put(&entry, format, strlen(format) + 1);
    unsigned at = intern_bytes(r, (const char *)entry.at, entry.n);
    buf_free(&entry);
    return LLVMConstInt(LLVMTypeOf(insn), at, false);
}

/* A string for %s is a number if it is known, else its address, as is what is
 * printed by %p. */
static LLVMValueRef
string_number(struct resolve *r, LLVMValueRef insn)
{
    const char *format = r->formats[site_of(insn, 0)];
    LLVMValueRef pointer = LLVMGetOperand(insn, 2);
    bool is_string =
        format && print_conversion(format, site_of(insn, 1)) == 's';
    const char *s = is_string ? constant_string(r, pointer) : NULL;
    if (s)
        return LLVMConstInt(LLVMTypeOf(insn), intern_bytes(r, s, strlen(s) + 1),
                            false);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(r->b->context);
    LLVMPositionBuilderBefore(builder, insn);
    LLVMValueRef address =
        LLVMBuildPtrToInt(builder, pointer, LLVMTypeOf(insn), "");
    LLVMDisposeBuilder(builder);
    return address;
}

/* Replaces all calls of a placeholder by numbers. */
static bool
replace_all(struct resolve *r, const char *name,
            LLVMValueRef (*number_of)(struct resolve *, LLVMValueRef))
{
    LLVMValueRef f = LLVMGetNamedFunction(r->b->module, name);
    if (!f)
        return true;
    for (LLVMUseRef u; (u = LLVMGetFirstUse(f));) {
        LLVMValueRef insn = LLVMGetUser(u);
        LLVMValueRef x = number_of(r, insn);
        if (!x)
            return false;
        LLVMReplaceAllUsesWith(insn, x);
        LLVMInstructionEraseFromParent(insn);
    }
    LLVMDeleteFunction(f);
    return true;
}

static void
add_table(struct resolve *r)
{
    LLVMValueRef bytes = LLVMConstStringInContext2(
        r->b->context, (const char *)r->table.at, r->table.n, true);
    LLVMValueRef g = LLVMAddGlobalInAddressSpace(
        r->b->module, LLVMTypeOf(bytes), "__ventus_printf", CONSTANT_SPACE);
    LLVMSetInitializer(g, bytes);
    LLVMSetGlobalConstant(g, true);
    LLVMSetAlignment(g, 1);
    LLVMSetSection(g, ".ventus.printf");
}

void
front_resolve_printf(struct front_build *b)
{
    struct resolve r = { .b = b };
    r.formats = arena_new(b->arena, const char *, b->print_types.n);
    bool ok = replace_all(&r, "__ventus_print_format", format_number) &&
              replace_all(&r, "__ventus_print_string", string_number);
    if (ok && r.table.n)
        add_table(&r);
    buf_free(&r.table);
}
