/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "dev/device.h"

bool
queue_open(struct ventus_dev *d);

/* Waits for all tickets that are in the queue now. */
void
queue_wait_all(struct ventus_dev *d);

void
queue_close(struct ventus_dev *d);
