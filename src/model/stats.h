/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/model.h>

struct flight;
struct sm;

void
stats_count(struct sm *s);

void
stats_count_issue(struct sm *s, const struct flight *f);

void
stats_add_model(struct model_stats *to, const struct model_stats *from);
