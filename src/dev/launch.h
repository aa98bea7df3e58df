/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "dev/ticket.h"

/* Runs it and fills its result; the machine's lock must be held. */
void
launch_run(struct ventus_dev_ticket *t);
