/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"

/*
 * A folder for the files between two programs:
 *
 *     struct scratch s;
 *     if (scratch_open(&s, &arena, &sink)) {
 *         ... files in s.path ...
 *         scratch_close(&s);
 *     }
 *
 * The path is $TMPDIR/ventus-UID/XXXXXX; the folder is locked as long as its owner
 * lives.  Folders of killed owners are removed by the next scratch_open of the same
 * user: a process that gets the lock of a folder is its only user.  Where
 * $TMPDIR/ventus-UID belongs to another user, $TMPDIR/ventus-UID-XXXXXX takes its
 * place, for one scratch folder, and the next scratch_open in the same situation
 * removes stale ones.
 */
struct scratch {
    const char *path;
    const char *parent; /* parent folder, removed with the last folder in it */
    int fd;
};

bool
scratch_open(struct scratch *s, struct arena *a, struct diag_sink *sink);

void
scratch_close(struct scratch *s);
