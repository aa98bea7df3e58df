/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/dev.h>

#include "dbg/profile.h"

/* What a report says of the machine. */
struct profile_machine {
    unsigned num_sm, num_warp, line_B, clock_MHz;
    double peak_B; /* of external memory, a cycle */
};

struct ventus_dev_profile {
    struct profile profile;
    struct profile_machine machine;
};
