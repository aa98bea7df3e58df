/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/dev.h>

#include "dbg/profile.h"

/* What a report says of the machine. */
struct record_machine {
    unsigned num_sm, num_warp, line_B, clock_MHz;
    double peak_B; /* of external memory, a cycle */
};

const struct profile *
record_profile(const struct ventus_dev_profile *p,
               struct record_machine *machine);
