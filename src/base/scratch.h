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
 * It is $TMPDIR/ventus-UID/XXXXXX, locked as long as its owner lives.  What a
 * killed owner leaves, the next scratch_open of the same user removes: the
 * process that gets the lock of a folder is alone with it.  Where $TMPDIR/ventus-UID is not
 * ours alone, $TMPDIR/ventus-UID-XXXXXX takes its place, for one scratch, and
 * the next one that finds it so removes what is left of others.
 */
struct scratch {
    const char *path;
    const char *parent; /* removed with the last folder in it */
    int fd;
};

bool
scratch_open(struct scratch *s, struct arena *a, struct diag_sink *sink);

void
scratch_close(struct scratch *s);
