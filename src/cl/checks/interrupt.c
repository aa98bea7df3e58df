/* SPDX-License-Identifier: Apache-2.0 */
/* Signals.  Few functions are permitted in a signal handler, so the handler posts a
 * semaphore.  The thread that waits for it stops the launches, waits until they are
 * reported, and ends the process.  A pipe would be a descriptor, which an application may
 * close, and have again as a file of its own. */
#include "cl/checks/interrupt.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/thread.h"
#include "cl/api.h"

enum { MAX_LAUNCHES = 64, STATUS = 128 + SIGINT };

static struct {
    pthread_once_t once;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct thread_handle thread;
    sem_t asked;
    pid_t pid; /* a forked child does not have the thread */
    bool open, stopped;
    struct ventus_dev_ticket *running[MAX_LAUNCHES];
    unsigned n;
} state = { .once = PTHREAD_ONCE_INIT,
            .lock = PTHREAD_MUTEX_INITIALIZER,
            .changed = PTHREAD_COND_INITIALIZER };

static void
on_signal(int number)
{
    if (getpid() != state.pid || sem_post(&state.asked) != 0)
        raise(number); /* the default action is restored */
}

static void
stop_when_asked(void *ctx)
{
    (void)ctx;
    while (sem_wait(&state.asked) != 0)
        ;
    pthread_mutex_lock(&state.lock);
    state.stopped = true;
    for (unsigned i = 0; i < state.n; i++)
        ventus_dev_stop(state.running[i]);
    while (state.n)
        pthread_cond_wait(&state.changed, &state.lock);
    pthread_mutex_unlock(&state.lock);
    exit(STATUS);
}

static void
open_once(void)
{
    struct sigaction now,
        ours = { .sa_handler = on_signal, .sa_flags = SA_RESETHAND };
    const char *wanted = cl_env("VENTUS_INTERRUPT");
    if (!wanted || strcmp(wanted, "1") != 0 || cl_env("VENTUS_GDB") ||
        sigaction(SIGINT, NULL, &now) != 0 || now.sa_handler != SIG_DFL ||
        sem_init(&state.asked, 0, 0) != 0)
        return;
    state.pid = getpid();
    if (!thread_start(&state.thread, stop_when_asked, NULL))
        return;
    state.open = sigaction(SIGINT, &ours, NULL) == 0;
}

void
interrupt_open(void)
{
    pthread_once(&state.once, open_once);
}

/* Adds a launch; false: the list is full, and the launch will not be stopped. */
static bool
add_launch(struct ventus_dev_ticket *t)
{
    pthread_mutex_lock(&state.lock);
    bool listed = state.n < MAX_LAUNCHES;
    if (listed)
        state.running[state.n++] = t;
    if (state.stopped)
        ventus_dev_stop(t);
    pthread_mutex_unlock(&state.lock);
    return listed;
}

/* Removes a launch; the lock is held. */
static void
remove_launch(struct ventus_dev_ticket *t)
{
    for (unsigned i = 0; i < state.n; i++)
        if (state.running[i] == t) {
            state.running[i] = state.running[--state.n];
            break;
        }
    pthread_cond_broadcast(&state.changed);
}

bool
interrupt_run(struct ventus_dev *d, const struct ventus_dev_launch *launch,
              struct ventus_dev_result *result)
{
    if (!state.open || getpid() != state.pid)
        return ventus_dev_run(d, launch, result);
    struct ventus_dev_ticket *t = ventus_dev_submit(d, launch);
    if (!t) {
        memset(result, 0, sizeof *result);
        strncpy(result->message, ventus_dev_message(),
                sizeof result->message - 1);
        return false;
    }
    bool listed = add_launch(t);
    bool ok = ventus_dev_wait(t, result);
    pthread_mutex_lock(&state.lock);
    /* A stopped launch stays in the list until interrupt_end. */
    if (listed && !state.stopped)
        remove_launch(t);
    bool kept = listed && state.stopped;
    pthread_mutex_unlock(&state.lock);
    if (!kept)
        ventus_dev_ticket_free(t);
    return ok;
}

void
interrupt_end(void)
{
    if (!state.open || getpid() != state.pid)
        return;
    pthread_mutex_lock(&state.lock);
    bool stopped = state.stopped;
    /* Any entry: only their number matters. */
    if (stopped && state.n)
        remove_launch(state.running[state.n - 1]);
    pthread_mutex_unlock(&state.lock);
    while (stopped)
        pause(); /* the other thread ends the process */
}
