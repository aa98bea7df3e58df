/* SPDX-License-Identifier: Apache-2.0 */
/* dladdr, realpath, memmem */
#define _GNU_SOURCE
#include "cl/program/compiler.h"
#include "base/arith.h"

#include <assert.h>
#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/env.h"
#include "base/file.h"
#include "base/oom.h"
#include "base/scratch.h"
#include "base/vec.h"
#include "cl/program/cache.h"
#include "cl/program/cache_file.h"
#include "cl/program/process.h"
#include "cl/program/warm.h"
#include "sanitize/sanitize.h"

/* The default limits: docs/limits.md. */
#ifdef __SANITIZE_ADDRESS__ /* the compiler of this build reserves terabytes */
enum { DEFAULT_LIMIT_MB = 0 };
#else
enum { DEFAULT_LIMIT_MB = 4096 };
#endif
enum { DEFAULT_LIMIT_MS = 120000, DEFAULT_OPTIONS_KB = 64 };
/* The kernel limits a word of a command line to 128 KiB. */
enum { MAX_OPTIONS_KB = 120 };

/* ---- the compiler's path ---- */

static const char *
find_above(struct arena *a, char *path)
{
    for (char *slash; (slash = strrchr(path, '/')) && slash != path;) {
        *slash = 0;
        const char *program = arena_printf(a, "%s/bin/ventus", path);
        if (access(program, X_OK) == 0)
            return program;
    }
    return NULL;
}

static char library_path[PATH_MAX];

/* Finds the library when it is loaded: a relative name refers to the current folder of
 * that moment. */
__attribute__((constructor)) static void
find_library(void)
{
    Dl_info info;
    if (!dladdr(library_path, &info) || !realpath(info.dli_fname, library_path))
        library_path[0] = 0;
}

static const char *
find_program(struct arena *a)
{
    char path[PATH_MAX];
    const char *named = cl_env("VENTUS_CC");
    if (named)
        return access(named, X_OK) == 0 ? named : NULL;
    memcpy(path, library_path, sizeof path);
    return find_above(a, path);
}

struct search {
    struct arena arena;
    const char *program;
};

static void
search_compiler(void *ctx)
{
    struct search *s = ctx;
    s->program = find_program(&s->arena);
}

cl_bool
compiler_available(void)
{
    struct search s = { .program = NULL };
    cl_bool there = oom_call(search_compiler, &s) && s.program != NULL;
    arena_free(&s.arena);
    return there;
}

/* Whether a program of a variable of the environment, or else of this name, is there as
 * execvp would find it. */
static bool
is_there(struct arena *a, const char *variable, const char *name)
{
    const char *named = cl_env(variable), *list = cl_env("PATH");
    if (named)
        name = named;
    if (strchr(name, '/'))
        return access(name, X_OK) == 0;
    for (list = list ? list : "/usr/bin:/bin"; *list;) {
        size_t n = strcspn(list, ":");
        const char *path = arena_printf(a, "%.*s/%s", (int)n, list, name);
        if (n && access(path, X_OK) == 0)
            return true;
        list += n + (list[n] == ':');
    }
    return false;
}

struct spirv_search {
    struct arena arena;
    bool found;
};

static void
search_spirv(void *ctx)
{
    struct spirv_search *s = ctx;
    s->found = is_there(&s->arena, "VENTUS_LLVM_SPIRV", "llvm-spirv-15") &&
               is_there(&s->arena, "VENTUS_SPIRV_VAL", "spirv-val");
}

bool
compiler_reads_spirv(void)
{
    struct spirv_search s = { .found = false };
    bool ok = compiler_available() && oom_call(search_spirv, &s) && s.found;
    arena_free(&s.arena);
    return ok;
}

/* ---- the folder of a compilation ---- */

/* Whether a relative file name, with its folders, stays inside the folder. */
static bool
is_inside(const char *name)
{
    const char *part = name;
    for (;;) {
        size_t n = strcspn(part, "/");
        bool here = n == 1 && *part == '.';
        if (!n || (n == 2 && memcmp(part, "..", 2) == 0))
            return false;
        if (!part[n])
            return !here;
        part += n + 1;
    }
}

static bool
write_below(struct arena *a, const char *dir, const char *name,
            const void *bytes, size_t size)
{
    struct diag_sink sink = { .arena = a };
    char *path = arena_printf(a, "%s/%s", dir, name);
    for (char *s = path + strlen(dir) + 1; (s = strchr(s, '/')); *s++ = '/') {
        *s = 0;
        if (mkdir(path, 0700) != 0 && errno != EEXIST)
            return false;
    }
    return file_write(path, bytes, size, &sink);
}

