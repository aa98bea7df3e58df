/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files, by Landlock, and the limits of a process; system calls are in
 * sandbox/calls.c.
 */
#define _GNU_SOURCE /* O_PATH, syscall */
#include "cc/sandbox/sandbox.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/env.h"
#include "cc/sandbox/calls.h"

/* ---- settings ---- */

enum { DEFAULT_MB = 4096, DEFAULT_MS = 120000 };

static bool
report_value(struct diag_sink *sink, const char *name, const char *expected,
             const char *found)
{
    diag_report(sink, DIAG_ERROR, (struct diag_at){ 0 },
                "%s: expected %s, found '%s'", name, expected, found);
    return false;
}

static bool
read_number(const char *name, uint64_t fallback, uint64_t most, uint64_t *value,
            struct diag_sink *sink)
{
    const char *text = env_get(name);
    char *end;
    *value = fallback;
    if (!text)
        return true;
    errno = 0;
    *value = strtoull(text, &end, 10);
    if (*text >= '0' && *text <= '9' && !*end && !errno && *value &&
        *value <= most)
        return true;
    return report_value(sink, name, "a number above 0", text);
}

bool
sandbox_from_environment(struct sandbox *s, struct diag_sink *sink)
{
    static const char *const modes[] = { "auto", "require", "off" };
    const char *mode = env_get("VENTUS_SANDBOX");
    uint64_t mb, ms;
    unsigned i = 0;
    while (mode && i < 3 && strcmp(mode, modes[i]) != 0)
        i++;
    if (i == 3)
        return report_value(sink, "VENTUS_SANDBOX", "auto, require or off",
                            mode);
    if (!read_number("VENTUS_COMPILE_LIMIT_MB", DEFAULT_MB, UINT32_MAX, &mb,
                     sink) ||
        !read_number("VENTUS_COMPILE_LIMIT_MS", DEFAULT_MS, UINT32_MAX, &ms,
                     sink))
        return false;
    s->mode = (enum sandbox_mode)i;
    s->memory_B = mb << 20;
    s->cpu_s = (unsigned)((ms + 999) / 1000);
    return true;
}

void
sandbox_allow(struct sandbox *s, struct arena *a, unsigned rights,
              const char *path)
{
    assert(rights && !s->has_files);
    vec_push(a, &s->paths, ((struct sandbox_path){ path, rights }));
}

void
sandbox_allow_system(struct sandbox *s, struct arena *a)
{
    static const char *const folders[] = { "/lib",          "/lib32",
                                           "/lib64",        "/usr/lib",
                                           "/usr/lib32",    "/usr/lib64",
                                           "/usr/local/lib" };
    static const char *const files[] = { "/etc/ld.so.cache",
                                         "/etc/ld.so.preload", "/etc/localtime",
                                         "/usr/share/zoneinfo",
                                         "/usr/share/locale" };
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        sandbox_allow(s, a, SANDBOX_READ | SANDBOX_RUN, folders[i]);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        sandbox_allow(s, a, SANDBOX_READ, files[i]);
    sandbox_allow(s, a, SANDBOX_READ | SANDBOX_CHILD_WRITE, "/dev/null");
    if (SANDBOX_SANITIZED) /* its run time reads maps, tasks */
        sandbox_allow(s, a, SANDBOX_READ, "/proc/self");
#ifdef SANDBOX_COUNTERS /* which gcov writes when the program ends */
    sandbox_allow(s, a, SANDBOX_READ | SANDBOX_WRITE, SANDBOX_COUNTERS);
#endif
    for (const char *list = env_get("VENTUS_SANDBOX_READ"); list;) {
        size_t n = strcspn(list, ":");
        if (n)
            sandbox_allow(s, a, SANDBOX_READ, arena_strndup(a, list, n));
        list = list[n] ? list + n + 1 : NULL;
    }
}

/* ---- files: Landlock, landlock(7) ---- */

/* The rights that <linux/landlock.h> of Linux 6.1 lacks. */
enum {
    FS_TRUNCATE = 1 << 14, /* ABI 3 */
    FS_IOCTL_DEV = 1 << 15 /* ABI 5 */
};

struct ruleset {
    uint64_t files, net, scoped;
};

