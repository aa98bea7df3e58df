/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/dev.h>

#include "dbg/profile.h"

struct ventus_dev_profile {
    struct profile profile;
    void *before; /* while the launch runs: a machine with the memory that it
                     found (ideals.h); or NULL */
};
