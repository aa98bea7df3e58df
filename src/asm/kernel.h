/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "asm/state.h"

struct function_calls {
    struct function_call *at;
    size_t n, cap;
};

/* .ventus_function name, sgpr=16, vgpr=8, private=0, stack=0, calls=other */
bool
function_directive(struct assembler *a, int argument);

/* .ventus_kernel name, sgpr=16, vgpr=8, local=0, private=0 */
bool
kernel_directive(struct assembler *a, int argument);

/* .ventus_arg kind, size=4, align=4, name="x", type="float*" */
bool
argument_directive(struct assembler *a, int argument);

/* When all are read: kernels have their arguments. */
void
kernel_place_arguments(struct assembler *a);
