/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdint.h>

struct sanitize;
struct sanitize_group;

/* The time moves on; records of races are invalidated if it has no more bits. */
uint32_t
sanitize_tick(struct sanitize *c);

/* Nothing has happened before in the work-group. */
void
sanitize_clear_order(struct sanitize_group *g);
