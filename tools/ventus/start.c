/* SPDX-License-Identifier: Apache-2.0 */
#include "start.h"
#include "base/arith.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <ventus/asm.h>

#include "base/file.h"
#include "command.h"

const char *
start_find(struct arena *a, const char *name, struct diag_sink *sink)
{
    static const char *const places[] = { "../share/ventus", "../lib" };
    char self[4096];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    for (size_t i = 0; n > 0 && i < ARRAY_SIZE(places); i++) {
        self[n] = 0;
        const char *path =
            arena_printf(a, "%.*s/%s/%s", (int)(strrchr(self, '/') - self),
                         self, places[i], name);
        if (access(path, R_OK) == 0)
            return path;
    }
    if (sink)
        diag_report(sink, DIAG_ERROR, (struct diag_at){ .file = NULL },
                    "cannot find %s beside this program", name);
    return NULL;
}

const uint8_t *
start_assemble(struct arena *a, const char *path,
               enum ventus_isa_version version, size_t *size,
               struct diag_sink *sink)
{
    const char *text = (const char *)file_read(a, path, size, sink);
    if (!text)
        return NULL;
    struct ventus_asm_options options = { .file = path,
                                          .version = version,
                                          .debug = true };
    struct ventus_asm_result r;
    const char *object = NULL;
    bool ok = ventus_asm_assemble(&options, text, *size, &r);
    ventus_asm_print_messages(&r, stderr, command_colour());
    if (ok)
        object = arena_strndup(a, (const char *)r.object, r.object_size);
    *size = r.object_size;
    ventus_asm_free(&r);
    return (const uint8_t *)object;
}
