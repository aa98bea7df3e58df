/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/front/module.h"

/* The object that a symbol was first seen in. */
struct front_seen {
    const char *symbol, *object;
};
typedef vec(struct front_seen) front_seen_list;

/* Reports variables or functions of `next`, of the object b->name, that have another
 * type in b->module; false if there are some.  Notes those that are new. */
bool
front_types_agree(struct front_build *b, LLVMModuleRef next,
                  front_seen_list *seen);
