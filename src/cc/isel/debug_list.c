/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The values of records that name several.  LLVM's C interface cannot ask for
 * them, only print: so all values get names by which they are found again, the
 * module is printed once, and its lists are met in the order of the records.
 */
#include <stdlib.h>
#include <string.h>

#include "cc/front/module.h"
#include "cc/isel/debug.h"

static const char list_begins[] = "metadata !DIArgList(";

static void
name_value(struct tr *t, LLVMValueRef v)
{
    const char *name = arena_printf(t->m->arena, "d%zu", t->debug_values.n);
    LLVMSetValueName2(v, name, strlen(name));
    vec_push(t->m->arena, &t->debug_values, v);
}

static void
name_values(struct tr *t, LLVMValueRef function)
{
    for (unsigned i = 0; i < LLVMCountParams(function); i++)
        name_value(t, LLVMGetParam(function, i));
    front_foreach_block(block, function) front_foreach_insn(i, block)
    {
        if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind)
            name_value(t, i);
    }
}

static bool
has_list(LLVMValueRef insn)
{
    LLVMValueRef callee = front_callee(insn);
    size_t n;
    return callee &&
           strcmp(LLVMGetValueName2(callee, &n), "llvm.dbg.value") == 0 &&
           LLVMGetMetadataKind(LLVMValueAsMetadata(LLVMGetOperand(insn, 0))) ==
               LLVMDIArgListMetadataKind;
}

void
tr_debug_read_lists(struct tr *t, LLVMModuleRef module)
{
    front_foreach_function(f, module) name_values(t, f);
    char *text = LLVMPrintModuleToString(module);
    char *at = arena_printf(t->m->arena, "%s", text);
    LLVMDisposeMessage(text);
    front_foreach_function(f, module) front_foreach_block(block, f)
        front_foreach_insn(i, block)
    {
        at = at && has_list(i) ? strstr(at, list_begins) : at;
        if (!at || !has_list(i))
            continue;
        at += strlen(list_begins);
        *map_put_number(t->m->arena, &t->debug_lists, (uintptr_t)i) = at;
    }
}

/* The name after the type of the next value, past which *at is left; NULL at the end. */
static const char *
next_name(const char **at)
{
    unsigned depth = 0;
    const char *name = *at, *c = *at;
    for (; *c && *c != '\n' && (depth || (*c != ',' && *c != ')')); c++) {
        depth += *c == '(' || *c == '<';
        depth -= depth && (*c == ')' || *c == '>');
        if (*c == ' ')
            name = c + 1;
    }
    bool any = c > *at;
    *at = *c == ',' ? c + 2 : c;
    return any ? name : NULL;
}

bool
tr_debug_list(struct tr *t, LLVMValueRef insn, LLVMValueRef *to, unsigned *n)
{
    void **found = map_find_number(&t->debug_lists, (uintptr_t)insn);
    const char *at = found ? *found : "", *name;
    *n = 0;
    while ((name = next_name(&at)) && *n < TR_DEBUG_VALUES) {
        size_t k = strncmp(name, "%d", 2) == 0 ? strtoul(name + 2, NULL, 10)
                                               : t->debug_values.n;
        if (k >= t->debug_values.n) /* a constant, or undefined */
            return false;
        to[(*n)++] = t->debug_values.at[k];
    }
    return *n && !name;
}
