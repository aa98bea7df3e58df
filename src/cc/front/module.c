/* SPDX-License-Identifier: Apache-2.0 */
/* Queries, attributes and errors that the steps on a module share. */
#include "cc/front/module.h"

#include <string.h>

LLVMValueRef
front_callee(LLVMValueRef insn)
{
    if (!LLVMIsACallInst(insn))
        return NULL;
    return LLVMIsAFunction(LLVMGetCalledValue(insn));
}

bool
front_is_kernel(LLVMValueRef f)
{
    return !LLVMIsDeclaration(f) &&
           LLVMGetFunctionCallConv(f) == LLVMSPIRKERNELCallConv;
}

uint64_t
front_parts(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMStructTypeKind:
        return LLVMCountStructElementTypes(type);
    case LLVMArrayTypeKind:
        return LLVMGetArrayLength2(type);
    case LLVMVectorTypeKind:
        return LLVMGetVectorSize(type);
    default:
        return 0;
    }
}

unsigned
front_param_align(LLVMValueRef call, unsigned i)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(call, i + 1, kind);
    return a ? (unsigned)LLVMGetEnumAttributeValue(a) : 1;
}

LLVMTypeRef
front_address_type(const struct front_build *b)
{
    enum { GENERIC = 4 };
    const struct cc_target *target = cc_target_or_v1(b->options->target);
    return LLVMIntTypeInContext(b->context, cc_pointer_bits(target, GENERIC));
}

LLVMValueRef *
front_metadata(struct arena *a, LLVMValueRef f, const char *name, unsigned *n)
{
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(f));
    unsigned kind =
        LLVMGetMDKindIDInContext(context, name, (unsigned)strlen(name));
    LLVMValueRef node = LLVMGetMetadata(f, kind);
    *n = node ? LLVMGetMDNodeNumOperands(node) : 0;
    if (!node)
        return NULL;
    LLVMValueRef *at = arena_new(a, LLVMValueRef, *n);
    LLVMGetMDNodeOperands(node, at);
    return at;
}

const char *
front_metadata_text(struct arena *a, LLVMValueRef operand)
{
    unsigned n = 0;
    const char *s = operand ? LLVMGetMDString(operand, &n) : NULL;
    return s ? arena_strndup(a, s, n) : "";
}

uint64_t
front_required_sub_group(struct arena *a, LLVMValueRef f)
{
    unsigned n;
    LLVMValueRef *at = front_metadata(a, f, "intel_reqd_sub_group_size", &n);
    return n == 1 && LLVMIsAConstantInt(at[0]) ? LLVMConstIntGetZExtValue(at[0])
                                               : 0;
}

bool
front_says(LLVMValueRef f, const char *attribute)
{
    return LLVMGetStringAttributeAtIndex(
        f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, attribute,
        (unsigned)strlen(attribute));
}

void
front_say(struct front_build *b, LLVMValueRef f, const char *attribute)
{
    LLVMAddAttributeAtIndex(
        f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
        LLVMCreateStringAttribute(b->context, attribute,
                                  (unsigned)strlen(attribute), "", 0));
}

/* LLVM numbers the attributes of parameter i as i + 1. */
void
front_drop_by_value(LLVMValueRef f, unsigned i)
{
    unsigned by_value = LLVMGetEnumAttributeKindForName("byval", 5);
    LLVMRemoveEnumAttributeAtIndex(f, i + 1, by_value);
    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u))
        if (front_callee(LLVMGetUser(u)) == f)
            LLVMRemoveCallSiteEnumAttribute(LLVMGetUser(u), i + 1, by_value);
}

/* Line `line` of the source, or NULL. */
static const char *
line_text(const struct front_build *b, const char *file, unsigned line)
{
    if (!line || strcmp(file, b->name) != 0)
        return NULL;
    const char *s = b->text;
    while (s && --line) {
        s = strchr(s, '\n');
        if (s)
            s++;
    }
    return s;
}

void
front_error(struct front_build *b, LLVMValueRef insn, const char *format, ...)
{
    struct diag_at at = { .file = b->name };
    unsigned n = 0;
    const char *file = insn ? LLVMGetDebugLocFilename(insn, &n) : NULL;
    if (file && n) {
        at.file = arena_strndup(b->arena, file, n);
        at.line = LLVMGetDebugLocLine(insn);
        at.col = LLVMGetDebugLocColumn(insn);
        at.line_text = line_text(b, at.file, at.line);
    }
    va_list args;
    va_start(args, format);
    diag_vreport(b->sink, DIAG_ERROR, at, format, args);
    va_end(args);
}
