/* SPDX-License-Identifier: Apache-2.0 */
#include "run_program.h"
#include "base/arith.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The path of the runtime: in the build tree, or where it is installed. */
static const char *
find_runtime(struct arena *a)
{
    static const char *const places[] = {
        "../lib/libventus-opencl.so",
        "../" VENTUS_LIBDIR "/libventus-opencl.so",
    };
    char self[4096];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0)
        return NULL;
    self[n] = 0;
    *strrchr(self, '/') = 0;
    for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
        const char *path = arena_printf(a, "%s/%s", self, places[i]);
        char *real = access(path, R_OK) == 0 ? realpath(path, NULL) : NULL;
        if (real) {
            const char *found = arena_printf(a, "%s", real);
            free(real);
            return found;
        }
    }
    return NULL;
}

bool
run_use_runtime(struct arena *a)
{
    const char *runtime = find_runtime(a);
    if (!runtime) {
        fputs("run: no libventus-opencl.so beside this program; it is built "
              "if the OpenCL headers are there\n",
              stderr);
        return false;
    }
    setenv("OCL_ICD_VENDORS", runtime, 1);
    setenv("OCL_ICD_FILENAMES", runtime, 1);
    return true;
}

bool
run_is_program(const char *path)
{
    static const char *const ends[] = { ".cl", ".s", ".S", ".elf",
                                        ".metadata" };
    size_t n = strlen(path);
    if (access(path, R_OK) != 0 || access(path, X_OK) == 0)
        return true;
    for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
        size_t m = strlen(ends[i]);
        if (n <= m || strcmp(path + n - m, ends[i]) != 0)
            continue;
        fprintf(stderr,
                "run: expected an OpenCL program, found the kernels of '%s': "
                "`ventus exec %s%s` runs one\n",
                path, path, i < 4 ? " [KERNEL] --grid N" : "");
        return false;
    }
    return true;
}
