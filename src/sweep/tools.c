/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* memmem */
#include "sweep/tools.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "abi/library.h"
#include "base/file.h"
#include "base/sha256.h"

/* The build id of a program: the linker's hash in a note on the first page; hashing
 * the whole program would take a second. */
enum { NOTE_B = 16, ID_B = 20, PAGE_B = 4096 };

static bool
add_build_id(struct sha256 *s, const char *path)
{
    static const char note[NOTE_B] = { 4, 0, 0, 0, ID_B, 0,   0,   0,
                                       3, 0, 0, 0, 'G',  'N', 'U', 0 };
    char page[PAGE_B];
    FILE *in = fopen(path, "rb");
    size_t n = in ? fread(page, 1, sizeof page, in) : 0;
    if (in)
        fclose(in);
    const char *at = memmem(page, n, note, sizeof note);
    if (!at || (size_t)(page + n - at) < NOTE_B + ID_B)
        return false;
    sha256_add_sized(s, at + NOTE_B, ID_B);
    return true;
}

static void
add_file(struct sha256 *s, const char *path)
{
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    size_t size;
    const uint8_t *bytes =
        access(path, R_OK) == 0 ? file_read(&a, path, &size, &sink) : NULL;
    if (bytes)
        sha256_add_sized(s, bytes, size);
    arena_free(&a);
}

const char *
sweep_tools(void)
{
    static char text[SHA256_TEXT];
    static const char *const programs[] = { "ventus", "ventus-cc",
                                            "../lib/libventus-opencl.so",
                                            "../" VENTUS_LIBDIR
                                            "/libventus-opencl.so" };
    static const char *const places[] = { "../lib", "../share/ventus" };
    char self[4096], path[5000];
    uint8_t digest[SHA256_SIZE];
    if (*text)
        return text;
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = 0;
    char *slash = strrchr(self, '/');
    if (slash)
        *slash = 0;
    struct sha256 s = sha256_begin();
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        snprintf(path, sizeof path, "%s/%s", self, programs[i]);
        if (!add_build_id(&s, path))
            add_file(&s, path);
    }
    for (unsigned i = 0; i < LIBRARY_PARTS; i++)
        for (unsigned j = 0; j < 2; j++) {
            snprintf(path, sizeof path, "%s/%s/%s", self, places[j],
                     library_parts[i].file);
            add_file(&s, path);
        }
    sha256_end(&s, digest);
    sha256_text(digest, text);
    return text;
}
