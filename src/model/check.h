/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stddef.h>

#include <ventus/model.h>

bool
check_config(const struct sim_config *machine, const struct model_config *c,
             char *text, size_t size);

void
report_deadlock(struct model *m);
