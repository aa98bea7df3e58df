/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Source text for another assembler: expands macros, loops, conditions and
 * includes, and keeps the rest with markers of its file and line.
 *
 *     .macro copy r, to            # 6 "k.s"
 *     tld.g   \r, 0(a0)            tld.g   tr4, 0(a0)
 *     tst.g   \r, 0(\to)           tst.g   tr4, 0(a1)
 *     .endm                        # 10 "k.s"
 *     copy    tr4, a1              ret
 *     ret
 */
#pragma once

#include <ventus/asm.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"

/*
 * Writes another text for an instruction that the other assembler does
 * not know.  0: it is none of these, nothing was put; 1: done; -1: it is
 * wrong, and `error` says why.
 */
typedef int
asm_replace_fn(const char *statement, struct buf *out, char *error,
               size_t error_size);

/*
 * Expands macros, conditions and includes of a text for another assembler.  The members
 * file, include_dirs and defines of `options` are read.  Only the other assembler knows
 * addresses: an .if that needs one is an error.
 */
bool
asm_expand(const struct ventus_asm_options *options, const char *text,
           size_t size, asm_replace_fn *replace, struct buf *out,
           struct arena *arena, struct diag_sink *sink);