static bool
write_inputs(struct arena *a, const char *dir, const struct compiler_job *job,
             struct buf *log)
{
    /* clang warns of include folders that do not exist. */
    const char *include = arena_printf(a, "%s/include", dir);
    bool ok = job->link || mkdir(include, 0700) == 0;
    for (size_t i = 0; ok && i < job->n_inputs; i++) {
        const struct compiler_file *f = &job->inputs[i];
        ok = write_below(a, dir, f->name, f->bytes, f->size);
    }
    for (size_t i = 0; ok && i < job->n_headers; i++) {
        const struct compiler_file *f = &job->headers[i];
        if (!is_inside(f->name)) {
            buf_printf(log,
                       "error: header '%s': expected the relative path of a "
                       "file, without '..'\n",
                       f->name);
            return false;
        }
        const char *name = arena_printf(a, "include/%s", f->name);
        if (!write_below(a, dir, name, f->bytes, f->size)) {
            buf_printf(log,
                       "error: header '%s': there can be no file of this name "
                       "beside the other headers\n",
                       f->name);
            return false;
        }
    }
    if (!ok)
        buf_printf(log, "error: cannot write to %s: %s\n", dir,
                   strerror(errno));
    return ok;
}

/* ---- arguments ---- */

static struct process_command
make_command(struct arena *a, const char *program, const char *dir,
             const struct compiler_job *job)
{
    enum { OWN = 4 }; /* words for a program of its own only */
    vec(const char *) words = { 0 };
    vec_push(a, &words, program);
    vec_push(a, &words, "cc");
    vec_push(a, &words, "--parent");
    vec_push(a, &words, arena_printf(a, "%ld", (long)getpid()));
    assert(words.n == OWN);
    vec_push(a, &words, arena_printf(a, "-march=ventus%u", job->isa));
    if (job->pause)
        vec_push(a, &words, job->pause);
    if (!job->link) { /* replaces the folder, even with no headers */
        vec_push(a, &words, "--headers");
        vec_push(a, &words, arena_printf(a, "%s/include", dir));
    }
    const char *options = job->options ? job->options : "";
    if (compiler_job_keeps_source(job))
        options = arena_printf(a, "%s -gembed-source", options);
    if (compiler_job_checks(job) & (SANITIZE_MEMORY | SANITIZE_ARITH))
        options = arena_printf(a, "%s -fcheck-bounds", options);
    if (compiler_job_checks(job) & SANITIZE_INIT)
        options = arena_printf(a, "%s -fcheck-init", options);
    if (compiler_job_checks(job) & SANITIZE_RACE)
        options = arena_printf(a, "%s -fcheck-race", options);
    if (*options) {
        vec_push(a, &words, "--options");
        vec_push(a, &words, options);
    }
    if (!job->link) {
        vec_push(a, &words, "--name");
        vec_push(a, &words, job->shown ? job->shown : job->inputs[0].name);
        vec_push(a, &words, "--depfile");
        vec_push(a, &words, arena_printf(a, "%s/files", dir));
    }
    if (job->object) {
        vec_push(a, &words, "--emit");
        vec_push(a, &words, "bc");
    }
    vec_push(a, &words, "-o");
    vec_push(a, &words, arena_printf(a, "%s/output", dir));
    for (size_t i = 0; i < job->n_inputs; i++)
        vec_push(a, &words, arena_printf(a, "%s/%s", dir, job->inputs[i].name));
    vec_push(a, &words, NULL);
    return (struct process_command){ .args = words.at,
                                     .words = words.at + OWN,
                                     .warm = warm_program(a, program) };
}

/* ---- results ---- */

/* Reads a file that the compiler has written; NULL: it does not exist.  A compromised
 * compiler may have put anything there: links are not followed, pipes not waited for. */
static uint8_t *
read_written(const char *dir, const char *name, size_t *size)
{
    uint64_t limit_B =
        cl_env_number("VENTUS_COMPILE_LIMIT_MB", 4096, UINT32_MAX) << 20;
    int folder = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return NULL;
    uint8_t *bytes = cache_file_read(folder, name, limit_B, size);
    close(folder);
    return bytes;
}

/* Reads the paths in a make rule "output: a.cl b.h \", except those in the
 * compilation's folder; false: the rule does not exist, and the files are unknown. */
