/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "asm/state.h"

struct list_mark {
    const char *text, *p;
    const struct section *section;
    const struct frame *frame;
    uint64_t start;
    unsigned line, depth;
};

struct list_mark
list_begin(const struct assembler *a);

void
list_end(struct assembler *a, const struct list_mark *mark);

void
listing_write(struct assembler *a, struct buf *out);
