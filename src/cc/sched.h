/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/cc.h"

/* Whether no access of memory passes `in`: an atomic, a barrier and the like. */
bool
cc_orders_memory(const struct ir_insn *in);
