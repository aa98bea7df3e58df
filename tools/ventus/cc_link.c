/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ventus cc --emit elf: the last step, as `ventus link` does it.  The object
 * brings its start code along.
 */
#include "cc.h"

#include <stdio.h>

#include "base/file.h"
#include "base/scratch.h"
#include "command.h"

bool
cc_link(struct arena *a, const struct buf *object, const char *output,
        struct diag_sink *sink)
{
    struct scratch s;
    if (!scratch_open(&s, a, sink))
        return false;
    char *kernel = arena_printf(a, "%s/kernel.o", s.path);
    char *argv[] = { (char[]){ "link" }, (char[]){ "-o" },
                     arena_printf(a, "%s", output), kernel, NULL };
    bool ok = file_write(kernel, object->at, object->n, sink);
    extern int optind;
    optind = 1;
    ok = ok && command_link(4, argv) == 0;
    scratch_close(&s);
    return ok;
}
