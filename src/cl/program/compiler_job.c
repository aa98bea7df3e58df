/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* memmem */
#include "cl/program/compiler_job.h"
#include "base/arith.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ventus/version.h>

#include "abi/library.h"
#include "cl/api.h"
#include "cl/checks/recorder.h"
#include "cl/program/cache_file.h"
#include "dev/findings/check_kinds.h"

bool
compiler_job_keeps_source(const struct compiler_job *job)
{
    return !job->link && (cl_env("VENTUS_REPORT") || cl_env("VENTUS_HOT") ||
                          cl_env("VENTUS_CHECK") || cl_env("VENTUS_GDB") ||
                          recorder_is_wanted());
}

unsigned
compiler_job_checks(const struct compiler_job *job)
{
    const char *kinds = cl_env("VENTUS_CHECK");
    const unsigned all =
        SANITIZE_MEMORY | SANITIZE_ARITH | SANITIZE_INIT | SANITIZE_RACE;
    return kinds ? findings_kinds(kinds, CHECK_ALL) &
                       (job->link ? SANITIZE_RACE : all)
                 : 0;
}

/* ---- the key of the cache ---- */

/* Adds a program's identity: a file is unchanged as long as it was not written. */
static void
add_identity(struct sha256 *s, const char *path)
{
    struct stat st;
    char text[128] = "missing";
    if (stat(path, &st) == 0)
        snprintf(text, sizeof text, "%lld %lld %lld.%09ld",
                 (long long)st.st_ino, (long long)st.st_size,
                 (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
    sha256_add_sized(s, path, strlen(path));
    sha256_add_sized(s, text, strlen(text));
}

/* Adds the device library, whose code becomes part of kernels, from where `ventus cc`
 * finds it. */
static void
add_device_library(struct sha256 *s, const char *program)
{
    static const char *const places[] = { "../lib", "../share/ventus" };
    const char *folder = cl_env("VENTUS_LIB");
    const char *slash = strrchr(program, '/');
    int n = slash ? (int)(slash - program) + 1 : 0;
    char path[2 * PATH_MAX];
    for (unsigned i = 0; i < LIBRARY_PARTS; i++) {
        const char *name = library_parts[i].file;
        for (size_t j = 0; j < ARRAY_SIZE(places); j++) {
            snprintf(path, sizeof path, "%.*s%s/%s", n, program, places[j],
                     name);
            add_identity(s, path);
        }
        if (folder) {
            snprintf(path, sizeof path, "%s/%s", folder, name);
            add_identity(s, path);
        }
    }
}

static void
add_files(struct sha256 *s, const struct compiler_file *files, size_t n)
{
    sha256_add(s, &n, sizeof n);
    for (size_t i = 0; i < n; i++) {
        sha256_add_sized(s, files[i].name, strlen(files[i].name));
        sha256_add_sized(s, files[i].bytes, files[i].size);
    }
}

static bool
contains(const void *bytes, size_t size, const char *word)
{
    return memmem(bytes, size, word, strlen(word)) != NULL;
}

/* Whether includes can depend on the working directory. */
static bool
may_include(const struct compiler_job *job)
{
    bool may = job->options && strstr(job->options, "-I");
    for (size_t i = 0; i < job->n_inputs && !job->link; i++)
        may |= contains(job->inputs[i].bytes, job->inputs[i].size, "include");
    return may;
}

void
compiler_job_key(const struct compiler_job *job, const char *program,
                 uint8_t key[SHA256_SIZE])
{
    struct sha256 s = sha256_begin();
    const char *options = job->options ? job->options : "";
    const unsigned kind[] = { job->link, job->object, job->isa,
                              compiler_job_keeps_source(job),
                              compiler_job_checks(job) };
    const char *clang = cl_env("VENTUS_CLANG");
    char here[PATH_MAX] = "";
    sha256_add_sized(&s, VENTUS_VERSION, strlen(VENTUS_VERSION));
    add_identity(&s, program);
    snprintf(here, sizeof here, "%s-cc", program);
    add_identity(&s, here);
    add_identity(&s, clang ? clang : "/usr/bin/clang-19");
    add_device_library(&s, program);
    sha256_add_sized(&s, options, strlen(options));
    const char *pause = job->pause ? job->pause : "";
    sha256_add_sized(&s, pause, strlen(pause));
    sha256_add(&s, kind, sizeof kind);
    add_files(&s, job->inputs, job->n_inputs);
    const char *shown = job->shown ? job->shown : "";
    sha256_add_sized(&s, shown, strlen(shown));
    add_files(&s, job->headers, job->n_headers);
    if (!may_include(job) || !getcwd(here, sizeof here))
        here[0] = 0;
    sha256_add_sized(&s, here, strlen(here));
    sha256_end(&s, key);
}

bool
compiler_job_asks(const struct compiler_job *job, const struct buf *files)
{
    for (size_t i = 0; i < job->n_inputs && !job->link; i++)
        if (cache_text_asks(job->inputs[i].bytes, job->inputs[i].size))
            return true;
    for (size_t i = 0; i < job->n_headers; i++)
        if (cache_text_asks(job->headers[i].bytes, job->headers[i].size))
            return true;
    for (size_t i = 0; i < files->n;) {
        const char *path = (const char *)files->at + i;
        if (cache_file_asks(path))
            return true;
        i += strlen(path) + 1;
    }
    return false;
}
