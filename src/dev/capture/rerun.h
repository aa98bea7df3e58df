/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/dev.h>

#include "dev/capture/past.h"

/*
 * A launch that has ended once more, on a device of its own, which `debug` gives a
 * debugger.  It prints nothing.  False: it has not run, or not to its end; `text` says
 * why.
 */
bool
rerun_launch(const struct past_launch *past,
             bool (*debug)(void *ctx, struct ventus_dev *d), void *ctx,
             char *text, size_t size);
