/* SPDX-License-Identifier: Apache-2.0 */
/* ventus cc --emit elf: the last step, as `ventus link` does it. */
#include "cc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ventus/asm.h>

#include "base/file.h"
#include "command.h"

/* start.S lies beside ventus.ld: in the build tree, or where it is installed. */
static const char *
find_start(struct arena *a, struct diag_sink *sink)
{
    static const char *const places[] = { "../share/ventus/start.S",
                                          "../lib/start.S" };
    char self[4096];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    for (size_t i = 0; n > 0 && i < sizeof places / sizeof *places; i++) {
        self[n] = 0;
        const char *path = arena_printf(
            a, "%.*s/%s", (int)(strrchr(self, '/') - self), self, places[i]);
        if (access(path, R_OK) == 0)
            return path;
    }
    diag_report(sink, DIAG_ERROR, (struct diag_at){ .file = NULL },
                "cannot find start.S beside this program");
    return NULL;
}

static bool
write_start(struct arena *a, const char *object, struct diag_sink *sink)
{
    size_t size;
    struct asm_result r;
    const char *path = find_start(a, sink);
    const char *text = path ? (char *)file_read(a, path, &size, sink) : NULL;
    if (!text)
        return false;
    bool ok =
        asm_assemble(&(struct asm_options){ .file = path }, text, size, &r);
    asm_print_messages(&r, stderr, false);
    ok = ok && file_write(object, r.object, r.object_size, sink);
    asm_free(&r);
    return ok;
}

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
    char *start = arena_printf(a, "%s/start.o", dir);
    char *argv[] = { (char[]){ "link" },
                     (char[]){ "-o" },
                     arena_printf(a, "%s", output),
                     kernel,
                     start,
                     NULL };
    bool ok = file_write(kernel, object->at, object->n, sink) &&
              write_start(a, start, sink);
    extern int optind;
    optind = 1;
    ok = ok && command_link(5, argv) == 0;
    unlink(start);
    unlink(kernel);
    rmdir(dir);
    return ok;
}
