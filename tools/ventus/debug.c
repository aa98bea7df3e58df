/* SPDX-License-Identifier: Apache-2.0 */
/* ventus debug: runs an OpenCL program whose kernels run under GDB. */
#define _GNU_SOURCE /* environ */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/arith.h"
#include "base/vec.h"
#include "debug_vscode.h"
#include "gdb/gdb.h"
#include "option_list.h"

static const char help[] =
    "usage: ventus debug [OPTION...] [--] PROGRAM [ARGUMENT...]\n"
    "       ventus debug [OPTION...] KERNEL.cl|.s|.elf [OPTION OF EXEC...]\n"
    "       ventus debug [OPTION...] --replay FILE [--launch N]\n"
    "       ventus debug --vscode [--] PROGRAM [ARGUMENT...]\n"
    "\n"
    "Starts an OpenCL program as `ventus run` does, or a kernel as `ventus "
    "exec`\n"
    "does, and GDB, connected to its kernels: it stops at the first launch.  "
    "Only\n"
    "kernels are debugged; the program keeps running, and waits for a kernel "
    "that\n"
    "is stopped.  A kernel is compiled with -O0, which keeps all variables.\n"
    "\n";

static const char help_end[] =
    "\n"
    "Exit status: that of the program or kernel; if it is 0, that of GDB, "
    "which is 1\n"
    "if the last command of a batch failed; 130 if Ctrl-C ended a batch, or "
    "the\n"
    "program after GDB.\n"
    "\n"
    "In GDB, to stop:  break k.cl:7 if get_global_id(0) == 37, break KERNEL,\n"
    "                  watch -location out[3]\n"
    "to look:          print v.x, info warps, info lanes, info kernel-args,\n"
    "                  item 37 (its work-item), x/5i $pc\n"
    "to go back:       reverse-step, reverse-next, reverse-stepi,\n"
    "                  reverse-finish, reverse-continue (to a breakpoint, to "
    "the\n"
    "                  writer of what `watch` names, to earlier launches);\n"
    "                  who-wrote out[3] names the last writer, launch N goes "
    "to a\n"
    "                  launch of `info launches`\n"
    "\n"
    "  ventus debug -- ./nbody --n 1024\n"
    "  ventus debug --ex 'break nbody' --ex continue -- ./nbody --n 1024\n"
    "  ventus debug saxpy.cl --grid 64 --arg zeros:64\n";

typedef vec(char *) words;

struct debug {
    struct arena arena;
    words run, gdb;
    const char *port, *debugger;
    const char *replay, *launch; /* a recording in place of a program */
    const char *subject;         /* name of the program for messages */
    bool is_kernel;              /* a file that `ventus exec` runs */
    bool batch, vscode;
    int gdb_runs; /* end of a pipe to a replay, open while GDB runs */
};

/* The subcommand that runs the program. */
static const char *
runner(const struct debug *d)
{
    return d->replay ? "replay" : d->is_kernel ? "exec" : "run";
}

extern char **environ;

static char *
own_option(struct debug *d, const char *text)
{
    return arena_printf(&d->arena, "%s", text);
}

static void
add_word(struct debug *d, words *to, const char *word)
{
    vec_push(&d->arena, to, own_option(d, word));
}

/* The path ../share/ventus/NAME beside this program; NULL: it does not exist. */
static const char *
shared_file(struct debug *d, const char *name)
{
    char self[4096];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0)
        return NULL;
    self[n] = 0;
    *strrchr(self, '/') = 0;
    const char *path =
        arena_printf(&d->arena, "%s/../share/ventus/%s", self, name);
    return access(path, R_OK) == 0 ? path : NULL;
}

/* A socket that listens on a free port of this host; -1: an error, which is reported. */
static int
listen_here(unsigned *port)
{
    struct sockaddr_in at = { .sin_family = AF_INET };
    socklen_t size = sizeof at;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int s = socket(AF_INET, SOCK_STREAM, 0);
    if (s < 0 || bind(s, (struct sockaddr *)&at, sizeof at) || listen(s, 1) ||
        getsockname(s, (struct sockaddr *)&at, &size)) {
        fprintf(stderr, "debug: no port of this host: %s\n", strerror(errno));
        return -1;
    }
    *port = ntohs(at.sin_port);
    return s;
}

/* Sets standard input: that of a program is empty; that of a replay ends when GDB
 * ends. */
static void
set_input(const struct debug *d, posix_spawn_file_actions_t *actions,
          int gdb_ends)
{
    if (d->replay)
        posix_spawn_file_actions_adddup2(actions, gdb_ends, 0);
    else
        posix_spawn_file_actions_addopen(actions, 0, "/dev/null", 0, 0);
}

