/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ventus cc --emit elf: the last step, as `ventus link` does it.  The object
 * brings its start code along.
 */
#include "cc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "command.h"

bool
cc_link(struct arena *a, const struct buf *object, const char *output,
        struct diag_sink *sink)
{
    const char *tmp = getenv("TMPDIR");
    char *dir = arena_printf(a, "%s/ventus-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(dir)) {
        diag_report(sink, DIAG_ERROR, (struct diag_at){ .file = dir },
                    "cannot make a folder for temporary files");
        return false;
    }
    char *kernel = arena_printf(a, "%s/kernel.o", dir);
    char *argv[] = { (char[]){ "link" }, (char[]){ "-o" },
                     arena_printf(a, "%s", output), kernel, NULL };
    bool ok = file_write(kernel, object->at, object->n, sink);
    extern int optind;
    optind = 1;
    ok = ok && command_link(4, argv) == 0;
    unlink(kernel);
    rmdir(dir);
    return ok;
}