static bool
read_files(struct arena *a, const char *dir, struct buf *files)
{
    size_t size, skip = strlen(dir);
    uint8_t *bytes = read_written(dir, "files", &size);
    struct oom_cleanup free_bytes;
    oom_defer(&free_bytes, free, bytes);
    char *s = bytes ? arena_strndup(a, (char *)bytes, size) : NULL;
    oom_release(&free_bytes);
    s = s ? strstr(s, ": ") : NULL;
    if (!s)
        return false;
    s += 2;
    while (*s) {
        if (isspace((unsigned char)*s) || (*s == '\\' && s[1] == '\n')) {
            s++;
            continue;
        }
        char *word = s, *to = s;
        for (; *s && !isspace((unsigned char)*s); s++) {
            if ((*s == '\\' && strchr(" #", s[1])) ||
                (*s == '$' && s[1] == '$'))
                s++;
            *to++ = *s;
        }
        bool ours = strncmp(word, dir, skip) == 0;
        if (*s)
            s++;
        *to = 0;
        if (!ours)
            buf_put(files, word, strlen(word) + 1);
    }
    return true;
}

static bool
read_output(const char *dir, struct buf *binary)
{
    size_t size;
    uint8_t *bytes = read_written(dir, "output", &size);
    if (!bytes)
        return false;
    struct oom_cleanup free_bytes;
    oom_defer(&free_bytes, free, bytes);
    buf_put(binary, bytes, size);
    oom_release(&free_bytes);
    return true;
}

/* Ends the last line of a program that was killed while it printed. */
static void
end_line(struct buf *log)
{
    if (log->n && log->at[log->n - 1] != '\n')
        buf_u8(log, '\n');
}

static enum compiler_end
judge_end(enum process_end end, int code, bool output, uint64_t limit_ms,
          struct buf *log)
{
    end_line(log);
    switch (end) {
    case PROCESS_UNKNOWN: /* the output exists only if it is complete */
        return output ? COMPILER_DONE : COMPILER_FAILED;
    case PROCESS_EXITED:
        if (code == 0 && output)
            return COMPILER_DONE;
        return code == 2 ? COMPILER_BAD_OPTIONS : COMPILER_FAILED;
    case PROCESS_SIGNALLED:
        buf_printf(log, "error: the compiler crashed on this input: %s\n",
                   strsignal(code));
        return COMPILER_FAILED;
    case PROCESS_TIMEOUT:
        buf_printf(log,
                   "error: the compiler was stopped: it took more than "
                   "%llu ms of processor time, or %u times that by the clock "
                   "(VENTUS_COMPILE_LIMIT_MS)\n",
                   (unsigned long long)limit_ms, PROCESS_PATIENCE);
        return COMPILER_FAILED;
    case PROCESS_NOT_STARTED:
        buf_printf(log, "error: the compiler cannot be started: %s\n",
                   strerror(code));
        return COMPILER_MISSING;
    case PROCESS_NO_MEMORY:
        return COMPILER_NO_MEMORY;
    }
    return COMPILER_FAILED;
}

/* Adds the limit to the log: the compiler has reported that memory ran out, but not
 * why. */
static void
tell_memory(const struct process_limits *limits, struct buf *log)
{
    static const char *const words[] = { "out of memory", "bad_alloc",
                                         "Cannot allocate memory" };
    bool said = false;
    for (unsigned i = 0; log->n && i < ARRAY_SIZE(words); i++)
        said |= memmem(log->at, log->n, words[i], strlen(words[i])) != NULL;
    if (said && limits->memory_B)
        buf_printf(log,
                   "error: the compiler ran out of memory: it may take %llu "
                   "MB (VENTUS_COMPILE_LIMIT_MB)\n",
                   (unsigned long long)(limits->memory_B >> 20));
}