/* Starts the program, in a process group of its own: an interrupt on the terminal is
 * for GDB, which also reads the terminal. */
static pid_t
start_program(struct debug *d, int listener)
{
    pid_t pid = -1;
    int pipe[2];
    posix_spawnattr_t attr;
    posix_spawn_file_actions_t actions;
    add_word(d, &d->run, arena_printf(&d->arena, "--gdb=fd:%d", listener));
    words all = { 0 };
    add_word(d, &all, "ventus");
    add_word(d, &all, runner(d));
    vec_push(&d->arena, &all, d->run.at[d->run.n - 1]);
    for (size_t i = 0; i + 1 < d->run.n; i++)
        vec_push(&d->arena, &all, d->run.at[i]);
    vec_push(&d->arena, &all, NULL);
    if (pipe2(pipe, O_CLOEXEC)) {
        fprintf(stderr, "debug: no pipe: %s\n", strerror(errno));
        return -1;
    }
    d->gdb_runs = pipe[1];
    posix_spawnattr_init(&attr);
    posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP);
    posix_spawn_file_actions_init(&actions);
    set_input(d, &actions, pipe[0]);
    int error =
        posix_spawn(&pid, "/proc/self/exe", &actions, &attr, all.at, environ);
    close(pipe[0]);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attr);
    if (!error)
        return pid;
    fprintf(stderr, "debug: ventus %s: %s\n", runner(d), strerror(error));
    return -1;
}

/* Starts GDB, which waits for the first launch as long as that takes; -1: an error,
 * which is reported. */
static pid_t
start_gdb(struct debug *d, unsigned port)
{
    words all = { 0 };
    const char *python = shared_file(d, "ventus-gdb.py");
    add_word(d, &all, d->debugger);
    add_word(d, &all, "-q");
    if (d->batch)
        add_word(d, &all, "-batch");
    if (python) {
        add_word(d, &all, "-x");
        add_word(d, &all, python);
    }
    add_word(d, &all, "-ex");
    add_word(d, &all,
             arena_printf(&d->arena,
                          python ? "connect-ventus %u"
                                 : "target remote 127.0.0.1:%u",
                          port));
    for (size_t i = 0; i < d->gdb.n; i++) {
        add_word(d, &all, "-ex");
        vec_push(&d->arena, &all, d->gdb.at[i]);
    }
    vec_push(&d->arena, &all, NULL);
    /* Python's setting is GDB's, too: no line waits in a buffer while the program, which
     * may share the terminal or the file, says that GDB has ended it. */
    words variables = { 0 };
    for (char **each = environ; *each; each++)
        vec_push(&d->arena, &variables, *each);
    add_word(d, &variables, "PYTHONUNBUFFERED=1");
    vec_push(&d->arena, &variables, NULL);
    pid_t pid;
    int error = posix_spawnp(&pid, all.at[0], NULL, NULL, all.at, variables.at);
    if (!error)
        return pid;
    fprintf(stderr, "debug: %s: %s\n", d->debugger, strerror(error));
    return -1;
}

/* Connects to the port and disconnects at once, as GDB would.  A program that waits
 * for a GDB that has already ended then continues; a program that GDB was connected to
 * does not accept the connection. */
static void
stop_waiting(unsigned port)
{
    struct sockaddr_in at = { .sin_family = AF_INET,
                              .sin_port = htons((uint16_t)port) };
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (s >= 0 && connect(s, (struct sockaddr *)&at, sizeof at) == 0)
        send(s, "+", 1, MSG_NOSIGNAL);
    if (s >= 0)
        close(s);
}

/* Processes of the program and GDB, which end with this command. */
static volatile pid_t children[2];
enum { PROGRAM, GDB };

static void
end_children(int number)
{
    for (unsigned i = 0; i < 2; i++)
        if (children[i] > 0)
            kill(children[i], number);
}

/* The interrupts by the user, and those since GDB ended. */
static volatile sig_atomic_t interrupts, unheard;

/* Handles an interrupt.  While GDB runs, it is GDB's and stops the kernel.  Before and
 * after, it ends the program, which the terminal does not interrupt; a second one also
 * ends a program that handles interrupts and continues. */
static void
on_interrupt(int number)
{
    interrupts++;
    if (children[GDB] > 0)
        return;
    if (children[PROGRAM] > 0)
        kill(-children[PROGRAM], unheard ? SIGTERM : number);
    unheard++;
}

