/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/front/module.h"

/* Sets LLVM's options that have no other interface than a command line. */
void
front_set_up_llvm(void);

/* Runs a list of LLVM's passes, "function(sroa,gvn)"; an error if LLVM refuses it. */
void
front_run_llvm(struct front_build *b, const char *passes);

/* Runs a list with stores to variables followed, if variables are to be debugged. */
void
front_run_llvm_followed(struct front_build *b, const char *passes);
