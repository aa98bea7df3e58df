/* SPDX-License-Identifier: Apache-2.0 */
#include "base/defer.h"

static void
release_arena(void *what)
{
    arena_free(what);
}

static void
release_buf(void *what)
{
    buf_free(what);
}

void
oom_defer_arena(struct oom_cleanup *c, struct arena *a)
{
    oom_defer(c, release_arena, a);
}

void
oom_defer_buf(struct oom_cleanup *c, struct buf *b)
{
    oom_defer(c, release_buf, b);
}