/* Waits for one of the processes; false with WNOHANG: it still runs. */
static bool
has_ended(unsigned child, int *status, int options)
{
    pid_t pid;
    do {
        pid = waitpid(children[child], status, options);
    } while (pid < 0 && errno == EINTR);
    if (pid)
        children[child] = 0;
    return pid != 0;
}

/* Ends GDB after the program.  A GDB that the program has not accepted waits for the
 * first launch, which will not come; an accepted one is left to the user.  True: it
 * was left to the user, and *status is GDB's. */
static bool
end_gdb(struct debug *d, int listener, int *status)
{
    bool accepted = true;
    while (!has_ended(GDB, status, WNOHANG)) {
        struct pollfd in = { .fd = listener, .events = POLLIN };
        if (poll(&in, 1, 100) <= 0)
            continue;
        int late = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        if (late < 0)
            continue;
        fprintf(stderr, "debug: %s ended before its first launch\n",
                d->subject);
        kill(children[GDB],
             SIGKILL); /* while it connects, GDB has not changed the terminal */
        close(late);
        accepted = false;
    }
    return accepted;
}

static int
exit_status(int status)
{
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/* The status of GDB, reported if it is not 0; in a batch it tells whether the last
 * command failed. */
static int
debugger_status(const struct debug *d, int status)
{
    if (WIFSIGNALED(status))
        fprintf(stderr, "debug: %s: ended by signal %d\n", d->debugger,
                WTERMSIG(status));
    else if (WEXITSTATUS(status))
        fprintf(stderr, "debug: %s: ended with status %d\n", d->debugger,
                WEXITSTATUS(status));
    return exit_status(status);
}

/* Whether an interrupt ends GDB and the program: in a batch, which has no prompt. */
static bool
is_interrupted(const struct debug *d, int status)
{
    return unheard || (d->batch && interrupts && exit_status(status));
}

/* Waits for both and returns the status of the program, which continues if GDB ends
 * first; if that is 0, the status of GDB. */
static int
wait_for_both(struct debug *d, unsigned port, int listener)
{
    int status = 0, of_gdb = 0;
    siginfo_t first = { 0 };
    while (waitid(P_ALL, 0, &first, WEXITED | WNOWAIT) && errno == EINTR)
        continue;
    if (first.si_pid == children[PROGRAM]) {
        has_ended(PROGRAM, &status, 0);
        if (!end_gdb(d, listener, &of_gdb))
            of_gdb = 0;
    } else {
        has_ended(GDB, &of_gdb, 0);
        if (is_interrupted(d, of_gdb) ||
            (WIFSIGNALED(of_gdb) && WTERMSIG(of_gdb) == SIGINT))
            on_interrupt(SIGINT);
        close(d->gdb_runs);
        stop_waiting(port);
        close(listener);
        has_ended(PROGRAM, &status, 0);
    }
    if (is_interrupted(d, status))
        return 128 + SIGINT;
    int debugger = debugger_status(d, of_gdb);
    return exit_status(status) ? exit_status(status) : debugger;
}

static int
run_both(struct debug *d)
{
    unsigned port;
    int status, listener = listen_here(&port);
    if (listener < 0)
        return 1;
    signal(SIGTERM, end_children);
    signal(SIGHUP, end_children);
    if (signal(SIGINT, on_interrupt) == SIG_IGN)
        signal(SIGINT, SIG_IGN); /* inherited: the caller ignores interrupts */
    children[PROGRAM] = start_program(d, listener);
    if (children[PROGRAM] < 0)
        return 1;
    children[GDB] = start_gdb(d, port);
    if (children[GDB] > 0)
        return wait_for_both(d, port, listener);
    close(d->gdb_runs);
    stop_waiting(port);
    close(listener);
    kill(children[PROGRAM], SIGTERM);
    has_ended(PROGRAM, &status, 0);
    return unheard ? 128 + SIGINT : 1;
}

/* Checks the address, with the messages of `run --gdb` under this command's name. */
static bool
may_listen(const char *where)
{
    char why[512];
    if (gdb_may_open(where, why, sizeof why))
        return true;
    const char *said = strncmp(why, "gdb", 3) == 0 ? why + 3 : why;
    fprintf(stderr, "debug: --port%s\n", said);
    return false;
}

static bool
is_memory(const char *text)
{
    size_t n = strspn(text, "0123456789");
    if (n && n < 10 && !text[n])
        return true;
    fprintf(stderr, "debug: --launches: expected MiB of memory, found '%s'\n",
            text);
    return false;
}

static bool
take_option(struct debug *d, int c)
{
    switch (c) {
    case OPT_PORT:
        d->port = optarg;
        return may_listen(optarg);
    case OPT_DEVICE:
        add_word(d, &d->run, "--device");
        add_word(d, &d->run, optarg);
        return true;
    case OPT_THREADS:
        add_word(d, &d->run, "--threads");
        add_word(d, &d->run, optarg);
        return true;
    case OPT_CHECK:
        add_word(
            d, &d->run,
            arena_printf(&d->arena, "--check=%s", optarg ? optarg : "all"));
        return true;
    case OPT_LAUNCHES:
        return is_memory(optarg) &&
               setenv("VENTUS_GDB_LAUNCHES", optarg, 1) == 0;
    case OPT_REPLAY:
        d->replay = optarg;
        return true;
    case OPT_LAUNCH:
        d->launch = optarg;
        return true;
    case OPT_EX:
        add_word(d, &d->gdb, optarg);
        return true;
    case OPT_BATCH:
        d->batch = true;
        return true;
    case OPT_DEBUGGER:
        d->debugger = optarg;
        return true;
    case OPT_VSCODE:
        d->vscode = true;
        return true;
    default:
        return false;
    }
}

/* Whether a file is a kernel, by the end of its name; OpenCL programs have other
 * names. */
static bool
is_kernel_file(const char *name)
{
    static const char *const ends[] = { ".cl", ".s", ".S", ".elf", ".o" };
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < ARRAY_SIZE(ends); i++)
        if (strcmp(dot, ends[i]) == 0)
            return true;
    return false;
}

