/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/dev.h>

/*
 * What kernels print.  The driver hands over whole records as they come, in
 * order; their text goes to standard output and is flushed when the launch
 * has ended.
 */
struct print {
    struct dev_hooks hooks;
};

/* The hooks of a launch; NULL if the kernel's program prints nothing. */
const struct dev_hooks *
print_begin(struct print *p, const struct dev_kernel *kernel);

void
print_end(struct print *p);
