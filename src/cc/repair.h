/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/cc.h"

/* Restores SSA after edges were changed (any SSA form). */
void
cc_repair(struct ir_func *f);
