/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/front/module.h"

/* Which object a symbol was first seen in, and with what type. */
struct front_seen {
    const char *symbol, *object;
};
typedef vec(struct front_seen) front_seen_list;

/* False with an error if `next`, of the object b->name, has variables or functions
 * of b->module with another type.  Notes those that are new. */
bool
front_types_agree(struct front_build *b, LLVMModuleRef next,
                  front_seen_list *seen);
