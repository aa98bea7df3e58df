/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "dev/ticket.h"

/* The launch has ended well: adds a line for each instruction that is new. */
void
padding_report(struct padding *p, struct ventus_dev_ticket *t);
