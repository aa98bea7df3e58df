/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The compiler when the host has no memory left.
 *
 * The compiler is a program: a lack of memory ends it with a message and status
 * 1.  So each run is a process, in which the n-th allocation fails: it ends with
 * the expected object or with a message, never by a signal, and leaves no
 * temporary file.
 *
 * What fails are the allocations of our code.  LLVM and the C++ library are
 * linked statically and would be wrapped, too; theirs do not count, because
 * LLVM ends the process by a signal when it has no memory.  The runtime reports
 * that as a build error (cl_program, "the compiler ran out of memory"; cl_limits).
 */
#define _GNU_SOURCE /* dl_iterate_phdr, pipe2 */
#include <stdbool.h>

static bool
is_ours(const void *caller);
#define FAILING_CALLER(at) is_ours(at)
#include "failing.h"

#include <fcntl.h>
#include <link.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "cc/compile.h"
#include "cc/front/front.h"
#include "obj/elf.h"

/* Each part that allocates: library, calls, prints, loops, branches, spills. */
static const char text[] =
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    "struct pair { int a; float4 b; };\n"
    "constant int table[4] = { 1, 2, 3, 4 };\n"
    "__attribute__((noinline)) float f(struct pair p, float x)\n"
    "{ return p.a * x + dot(p.b, (float4)(x)) + sin(x); }\n"
    "kernel void k(global float *y, global long *z, local int *l, int n)\n"
    "{\n"
    "    int i = get_global_id(0), sum[8] = { 0 };\n"
    "    struct pair p = { i, (float4)(1, 2, 3, i) };\n"
    "    for (int j = 0; j < n; j++) {\n"
    "        if (i & j)\n"
    "            continue;\n"
    "        sum[j & 7] += table[j & 3] + atomic_add(&l[j], i);\n"
    "        y[i] += f(p, j) / f(p, y[j]);\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    z[i] = z[i + 1] / (sum[n & 7] | 1) + (long)((double)y[i] * 0.5);\n"
    "    if (!i)\n"
    "        printf(\"%d %s %v4f\\n\", n, \"done\", p.b);\n"
    "}\n";

/* ---- whose allocation it is ---- */

static struct arena symbols; /* of the symbols of this program */
static struct elf program;
static uintptr_t bias;

static int
note_bias(struct dl_phdr_info *info, size_t size, void *ctx)
{
    (void)size, (void)ctx;
    bias = info->dlpi_addr; /* of the first object, the program */
    return 1;
}

static void
read_symbols(void)
{
    struct diag_sink sink = { .arena = &symbols };
    size_t size;
    const uint8_t *image = file_read(&symbols, "/proc/self/exe", &size, &sink);
    CHECK(image && elf_read(&symbols, "exe", image, size, &program, &sink));
    dl_iterate_phdr(note_bias, NULL);
}

