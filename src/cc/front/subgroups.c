/* SPDX-License-Identifier: Apache-2.0 */
#include "cc/front/subgroups.h"

#include <string.h>

#include "cc/front/calls.h"

/* "_Z23intel_sub_group_shuffleij" and the like. */
static bool
is_of_intel_subgroups(LLVMValueRef f)
{
    size_t n;
    const char *name = LLVMGetValueName2(f, &n);
    if (strncmp(name, "_Z", 2) != 0)
        return false;
    name += 2;
    name += strspn(name, "0123456789");
    return strncmp(name, "intel_sub_group_", 16) == 0;
}

/* The lanes of a row; 0: the work-group is no rows of 8 or 16. */
static unsigned
row_of(struct arena *a, LLVMValueRef kernel)
{
    unsigned n;
    unsigned long long size[3];
    LLVMValueRef *at = front_metadata(a, kernel, "reqd_work_group_size", &n);
    if (n != 3)
        return 0;
    for (unsigned i = 0; i < 3; i++)
        size[i] =
            LLVMIsAConstantInt(at[i]) ? LLVMConstIntGetZExtValue(at[i]) : 0;
    bool is_row = size[0] == 8 || size[0] == 16;
    return is_row && size[1] * size[2] > 1 ? (unsigned)size[0] : 0;
}

void
front_choose_sub_groups(struct front_build *b)
{
    const struct front_callers callers =
        front_callers(b, is_of_intel_subgroups);
    for (size_t i = 0; i < callers.n; i++) {
        LLVMValueRef f = callers.at[i];
        unsigned row = front_is_kernel(f) ? row_of(b->arena, f) : 0;
        if (!row || front_required_sub_group(b->arena, f))
            continue;
        LLVMMetadataRef size = LLVMValueAsMetadata(
            LLVMConstInt(LLVMInt32TypeInContext(b->context), row, false));
        static const char name[] = "intel_reqd_sub_group_size";
        LLVMGlobalSetMetadata(
            f, LLVMGetMDKindIDInContext(b->context, name, sizeof name - 1),
            LLVMMDNodeInContext2(b->context, &size, 1));
    }
}
