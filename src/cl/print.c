/* SPDX-License-Identifier: Apache-2.0 */
#include "cl/print.h"

#include <stddef.h>

const struct dev_hooks *
print_begin(struct print *p, const struct dev_kernel *kernel)
{
    (void)kernel;
    *p = (struct print){ .hooks = { 0 } };
    return NULL;
}

void
print_end(struct print *p)
{
    (void)p;
}