static void
add_words(struct debug *d, int n, char *const *words_of)
{
    for (int i = 0; i < n; i++)
        add_word(d, &d->run, words_of[i]);
}

/* Adds the subject of the session: the program, the launch, or the kernel with options
 * of exec. */
static void
add_subject(struct debug *d, int n, char *const *words_of)
{
    d->is_kernel = !d->replay && is_kernel_file(words_of[0]);
    if (d->is_kernel) {
        const char *dot = strrchr(words_of[0], '.');
        d->subject = words_of[0];
        if (strcmp(dot, ".cl") == 0)
            add_word(d, &d->run, "-O0");
        add_words(d, n, words_of);
        return;
    }
    if (d->replay) {
        add_word(d, &d->run, "--launch");
        add_word(d, &d->run, d->launch ? d->launch : "0");
    }
    add_word(d, &d->run, "--");
    d->subject = d->replay ? d->replay : words_of[0];
    if (d->replay)
        add_word(d, &d->run, d->replay);
    add_words(d, n, words_of);
}

static int
listen_only(struct debug *d)
{
    words all = { 0 };
    add_word(d, &all, runner(d));
    add_word(d, &all, arena_printf(&d->arena, "--gdb=%s", d->port));
    for (size_t i = 0; i < d->run.n; i++)
        vec_push(&d->arena, &all, d->run.at[i]);
    vec_push(&d->arena, &all, NULL);
    optind = 0; /* restarts getopt: here options may follow the file */
    return (d->replay      ? command_replay
            : d->is_kernel ? command_exec
                           : command_run)((int)all.n - 1, all.at);
}

int
command_debug(int argc, char **argv)
{
    struct debug d = { .debugger = "gdb-multiarch" };
    /* +: options after PROGRAM are the program's. */
    for (int c; (c = command_option(argc, argv, &options_debug)) != -1;) {
        if (c == 'h')
            return command_help(help, &options_debug, help_end);
        if (!take_option(&d, c)) {
            arena_free(&d.arena);
            return command_usage("debug");
        }
    }
    const char *wrong = !d.replay && optind == argc ? "expected a program"
                        : d.replay && optind < argc
                            ? "expected a program or --replay, found both"
                        : d.launch && !d.replay ? "--launch needs --replay"
                        : d.vscode && d.replay
                            ? "--vscode needs a program, found --replay"
                            : NULL;
    if (wrong) {
        fprintf(stderr, "debug: %s\n", wrong);
        arena_free(&d.arena);
        return command_usage("debug");
    }
    int status;
    if (d.vscode) {
        const char *script = shared_file(&d, "ventus-gdb.py");
        status = debug_write_vscode(d.debugger, script ? script : "",
                                    argc - optind, argv + optind);
        arena_free(&d.arena);
        return status;
    }
    add_subject(&d, argc - optind, argv + optind);
    status = d.port ? listen_only(&d) : run_both(&d);
    arena_free(&d.arena);
    return status;
}
