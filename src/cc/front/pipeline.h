/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/front/module.h"

/* Marks in a module of clang's what checks must know of its source. */
bool
front_mark(struct front *f, struct front_build *b);

/* Makes of a module what the back end takes; links the library b->library. */
bool
front_lower(struct front *f, struct front_build *b);
