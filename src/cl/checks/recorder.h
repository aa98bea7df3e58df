/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/dev.h>

/* Whether launches are recorded, together with what checks of them need. */
bool
recorder_is_wanted(void);

/*
 * Records the launches of a new device if VENTUS_RECORD or
 * VENTUS_RECORD_ON_FAULT names a file; the file is written at the end of the
 * process.
 */
void
recorder_open_device(struct ventus_dev *d);
