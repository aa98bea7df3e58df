/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/buf.h"
#include "base/diag.h"
#include "obj/elf.h"

/*
 * Writes the parts of an object that are not contents of sections as directives:
 * symbols in their order, records of kernels and functions.  `ventus as` makes the
 * same file of the text.  Returns false and reports an invalid record.
 */
bool
dis_whole_head(struct buf *out, struct arena *a, const struct elf *elf,
               struct diag_sink *sink);
