/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/cc.h"

/* A position in the source, with its line if the options have the text. */
struct diag_at
cc_source_at(const struct cc_module *m, unsigned file, unsigned line,
             unsigned col);

/* Warns of private memory; after register allocation, which adds spills to it. */
void
cc_warn_private(struct cc *c);
