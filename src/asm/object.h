/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "asm/state.h"

/* Settles the fixups; appends the object if there was no error at all. */
bool
object_write(struct assembler *a, struct buf *out);
