/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/cc.h"

/* Translates an LLVMModuleRef: fills m->kernels and m->data. */
bool
cc_translate(struct cc_module *m, void *module);
