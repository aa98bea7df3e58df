/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <llvm-c/Core.h>

/* Replaces the floating-point arithmetic of a function by LLVM's constrained operations,
 * which take the rounding mode from MXCSR and keep its sticky flags: none is moved across
 * a call, computed twice, or left out because nothing needs its result. */
void
strict_function(LLVMValueRef f);
