/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/dev.h>

#include "base/buf.h"
#include "cl/kernel.h"

/*
 * What kernels print (docs/printf.md).  The driver hands over whole records as
 * they come; they become text on standard output when the launch has ended,
 * because strings may have to be read from the device, which is busy before.
 * Only a launch that prints very much is printed in parts.
 */
struct print {
    struct dev_hooks hooks;
    const struct executable *program;
    struct buf records;
};

/* The hooks of a launch; NULL if the program prints nothing. */
const struct dev_hooks *
print_begin(struct print *p, const struct executable *program);

void
print_end(struct print *p);

/* The table of formats in an executable; nothing if it has none. */
void
print_find_table(const struct buf *binary, struct buf *table);
