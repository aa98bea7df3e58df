/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "pdes/pdes.h"

/* The worker pool of a simulation: assigns LPs, and the hub, to threads. */
bool
pool_create(struct pdes *p, unsigned threads);

void
pool_destroy(struct pdes *p);

/* Makes missing threads; false: the host cannot. */
bool
pool_start(struct pdes *p);

/* Assigns LPs to their first owners; called before windows are granted. */
void
pool_begin(struct pdes *p);

/* Runs LPs and the hub on all threads until the simulation is over. */
void
pool_run(struct pdes *p);
