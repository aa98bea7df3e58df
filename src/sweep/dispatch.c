/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* wait4 */
#include "sweep/dispatch.h"
#include "base/clock.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/map.h"
#include "base/spawn.h"
#include "sweep/record.h"

enum { JOBS_MAX = 1024, TICK_ms = 100, PATIENCE_ms = 2000 };

/* A slot for a running program, and its output files. */
struct slot {
    pid_t pid; /* 0: no program */
    const struct sweep_point *point;
    const char *out, *err, *json, *command;
    double began;
    int64_t date;
    bool late;
};

struct dispatch {
    const struct sweep_plan *plan;
    struct store *store;
    struct sweep_run *run;
    struct diag_sink *sink;
    struct slot *slots;
    /* Points in order; those from `next` on are left. */
    const struct sweep_point **todo;
    size_t n_todo, next;
    unsigned running;
    bool lost;   /* a record could not be written */
    bool killed; /* programs that end from now on were killed */
};

static double
seconds_of(const struct rusage *u)
{
    return (double)(u->ru_utime.tv_sec + u->ru_stime.tv_sec) +
           1e-6 * (double)(u->ru_utime.tv_usec + u->ru_stime.tv_usec);
}

/* ---- one program ---- */

/* The command as it would be typed in a shell. */
static const char *
shell_words(struct arena *a, const char *const *words)
{
    const char *text = "";
    for (; *words; words++) {
        bool plain = **words && !strpbrk(*words, " \t\"'$&|;<>()*?[]#~`\\");
        text = arena_printf(a, plain ? "%s%s%s" : "%s%s'%s'", text,
                            *text ? " " : "", *words);
    }
    return text;
}

static void
name_files(struct dispatch *d, struct slot *s, unsigned number)
{
    struct arena *a = d->store->arena;
    char *whole = realpath(d->store->folder, NULL);
    const char *stem =
        arena_printf(a, "%s/running/%ld-%u", whole ? whole : d->store->folder,
                     (long)getpid(), number);
    free(whole);
    s->out = arena_printf(a, "%s.out", stem);
    s->err = arena_printf(a, "%s.err", stem);
    s->json = arena_printf(a, "%s.json", stem);
}

static void
write_record(struct dispatch *d, struct slot *s, struct sweep_end *end)
{
    struct arena a = { 0 };
    struct diag_sink quiet = { .arena = &a };
    char *record = NULL;
    size_t size, n;
    assert(s->point && !s->pid);
    const char *out = (const char *)file_read(&a, s->out, &size, &quiet);
    const char *err = (const char *)file_read(&a, s->err, &size, &quiet);
    end->out = out ? out : "";
    end->err = err ? err : "";
    end->json = s->point->program->host && access(s->json, R_OK) == 0
                    ? (const char *)file_read(&a, s->json, &size, &quiet)
                    : NULL;
    end->command = s->command;
    end->seconds = clock_now_s() - s->began;
    end->began = s->date;
    end->late = s->late;
    struct json j = { .out = open_memstream(&record, &n) };
    bool ok = j.out && record_write(&j, d->plan, s->point, end);
    bool whole = j.out && fputc('\n', j.out) != EOF && !ferror(j.out);
    whole = j.out && fclose(j.out) == 0 && whole;
    if (!whole || !store_write(d->store, s->point->key, record, n, d->sink))
        d->lost = true;
    d->run->ran++;
    d->run->failed += !ok;
    d->run->busy += end->seconds;
    d->run->cpu_seconds += end->cpu_seconds;
    free(record);
    arena_free(&a);
}

