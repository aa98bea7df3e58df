/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/model.h>

struct inflight;
struct sm;

/* What the slot of a port is used for in this cycle. */
enum ventus_model_stall
stats_cause(const struct sm *s, unsigned port);

/* What the next cycles, which are all the same, are used for. */
void
stats_count(struct sm *s, uint64_t cycles);

/* After the last cycle. */
void
stats_end(struct sm *s);

void
stats_count_issue(struct sm *s, const struct inflight *f);

void
stats_add_model(struct ventus_model_stats *to,
                const struct ventus_model_stats *from);
