/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/cc.h"

/* Emits the code of all kernels, and writes the object file to `out`. */
bool
cc_write_object(struct cc_module *m, struct buf *out);
