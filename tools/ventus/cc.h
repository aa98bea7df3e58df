/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of `ventus cc` share. */
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"

/* Links an object; the program goes to the path. */
bool
cc_link(struct arena *a, const struct buf *object, const char *output,
        struct diag_sink *sink);
