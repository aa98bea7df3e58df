/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model/access_log.h"
#include "pdes/pdes.h"

struct ventus_model;
struct sm;

/* The machine as pdes has it: SMs are its LPs, the uncore is its hub. */
struct lookahead {
    bool can;         /* there are several host threads */
    bool on;          /* SMs may be ahead of the uncore */
    struct pdes pdes; /* if it can */
    struct access_check accesses;
    bool *asks; /* of each SM: for the bus, in cycle asked_at */
    uint64_t asked_at, compare_at;
};

bool
lookahead_create(struct ventus_model *m, unsigned threads);

void
lookahead_destroy(struct ventus_model *m);

/* May a launch be run on several threads?  Traces have all SMs in order, and RCC
 * needs their values. */
bool
lookahead_is_usable(const struct ventus_model *m);

/* A launch, until it ends or fails; or nothing, if the host has no more threads. */
void
lookahead_run(struct ventus_model *m);

/* Behind each cycle of an SM: the lookahead of what it does by itself. */
void
lookahead_update(struct sm *s);

/* Is an answer of the L2 on its way to the SM? */
bool
lookahead_awaits_l2(const struct sm *s);

/* Is the SM not parked, or is it ahead of the uncore?  Then no event of it is
 * the uncore's yet. */
bool
lookahead_is_away(const struct ventus_model *m, unsigned sm);
