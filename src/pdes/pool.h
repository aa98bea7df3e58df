/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "pdes/pdes.h"

/* The worker pool of a simulation: which thread runs which LP, and the hub. */
bool
pool_create(struct pdes *p, unsigned threads);

void
pool_destroy(struct pdes *p);

/* Makes the threads that are missing; false: the host has no more. */
bool
pool_start(struct pdes *p);

/* LPs go to their first owners; before windows are granted. */
void
pool_begin(struct pdes *p);

/* All threads run LPs and the hub until that is over. */
void
pool_run(struct pdes *p);