/* Runs the compiler.  `known`: the list has all included files. */
static enum compiler_end
run_in(struct arena *a, const char *program, const char *dir,
       const struct compiler_job *job, struct cache_entry *made,
       struct buf *files, bool *known)
{
    /* The compiler refuses a limit of 0, as it needs time to report. */
    uint64_t ms =
        cl_env_number("VENTUS_COMPILE_LIMIT_MS", DEFAULT_LIMIT_MS, UINT32_MAX);
    const struct process_limits limits = {
        .cpu_ms = ms ? ms : DEFAULT_LIMIT_MS,
        .memory_B = cl_env_number("VENTUS_COMPILE_LIMIT_MB", DEFAULT_LIMIT_MB,
                                  UINT32_MAX)
                    << 20,
    };
    int code = 0;
    if (!write_inputs(a, dir, job, &made->log))
        return COMPILER_FAILED;
    struct process_command command = make_command(a, program, dir, job);
    enum process_end end =
        process_run(&command, env_of_compiler(a), &limits, &made->log, &code);
    if ((end == PROCESS_EXITED || end == PROCESS_SIGNALLED) && code)
        tell_memory(&limits, &made->log);
    bool output = read_output(dir, &made->binary);
    *known = job->link || read_files(a, dir, files);
    return judge_end(end, code, output, limits.cpu_ms, &made->log);
}

static void
close_scratch(void *s)
{
    scratch_close(s);
}

static enum compiler_end
run_program(struct arena *a, const char *program,
            const struct compiler_job *job, struct cache_entry *made,
            struct buf *files, bool *known)
{
    struct diag_sink sink = { .arena = a };
    struct scratch s;
    struct oom_cleanup close_s;
    if (!scratch_open(&s, a, &sink)) {
        buf_printf(&made->log, "error: %s\n", sink.first->message);
        return COMPILER_FAILED;
    }
    oom_defer(&close_s, close_scratch, &s);
    enum compiler_end end = run_in(a, program, s.path, job, made, files, known);
    oom_release(&close_s);
    return end;
}

struct run {
    const struct compiler_job *job;
    struct arena arena;
    struct cache_entry entry;
    struct buf files;
    enum compiler_end end;
};

/* Checks options and names of a job, whatever the sources contain; false: the log says
 * why. */
static bool
is_acceptable(struct run *r)
{
    const struct compiler_job *job = r->job;
    uint64_t most_KB =
        cl_env_number("VENTUS_OPTIONS_KB", DEFAULT_OPTIONS_KB, UINT32_MAX);
    size_t most_B = (most_KB < MAX_OPTIONS_KB ? most_KB : MAX_OPTIONS_KB) << 10;
    if (job->options && strlen(job->options) > most_B) {
        buf_printf(&r->entry.log,
                   "error: build options: expected %zu bytes at most "
                   "(VENTUS_OPTIONS_KB), found %zu\n",
                   most_B, strlen(job->options));
        r->end = COMPILER_BAD_OPTIONS;
        return false;
    }
    return true;
}

static void
find_or_compile(struct run *r, const char *program)
{
    uint8_t key[SHA256_SIZE];
    bool known = false;
    compiler_job_key(r->job, program, key);
    if (cache_find(key, &r->entry)) {
        r->end = COMPILER_DONE;
        return;
    }
    r->end =
        run_program(&r->arena, program, r->job, &r->entry, &r->files, &known);
    if (r->end == COMPILER_DONE && known &&
        !compiler_job_asks(r->job, &r->files))
        cache_store(key, &r->entry, &r->files);
}

static void
run_protected(void *ctx)
{
    struct run *r = ctx;
    if (is_acceptable(r)) {
        const char *program = find_program(&r->arena);
        if (program)
            find_or_compile(r, program);
        else
            buf_printf(&r->entry.log,
                       "error: no compiler: neither VENTUS_CC nor bin/ventus "
                       "in a folder above the library\n");
    }
    buf_u8(&r->entry.log, 0);
}

/* Compiles with SIGXFSZ blocked.  A write beyond the limit of the application's files
 * raises it in the writing thread: here it must only fail with EFBIG (setrlimit(2)). */
static void
call_without_signal(struct run *r)
{
    sigset_t one, before, pending;
    sigemptyset(&one);
    sigaddset(&one, SIGXFSZ);
    sigpending(&pending);
    bool is_ours = !sigismember(&pending, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &one, &before);
    if (!oom_call(run_protected, r))
        r->end = COMPILER_NO_MEMORY;
    sigpending(&pending);
    if (is_ours && sigismember(&pending, SIGXFSZ))
        sigtimedwait(&one, NULL, &(struct timespec){ 0 });
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

enum compiler_end
compiler_run(const struct compiler_job *job, struct buf *binary,
             struct buf *log)
{
    struct run r = { .job = job, .end = COMPILER_MISSING };
    call_without_signal(&r);
    if (r.end == COMPILER_NO_MEMORY)
        cache_entry_free(&r.entry);
    *binary = r.entry.binary;
    *log = r.entry.log;
    buf_free(&r.files);
    arena_free(&r.arena);
    return r.end;
}
