/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "dev/device.h"

/* Runs it and fills its result; the turn must be held. */
void
launch_run(struct ventus_dev_ticket *t);
