/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "dev/device.h"

void
stats_add_executed(struct ventus_dev_stats *to,
                   const struct ventus_sim_stats *s);