/* The names of C++, of LLVM's C, and of what LLVM is linked with. */
static bool
is_foreign(const char *name)
{
    static const char *const prefixes[] = { "_Z",   "LLVM",    "llvm_",  "ZSTD",
                                            "HUF_", "FSE_",    "__",     "d_",
                                            "zc",   "inflate", "deflate" };
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

static bool
is_ours(const void *caller)
{
    static _Atomic(uintptr_t) known[1 << 12]; /* address * 2 + answer */
    if (!atomic_load(&failing_armed))
        return true;
    uintptr_t at = (uintptr_t)caller - bias;
    _Atomic(uintptr_t) *slot = &known[at * 40503 >> 4 & 0xfff];
    uintptr_t found = atomic_load(slot);
    if (found >> 1 == at)
        return found & 1;
    bool ours = false;
    for (size_t i = 0; i < program.n_symbols; i++) {
        const struct elf_symbol *s = &program.symbol[i];
        if (at > s->value && at - s->value <= s->size &&
            s->type == ELF_STT_FUNC && !is_foreign(s->name))
            ours = true;
    }
    atomic_store(slot, at << 1 | ours);
    return ours;
}

/* ---- one run, in a process ---- */

struct job {
    struct arena arena;
    struct front front;
    struct buf expected;
};

enum { END_DONE, END_ERROR, END_UNREACHED, END_WRONG };

static void
print_messages(const struct diag_sink *sink)
{
    for (const struct diag *d = sink->first; d; d = d->next)
        fprintf(stderr, "%s\n", d->message);
}

static bool
front(struct job *j, struct diag_sink *sink)
{
    const struct front_source source = {
        .name = "k.cl", .dir = ".", .text = text, .size = sizeof text - 1
    };
    struct front_options o = front_options_default();
    return front_compile(&j->front, &j->arena, &source, &o, sink);
}

static bool
back(struct job *j, struct buf *object, struct diag_sink *sink)
{
    const struct cc_options o = { .debug_lines = true };
    struct cc_stats stats = { 0 };
    return cc_compile_module(j->front.module, "k.cl", &o, &j->arena, object,
                             &stats, sink);
}

/* The child: as `ventus cc`, which has no protected call. */
static int
compile(struct job *j)
{
    struct diag_sink sink = { .arena = &j->arena };
    struct buf object = { 0 };
    failing_resume();
    bool ok = front(j, &sink) && back(j, &object, &sink);
    failing_pause();
    int end = END_DONE;
    if (!ok) {
        print_messages(&sink);
        end = END_ERROR;
    } else if (object.n != j->expected.n ||
               memcmp(object.at, j->expected.at, object.n) != 0) {
        end = END_WRONG;
    } else if (atomic_load(&failing_count) < failing_first) {
        end = END_UNREACHED;
    }
    buf_free(&object);
    front_free(&j->front);
    arena_free(&j->arena);
    return end;
}

static int
end_of(pid_t pid, int errors)
{
    char said[4096];
    ssize_t n = 0, got;
    while ((got = read(errors, said + n, sizeof said - 1 - (size_t)n)) > 0)
        n += got;
    said[n > 0 ? n : 0] = '\0';
    close(errors);
    int status;
    CHECK_EQ(waitpid(pid, &status, 0), pid);
    if (!CHECK(WIFEXITED(status) && WEXITSTATUS(status) < END_WRONG))
        printf("  status %#x: %s\n", (unsigned)status, said);
    if (WIFEXITED(status) && WEXITSTATUS(status) == END_ERROR)
        CHECK(n > 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : END_WRONG;
}

static int
run_child(struct job *j)
{
    int ends[2];
    CHECK_EQ(pipe2(ends, O_CLOEXEC), 0);
    fflush(stdout);
    atomic_store(&failing_count, 0);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(ends[1], STDERR_FILENO);
        atexit(failing_pause); /* gcov allocates when the program ends */
        exit(compile(j));
    }
    close(ends[1]);
    return end_of(pid, ends[0]);
}

/* ---- all runs ---- */

static unsigned
entries_in(const char *folder)
{
    unsigned n = 0;
    DIR *dir = opendir(folder);
    for (struct dirent *e = dir ? readdir(dir) : NULL; e; e = readdir(dir))
        n += e->d_name[0] != '.';
    if (dir)
        closedir(dir);
    return n;
}

/* `step` limits the time: each run starts clang. */
static void
each(struct job *j, const char *what, const char *folder, bool once)
{
    unsigned long step = failing_stride() * (once ? 1 : 4);
    unsigned long errors = 0, runs = 0;
    unsigned failures = test_failures;
    for (failing_first = 1;; failing_first += step) {
        failing_last = once ? failing_first : ~0ul;
        int end = run_child(j);
        if (end == END_UNREACHED || test_failures > failures + 5)
            break;
        runs++;
        errors += end == END_ERROR;
        CHECK_EQ(entries_in(folder), 0);
        if (runs % 100 == 0)
            step *= 2; /* the preset tiny has thousands */
        if (test_failures > failures)
            printf("  with allocation %lu failing\n", failing_first);
    }
    printf("     %s: %lu allocations fail %s: %lu errors\n", what, runs,
           once ? "one at a time" : "from there on", errors);
    CHECK(errors > 0);
}

TEST(each_allocation_of_the_compiler)
{
    char folder[] = "/tmp/cc_failing.XXXXXX";
    struct job whole = { 0 };
    struct diag_sink sink = { .arena = &whole.arena };
    CHECK(mkdtemp(folder) != NULL);
    setenv("TMPDIR", folder, 1);
    read_symbols();
    failing_first = ~0ul;
    if (CHECK(front(&whole, &sink)) &&
        CHECK(back(&whole, &whole.expected, &sink))) {
        struct job clean = { .expected = whole.expected };
        each(&clean, "front and back end", folder, true);
        each(&clean, "front and back end", folder, false);
    } else {
        print_messages(&sink);
    }
    buf_free(&whole.expected);
    front_free(&whole.front);
    arena_free(&whole.arena);
    arena_free(&symbols);
    CHECK_EQ(rmdir(folder), 0);
}

TEST_MAIN
