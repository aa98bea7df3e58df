/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

struct bus_source;
struct cta_ports;
struct l2_port;
struct sm;

/* Requests of the SMs' L1Is and page walks, and the SMs' ports for answers of the L2;
 * their ctx is the model. */
extern const struct bus_source connections_fetch, connections_walk;
extern const struct l2_port connections_answers;

/* The ports of the CTA scheduler to SMs and host; ctx is the model. */
extern const struct cta_ports connections_cta_ports;

/* Joins the workgroups of an SM to its other components and to the CTA scheduler. */
void
connections_join_workgroups(struct sm *s);
