/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model/request.h"

struct cta_ports;
struct sm;

/* The ports between SMs and what they share, as bus.h and l2.h have them; ctx is
 * the model. */
bool
connections_fetch_source(void *ctx, unsigned sm, bool take,
                         struct mem_request *r);

bool
connections_walk_source(void *ctx, unsigned sm, bool take,
                        struct mem_request *r);

bool
connections_deliver(void *ctx, const struct mem_request *r, uint64_t now);

/* What leads from the CTA scheduler to SMs and host; its ctx is the model. */
extern const struct cta_ports connections_cta_ports;

/* Joins the workgroups of an SM to its other components and to the CTA scheduler. */
void
connections_join_workgroups(struct sm *s);
