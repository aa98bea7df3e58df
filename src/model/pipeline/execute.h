/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>

struct inflight;

/* The next instruction of a warp, as struct issue_ports has it; ctx is the SM. */
bool
execute(void *ctx, unsigned port, struct inflight *f);
