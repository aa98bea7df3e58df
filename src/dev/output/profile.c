/* SPDX-License-Identifier: Apache-2.0 */
#include "dev/output/profile.h"

#include <stdlib.h>

struct ventus_dev_profile *
ventus_dev_profile_new(void)
{
    return calloc(1, sizeof(struct ventus_dev_profile));
}

void
ventus_dev_profile_free(struct ventus_dev_profile *p)
{
    if (p)
        profile_free(&p->profile);
    free(p);
}
