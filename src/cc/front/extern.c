/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions over objects: which of the user's are called by objects in
 * assembly, which they define.  Such functions are called, never inlined, with
 * the convention of docs/abi.md, "Functions of other objects".
 */
#include <string.h>

#include "cc/front/extern.h"
#include "cc/front/module.h"

static const char EXPORT[] = "ventus-export", EXTERN[] = "ventus-extern";

bool
front_is_exported(LLVMValueRef f)
{
    return front_says(f, EXPORT);
}

bool
front_is_extern(LLVMValueRef f)
{
    return front_says(f, EXTERN);
}

static const struct front_symbol *
find_symbol(const struct front_symbols *list, LLVMValueRef f)
{
    size_t n;
    const char *name = LLVMGetValueName2(f, &n);
    for (size_t i = 0; i < list->n; i++)
        if (strcmp(list->at[i].name, name) == 0)
            return &list->at[i];
    return NULL;
}

/* __attribute__((used)); the list of these would keep them all. */
static void
take_used(struct front_build *b, const char *list)
{
    LLVMValueRef used = LLVMGetNamedGlobal(b->module, list);
    LLVMValueRef all = used ? LLVMGetInitializer(used) : NULL;
    if (!used)
        return;
    for (int i = 0; all && i < LLVMGetNumOperands(all); i++) {
        LLVMValueRef f = LLVMIsAFunction(LLVMGetOperand(all, (unsigned)i));
        if (f && b->options->is_open && !LLVMIsDeclaration(f) &&
            !front_is_kernel(f) && LLVMGetLinkage(f) == LLVMExternalLinkage)
            front_say(b, f, EXPORT);
    }
    LLVMDeleteGlobal(used);
}

void
front_mark_exports(struct front_build *b)
{
    const struct front_options *o = b->options;
    front_foreach_function(f, b->module)
    {
        if (LLVMIsDeclaration(f) || LLVMGetLinkage(f) != LLVMExternalLinkage)
            continue;
        const struct front_symbol *other = find_symbol(&o->defined, f);
        if (other)
            front_error(b, f, "'%s' is defined here and in '%s'", other->name,
                        other->file);
        if (!front_is_kernel(f) && find_symbol(&o->wanted, f))
            front_say(b, f, EXPORT);
    }
    take_used(b, "llvm.used");
    take_used(b, "llvm.compiler.used");
}

void
front_mark_externs(struct front_build *b)
{
    front_foreach_function(f, b->module)
    {
        size_t n;
        const char *name = LLVMGetValueName2(f, &n);
        bool ours = LLVMGetIntrinsicID(f) != 0 || strncmp(name, "__", 2) == 0 ||
                    strncmp(name, "_Z", 2) == 0;
        if (!LLVMIsDeclaration(f) || ours)
            continue;
        if (!b->options->is_open && !find_symbol(&b->options->defined, f))
            continue;
        front_say(b, f, EXTERN);
        for (unsigned i = 0; i < LLVMCountParams(f); i++)
            front_drop_by_value(f, i);
    }
}
