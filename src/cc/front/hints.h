/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/front/module.h"

/* The kind of metadata that says that an access is nontemporal. */
unsigned
front_hint_kind(LLVMContextRef context);

/* Nontemporal vectors as their elements; before the scalarizer. */
void
front_split_nontemporal(struct front_build *b);
