/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "model/l1d.h"

/* Between the two files of the L1D: a request enters its queue to the L2; */
void
dcache_push(struct dcache *d, struct mem_request r);

/* and the flush, in a tick, while one is wanted. */
void
dcache_step_flush(struct dcache *d, bool lsu_empty);
