/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that are left when everything is inlined: only some have a meaning. */
#include <string.h>

#include "cc/front/builtins.h"
#include "cc/front/calls.h"
#include "cc/front/check.h"
#include "cc/front/extern.h"

/* "foo" of foo, _Z3fooi and the like. */
static const char *
plain_name(struct arena *a, LLVMValueRef f)
{
    size_t n;
    const char *name = LLVMGetValueName2(f, &n);
    if (strncmp(name, "_Z", 2) != 0)
        return name;
    size_t length = 0;
    for (name += 2; *name >= '0' && *name <= '9'; name++)
        length = 10 * length + (size_t)(*name - '0');
    return arena_strndup(a, name,
                         length < strlen(name) ? length : strlen(name));
}

/* Reports the call of a function that would be left in the object without a definition. */
static void
check_call(struct front_build *b, LLVMValueRef call)
{
    LLVMValueRef callee = front_callee(call);
    if (!callee) {
        if (!LLVMIsAInlineAsm(LLVMGetCalledValue(call)))
            front_error(b, call, "a call through a pointer");
        return;
    }
    size_t n;
    const char *name = LLVMGetValueName2(callee, &n);
    if (LLVMGetIntrinsicID(callee) != 0 || strncmp(name, "__ventus_", 9) == 0 ||
        front_is_sampler_constant(call) || front_is_kept(callee))
        return;
    if (front_is_extern(callee)) {
        if (!front_is_plain(callee))
            front_error(b, call,
                        "function '%s' of another object cannot take or return "
                        "images or pointers without address space",
                        name);
        return;
    }
    if (LLVMIsDeclaration(callee))
        front_error(b, call, "undefined function '%s'",
                    plain_name(b->arena, callee));
    else if (LLVMGetCalledFunctionType(call) != LLVMGlobalGetValueType(callee))
        front_error(b, call,
                    "function '%s' is called with other types than it is "
                    "defined with",
                    plain_name(b->arena, callee));
    else
        front_error(b, call,
                    "function '%s' calls itself, which OpenCL C "
                    "does not allow",
                    plain_name(b->arena, callee));
}

void
front_check_calls(struct front_build *b)
{
    front_foreach_function(f, b->module) front_foreach_block(block, f)
        front_foreach_insn(i, block)
    {
        if (LLVMIsACallInst(i))
            check_call(b, i);
    }
}
