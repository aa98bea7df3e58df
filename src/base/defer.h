/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "base/oom.h"

/* Deferred releases (oom.h) of what this module allocates. */
void
oom_defer_arena(struct oom_cleanup *c, struct arena *a);

void
oom_defer_buf(struct oom_cleanup *c, struct buf *b);
