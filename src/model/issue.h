/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/model.h>

struct sm;

/* What kept a warp from issuing when the cycle began. */
enum model_stall
issue_why(const struct sm *s, unsigned warp);

void
issue_check(struct sm *s);

void
issue_cycle(struct sm *s);
