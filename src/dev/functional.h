/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/sim.h>

#include "dev/backend.h"

/* sim.c: from the driver's terms to <ventus/sim.h>'s, for both back ends. */
struct sim_config
functional_config(const struct config *config);

struct sim_launch
functional_launch(const struct backend_launch *l);

/* Valid as long as *l is. */
struct sim_hooks
functional_hooks(const struct backend_launch *l);

void
functional_fault(struct backend_fault *to, const struct sim_fault *f);

void
functional_stats(struct dev_stats *to, const struct sim_stats *s);
