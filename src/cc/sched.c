/* SPDX-License-Identifier: Apache-2.0 */
#include "cc/cc.h"

void
cc_sched(struct cc *c)
{
    (void)c;
}
