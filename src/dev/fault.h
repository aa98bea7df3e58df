/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "dev/ticket.h"

/* The work-item of f->group, f->warp and f->lane.  False: the lane has none
 * and runs because of all_lanes. */
bool
fault_find_item(const struct ventus_dev_ticket *t, struct ventus_dev_fault *f);

/* Adds the source place and the work-item of r->fault to the message. */
void
fault_add_place(const struct ventus_dev_ticket *t, struct ventus_dev_result *r);

/* The message and the fault of the result. */
void
fault_report(struct ventus_dev_ticket *t, const struct engine_fault *f);