enum {
    FS_READ = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
    FS_MAKE = LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR |
              LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK |
              LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
              LANDLOCK_ACCESS_FS_MAKE_SYM,
    FS_CHANGE = LANDLOCK_ACCESS_FS_WRITE_FILE | FS_MAKE |
                LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |
                FS_TRUNCATE,
    /* an output is a regular file, made beside its final place */
    FS_WRITE = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG |
               LANDLOCK_ACCESS_FS_REMOVE_FILE | FS_TRUNCATE,
    /* Rights that are about a file; the others are about a folder. */
    FS_FILE = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE |
              LANDLOCK_ACCESS_FS_EXECUTE | FS_TRUNCATE,
};

/* The rules that this kernel can enforce; `abi` is 1 and more. */
static struct ruleset
everything(int abi)
{
    const uint64_t first = LANDLOCK_ACCESS_FS_EXECUTE | FS_READ |
                           (FS_CHANGE & ~(uint64_t)FS_TRUNCATE);
    struct ruleset r = { .files = first };
    if (abi >= 2)
        r.files |= LANDLOCK_ACCESS_FS_REFER;
    if (abi >= 3)
        r.files |= FS_TRUNCATE;
    if (abi >= 4)
        r.net = 3; /* TCP: bind, connect */
    if (abi >= 5)
        r.files |= FS_IOCTL_DEV;
    if (abi >= 6)
        r.scoped = 3; /* abstract sockets and signals of other processes */
    return r;
}

/* The kernel can, but has nothing left for it now. */
static bool
is_lack(int error)
{
    return error == EMFILE || error == ENFILE || error == ENOMEM;
}

/* A file that does not exist is left out. */
static bool
add_path(int ruleset, const char *path, uint64_t rights)
{
    struct stat st;
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0)
        return !is_lack(errno);
    if (fstat(fd, &st) != 0 || !S_ISDIR(st.st_mode))
        rights &= FS_FILE;
    struct landlock_path_beneath_attr attr = { .allowed_access = rights,
                                               .parent_fd = fd };
    int error = 0;
    if (rights && syscall(SYS_landlock_add_rule, ruleset,
                          LANDLOCK_RULE_PATH_BENEATH, &attr, 0) != 0)
        error = errno;
    close(fd);
    errno = error;
    /* EBADFD: a pipe, which Landlock leaves open to its owner. */
    return !error || error == EBADFD;
}

static uint64_t
rights_of(const struct sandbox_path *p, bool child)
{
    uint64_t rights = 0;
    if (p->rights & SANDBOX_READ)
        rights |= FS_READ;
    if (p->rights & SANDBOX_RUN)
        rights |= LANDLOCK_ACCESS_FS_EXECUTE;
    if (p->rights & SANDBOX_CHILD_WRITE ||
        (p->rights & SANDBOX_WRITE && !child))
        rights |= FS_WRITE;
    return rights;
}

/* errno is set if it is false. */
static bool
restrict_files(const struct sandbox *s, bool child)
{
    long abi = syscall(SYS_landlock_create_ruleset, NULL, 0,
                       LANDLOCK_CREATE_RULESET_VERSION);
    if (abi < 1)
        return false;
    struct ruleset all = everything((int)abi);
    /* Kernels refuse what they do not know, unless it is 0. */
    int fd = (int)syscall(SYS_landlock_create_ruleset, &all, sizeof all, 0);
    if (fd < 0)
        return false;
    bool ok = true;
    for (size_t i = 0; ok && i < s->paths.n; i++) {
        const struct sandbox_path *p = &s->paths.at[i];
        ok = add_path(fd, p->path, rights_of(p, child) & all.files);
    }
    ok = ok && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         syscall(SYS_landlock_restrict_self, fd, 0) == 0;
    int why = errno;
    close(fd);
    errno = why;
    return ok;
}

/* ---- limits ---- */

/* Lowers a limit of resources, never raises it: the caller may have set a lower one. */
static bool
lower_limit(__rlimit_resource_t resource, rlim_t soft, rlim_t hard)
{
    struct rlimit old;
    if (getrlimit(resource, &old) != 0)
        return false;
    assert(soft <= hard);
    struct rlimit new = { soft < old.rlim_cur ? soft : old.rlim_cur,
                          hard < old.rlim_max ? hard : old.rlim_max };
    return setrlimit(resource, &new) == 0;
}

