/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "dev/output/profile.h"
#include "dev/ticket.h"

/*
 * A launch again, on machines without what makes it slow: what its rules of advice
 * promise is what these take.  It needs the memory that the launch found.
 */

/* The launch is about to run: keeps a copy of memory, unless that is larger than 256 MiB,
 * or the launch prints or uses memory of the host program. */
void
ideals_begin(struct ventus_dev_ticket *t, struct ventus_dev_profile *p);

/* The launch has run, and its profile is complete: fills in profile.ideal of what the
 * rules ask for, if `runs`, and releases the copy. */
void
ideals_end(struct ventus_dev_ticket *t, struct ventus_dev_profile *p,
           bool runs);
