/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>

struct ventus_model;

/* The machine as pdes has it: SMs are its LPs, the uncore is its hub.  With one host
 * thread, or one SM, there is nothing to create. */
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
