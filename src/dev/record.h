/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "dev/device.h"

/*
 * The launch is about to run, its profile and traces are wanted; it
 * has run.
 */
void
record_begin(struct ventus_dev_ticket *t, struct engine_launch *b);

void
record_launch(struct ventus_dev_ticket *t);
