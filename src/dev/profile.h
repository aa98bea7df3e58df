/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/dev.h>

#include "dbg/profile.h"

struct ventus_dev_profile {
    struct profile profile;
};
