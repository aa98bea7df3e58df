/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes of LLVM's metadata: operands, strings, and the text for the rest. */
#include <stdlib.h>
#include <string.h>

#include "cc/isel/debug.h"

LLVMMetadataRef
tr_node(struct tr *t, LLVMMetadataRef node, unsigned i)
{
    LLVMValueRef v = LLVMMetadataAsValue(t->context, node);
    unsigned n = LLVMGetMDNodeNumOperands(v);
    if (i >= n)
        return NULL;
    LLVMValueRef *of = arena_new(t->m->arena, LLVMValueRef, n);
    LLVMGetMDNodeOperands(v, of);
    return of[i] ? LLVMValueAsMetadata(of[i]) : NULL;
}

const char *
tr_node_string(struct tr *t, LLVMMetadataRef node, unsigned i)
{
    unsigned n;
    LLVMMetadataRef at = tr_node(t, node, i);
    if (!at || LLVMGetMetadataKind(at) != LLVMMDStringMetadataKind)
        return NULL;
    const char *s = LLVMGetMDString(LLVMMetadataAsValue(t->context, at), &n);
    return arena_strndup(t->m->arena, s, n);
}

const char *
tr_node_text(struct tr *t, LLVMMetadataRef node)
{
    void **at = map_put_number(t->m->arena, &t->debug_texts, (uintptr_t)node);
    if (*at)
        return *at;
    char *text = LLVMPrintValueToString(LLVMMetadataAsValue(t->context, node));
    *at = arena_printf(t->m->arena, "%s", text);
    LLVMDisposeMessage(text);
    return *at;
}

int64_t
tr_text_number(const char *text, const char *key, int64_t missing)
{
    const char *at = strstr(text, key);
    return at ? strtoll(at + strlen(key), NULL, 10) : missing;
}