/* Limits time, memory and files, in every mode.  Time that is over ends the process
 * with SIGXCPU, which says so. */
static bool
limit_resources(const struct sandbox *s)
{
    rlim_t cpu = s->cpu_s ? s->cpu_s : RLIM_INFINITY - 1;
    rlim_t size = s->memory_B ? s->memory_B : RLIM_INFINITY;
    return lower_limit(RLIMIT_CORE, 0, 0) &&
           lower_limit(RLIMIT_FSIZE, size, size) &&
           lower_limit(RLIMIT_CPU, cpu, cpu + 1);
}

static bool
limit_memory(const struct sandbox *s)
{
    return !s->memory_B || lower_limit(RLIMIT_AS, s->memory_B, s->memory_B);
}

/* ---- entering ---- */

/* Whether the sandbox cannot be without the part that failed, for the reason in errno:
 * a part that the kernel lacks may be left out, one that failed today may not. */
static bool
is_needed(const struct sandbox *s)
{
    return s->mode == SANDBOX_REQUIRE ||
           (s->mode == SANDBOX_AUTO && is_lack(errno));
}

/* Reports a part that the kernel, or the sandbox in which we are, does not allow. */
static bool
refuse_part(const struct sandbox *s, const char *part, struct diag_sink *sink)
{
    if (!is_needed(s))
        return true;
    diag_report(sink, DIAG_ERROR, (struct diag_at){ 0 }, "%s%s: %s",
                s->mode == SANDBOX_REQUIRE ? "VENTUS_SANDBOX=require: "
                                           : "the sandbox: ",
                part, strerror(errno));
    return false;
}

bool
sandbox_close_files(struct sandbox *s, struct diag_sink *sink)
{
    /* A sanitizer's shadow is terabytes of addresses. */
    if (!limit_resources(s) || (!SANDBOX_SANITIZED && !limit_memory(s)))
        if (!refuse_part(s, "limits", sink))
            return false;
    if (s->mode == SANDBOX_OFF)
        return true;
    s->has_files = restrict_files(s, false);
    return s->has_files || refuse_part(s, "Landlock", sink);
}

bool
sandbox_close_calls(const struct sandbox *s, const pid_t *children,
                    struct diag_sink *sink)
{
    struct sandbox_calls calls = { .children = children, .writes = true };
    if (s->mode == SANDBOX_OFF)
        return true;
    return sandbox_filter(&calls) || refuse_part(s, "seccomp", sink);
}

/*
 * A copy of the path at an address that cannot be guessed.  execve is permitted
 * with this pointer alone, so that the program that is run, which has another
 * address space, runs no second one.
 */
static const char *
hide_path(const char *path)
{
    enum { PAGE = 4096 };
    uint64_t random;
    size_t n = strlen(path) + 1;
    if (getrandom(&random, sizeof random, 0) != sizeof random)
        return NULL;
    /* the 47 bits that every 64-bit system has */
    uintptr_t hint = (uintptr_t)(random & 0x3ffffffff000);
    char *page = mmap((void *)hint, n + PAGE, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        return NULL;
    return memcpy(page + (random >> 50) % PAGE, path, n);
}

/* Everything but the limit of memory; `program` is the one pointer that execve takes,
 * or NULL. */
static bool
enter_child(const struct sandbox *s, const char *program, const char **what)
{
    struct sandbox_calls calls = { .program = program };
    *what = "limits";
    if (!limit_resources(s) && is_needed(s))
        return false;
    *what = "Landlock";
    if (s->mode != SANDBOX_OFF && !restrict_files(s, true) && is_needed(s))
        return false;
    *what = "seccomp";
    return s->mode == SANDBOX_OFF || sandbox_filter(&calls) || !is_needed(s);
}

bool
sandbox_enter_child(const struct sandbox *s, const char **what)
{
    if (!enter_child(s, NULL, what))
        return false;
    *what = "limits";
    return limit_memory(s);
}

void
sandbox_exec(const struct sandbox *s, const char *program, char **args,
             char **env, const char **what)
{
    const char *hidden = hide_path(program);
    *what = "limits";
    if (!hidden || !enter_child(s, hidden, what))
        return;
    *what = program;
    if (limit_memory(s))
        execve(hidden, args, env);
}