static int
open_output(const char *path)
{
    return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

/* Starts a program.  False: it does not run; its record says why. */
static bool
start_point(struct dispatch *d, struct slot *s, const struct sweep_point *point)
{
    struct arena a = { 0 };
    assert(!s->pid && point->key);
    unlink(s->json);
    struct spawn program = {
        .path = "/proc/self/exe",
        .args = sweep_command(&a, d->plan, point, s->json),
        .folder = d->plan->base,
        .out = open_output(s->out),
        .err = open_output(s->err),
    };
    bool files = program.out >= 0 && program.err >= 0;
    struct sweep_end end = { .not_started = files ? 0 : errno };
    free((void *)(uintptr_t)s->command);
    /* The recorded command has a general name for the output, which is temporary. */
    s->command = strdup(
        shell_words(&a, sweep_command(&a, d->plan, point, "launches.json")));
    s->point = point;
    s->began = clock_now_s();
    s->date = (int64_t)time(NULL);
    s->late = false;
    if (files)
        end.not_started = spawn_start(&program, &s->pid);
    if (program.out >= 0)
        close(program.out);
    if (program.err >= 0)
        close(program.err);
    arena_free(&a);
    if (!end.not_started)
        return true;
    s->pid = 0;
    write_record(d, s, &end);
    return false;
}

/* ---- all programs ---- */

static bool
is_wanted(const struct dispatch *d, const struct sweep_point *p)
{
    enum store_state state = store_state(d->store, p->key);
    return state == STORE_NONE || (state == STORE_FAILED && d->run->retry);
}

/* Takes the next point that no other process runs; NULL: none now. */
static const struct sweep_point *
take_point(struct dispatch *d)
{
    assert(d->next <= d->n_todo);
    for (size_t left = d->n_todo - d->next; left; left--) {
        const struct sweep_point *p = d->todo[d->next];
        d->next++;
        if (!store_take(d->store, p->key)) {
            /* A point that another process runs goes to the end: it may be done by
             * then. */
            memmove(&d->todo[d->next - 1], &d->todo[d->next],
                    (d->n_todo - d->next) * sizeof *d->todo);
            d->todo[d->n_todo - 1] = p;
            d->next--;
            continue;
        }
        if (is_wanted(d, p))
            return p;
        d->run->kept++;
        d->run->failed += store_state(d->store, p->key) == STORE_FAILED;
        store_give(d->store, p->key);
    }
    return NULL;
}

static void
fill_slots(struct dispatch *d)
{
    for (unsigned i = 0; i < d->run->workers && !d->lost; i++) {
        const struct sweep_point *p;
        while (!d->slots[i].pid && !d->lost && (p = take_point(d))) {
            if (start_point(d, &d->slots[i], p))
                d->running++;
            else
                store_give(d->store, p->key);
        }
    }
    assert(d->running <= d->run->workers && "a slot runs one program");
}

/* Records the result of a program if it has ended. */
static void
reap_program(struct dispatch *d, struct slot *s)
{
    int status;
    struct rusage used;
    struct sweep_end end = { .exit = 0 };
    if (!s->pid || wait4(s->pid, &status, WNOHANG, &used) != s->pid)
        return;
    end.cpu_seconds = seconds_of(&used);
    if (WIFEXITED(status))
        end.exit = WEXITSTATUS(status);
    else
        end.signal = WTERMSIG(status);
    s->pid = 0;
    assert(d->running > 0);
    d->running--;
    /* A program that ended by a signal from outside has no result. */
    if (end.signal == SIGTERM || end.signal == SIGINT || end.signal == SIGHUP)
        d->run->interrupted = true;
    if (!d->killed && (!d->run->interrupted || (!end.signal && !end.exit)))
        write_record(d, s, &end);
    store_give(d->store, s->point->key);
    if (d->run->progress)
        d->run->progress(d->run);
}

static void
kill_late(struct dispatch *d)
{
    for (unsigned i = 0; i < d->run->workers; i++) {
        struct slot *s = &d->slots[i];
        if (s->pid && d->plan->time_limit_s &&
            clock_now_s() - s->began > d->plan->time_limit_s) {
            s->late = true;
            kill(-s->pid, SIGKILL);
        }
    }
}

static void
kill_all(struct dispatch *d, int signal)
{
    for (unsigned i = 0; i < d->run->workers; i++)
        if (d->slots[i].pid)
            kill(-d->slots[i].pid, signal);
}

/* Waits until a program ends or a signal arrives, at most `ms`. */
static void
wait_for_change(struct dispatch *d, const sigset_t *signals, long ms)
{
    const struct timespec tick = { ms / 1000, ms % 1000 * 1000000 };
    int signal = sigtimedwait(signals, NULL, &tick);
    if (signal > 0 && signal != SIGCHLD)
        d->run->interrupted = true;
    for (unsigned i = 0; i < d->run->workers; i++)
        reap_program(d, &d->slots[i]);
    kill_late(d);
}

static void
run_all(struct dispatch *d, const sigset_t *signals)
{
    fill_slots(d);
    while ((d->running || d->next < d->n_todo) && !d->run->interrupted &&
           !d->lost) {
        wait_for_change(d, signals, TICK_ms);
        if (!d->run->interrupted)
            fill_slots(d);
    }
    kill_all(d, SIGTERM);
    d->killed = true;
    double end = clock_now_s() + (double)PATIENCE_ms / 1000;
    while (d->running) {
        wait_for_change(d, signals, TICK_ms);
        if (clock_now_s() > end)
            kill_all(d, SIGKILL);
    }
}

/* Whether the run has a point with this prefix of a key, as --list shows them. */
static bool
has_key(const struct sweep_run *run, const char *key)
{
    size_t n = run->only ? strlen(run->only) : 0;
    return !run->only ||
           (n >= SWEEP_KEY_SHOWN && strncmp(key, run->only, n) == 0);
}

static void
list_points(struct dispatch *d, const struct sweep_points *points)
{
    struct arena *a = d->store->arena;
    struct map seen = { 0 }; /* keys: several points may be the same device */
    d->todo = arena_new(a, const struct sweep_point *, points->n + 1);
    for (size_t i = 0; i < points->n; i++) {
        const char *key = points->at[i].key;
        void **known = map_put(a, &seen, key, strlen(key));
        if (!*known && has_key(d->run, key))
            d->todo[d->n_todo++] = &points->at[i];
        *known = &points->at[i];
    }
    assert(d->n_todo <= points->n);
    d->run->points = d->n_todo;
}

static void
make_slots(struct dispatch *d)
{
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    struct sweep_run *run = d->run;
    run->workers = run->jobs ? run->jobs : cpus > 0 ? (unsigned)cpus : 1;
    if (run->workers > JOBS_MAX)
        run->workers = JOBS_MAX;
    assert(run->workers > 0);
    d->slots = arena_new(d->store->arena, struct slot, run->workers);
    for (unsigned i = 0; i < run->workers; i++)
        name_files(d, &d->slots[i], i);
}

static void
remove_files(const struct dispatch *d)
{
    for (unsigned i = 0; i < d->run->workers; i++) {
        assert(!d->slots[i].pid && "a running program would still write");
        unlink(d->slots[i].out);
        unlink(d->slots[i].err);
        unlink(d->slots[i].json);
        free((void *)(uintptr_t)d->slots[i].command);
    }
}

bool
sweep_dispatch(const struct sweep_plan *plan, const struct sweep_points *points,
               struct store *store, struct sweep_run *run,
               struct diag_sink *sink)
{
    struct dispatch d = {
        .plan = plan, .store = store, .run = run, .sink = sink
    };
    sigset_t signals, before;
    struct rusage own;
    double began = clock_now_s();
    list_points(&d, points);
    make_slots(&d);
    sigemptyset(&signals);
    sigaddset(&signals, SIGCHLD);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    sigprocmask(SIG_BLOCK, &signals, &before);
    run_all(&d, &signals);
    sigprocmask(SIG_SETMASK, &before, NULL);
    remove_files(&d);
    run->seconds = clock_now_s() - began;
    run->busy /= run->workers * run->seconds;
    getrusage(RUSAGE_SELF, &own);
    run->own_cpu_seconds = seconds_of(&own);
    return !d.lost;
}

void
sweep_count(const struct sweep_points *points, struct store *store,
            struct sweep_run *run)
{
    struct dispatch d = { .store = store, .run = run };
    list_points(&d, points);
    for (size_t i = 0; i < d.n_todo; i++) {
        enum store_state state = store_state(store, d.todo[i]->key);
        run->kept += state != STORE_NONE;
        run->failed += state == STORE_FAILED;
    }
}
