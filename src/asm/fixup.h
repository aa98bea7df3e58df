/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "asm/state.h"

/* Settles what can be settled into bytes; the rest become relocations. */
void
fixup_settle_all(struct assembler *a, struct elf_out *o);
