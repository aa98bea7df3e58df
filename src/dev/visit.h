/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "dev/device.h"
#include "dev/past.h"

/*
 * A launch that has ended once more, on a device of its own, to which `debugs`
 * gives the debugger of the device `present`, whose launch has stopped.  It prints
 * nothing.  False: it has not run, or not to its end; `text` says why.
 */
bool
visit_launch(struct ventus_dev *present, const struct past_launch *past,
             bool (*debugs)(struct ventus_dev *d,
                            const struct ventus_dev *present),
             char *text, size_t size);
