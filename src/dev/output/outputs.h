/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "dev/device.h"

/*
 * Observes a new device whose engine makes profiles: fills the profile that a launch asks
 * for, and writes the files of ventus_dev_record.  False: no host memory.
 */
bool
outputs_open(struct ventus_dev *d);
