/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/buf.h"
#include "obj/elf.h"

/*
 * Start code for machines that run lanes without a work-item (all_lanes): it branches
 * around the kernel in these lanes, and is the program's own start code otherwise
 * (lib/start.S).  A compiled kernel runs after it if a workgroup of the launch has such
 * lanes; all other launches, and assembly programs, begin as the file says.
 */

/* Writes it, for any address.  False, nothing written: the program is not compiled, or
 * begins with code that is not that of lib/start.S, which cannot be moved. */
bool
masked_start(const struct elf *elf, unsigned isa, struct buf *out);
