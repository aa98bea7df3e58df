/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/cc.h"

/* Runs all passes on all kernels and functions. */
bool
cc_compile_kernels(struct cc_module *m);

/* Adds a run of this time to the module's table of times, if it has one. */
void
cc_count_time(struct cc_module *m, const char *name, double ms);
