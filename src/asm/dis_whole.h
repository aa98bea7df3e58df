/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/buf.h"
#include "base/diag.h"
#include "obj/elf.h"

/*
 * What an object says besides the contents of its sections, as directives, from
 * which `ventus as` makes the same file: symbols in their order, records of kernels
 * and functions.  False: a record is wrong, reported.
 */
bool
dis_whole_head(struct buf *out, struct arena *a, const struct elf *elf,
               struct diag_sink *sink);
