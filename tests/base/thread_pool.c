/* SPDX-License-Identifier: Apache-2.0 */
/* The worker pool, on a host that has as many threads as the test says. */
#include "base/thread_pool.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

enum { MOST = 6 };

static unsigned threads_left = 1000, threads_made;

int
__real_pthread_create(pthread_t *id, const pthread_attr_t *attr,
                      void *(*run)(void *), void *ctx);

int
__wrap_pthread_create(pthread_t *id, const pthread_attr_t *attr,
                      void *(*run)(void *), void *ctx);

int
__wrap_pthread_create(pthread_t *id, const pthread_attr_t *attr,
                      void *(*run)(void *), void *ctx)
{
    if (!threads_left)
        return EAGAIN;
    threads_left--;
    threads_made++;
    return __real_pthread_create(id, attr, run, ctx);
}

struct job {
    pthread_barrier_t meet;
    bool meets; /* all workers wait for each other */
    atomic_uint calls[MOST];
    atomic_uint open_signals;
    pthread_t caller;
    bool first_is_caller;
};

static void
work(void *ctx, unsigned worker)
{
    struct job *j = ctx;
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    if (worker && (!sigismember(&mask, SIGINT) || !sigismember(&mask, SIGUSR1)))
        j->open_signals++;
    if (worker == 0)
        j->first_is_caller = pthread_equal(pthread_self(), j->caller);
    j->calls[worker]++;
    if (j->meets)
        pthread_barrier_wait(&j->meet);
}

/* A round in which all workers have to be there at once to get on. */
static void
meet(struct thread_pool *p, struct job *j, unsigned n)
{
    pthread_barrier_init(&j->meet, NULL, n);
    j->meets = true;
    j->caller = pthread_self();
    thread_pool_run(p, n, work, j);
    pthread_barrier_destroy(&j->meet);
}

TEST(workers_run_at_the_same_time_and_stay)
{
    static struct job j;
    struct thread_pool p;
    thread_pool_init(&p);
    threads_made = 0;
    for (unsigned n = 1; n <= MOST; n++) {
        CHECK_EQ(thread_pool_prepare(&p, n), n);
        meet(&p, &j, n);
    }
    CHECK_EQ(threads_made, MOST - 1);
    for (unsigned i = 0; i < MOST; i++)
        CHECK_EQ(j.calls[i], MOST - i);
    CHECK(j.first_is_caller);
    CHECK_EQ(j.open_signals, 0);
    thread_pool_free(&p);
}

/* Short rounds of different sizes: no worker misses one or has one twice. */
TEST(many_rounds)
{
    static struct job j;
    struct thread_pool p;
    unsigned expected[MOST] = { 0 };
    thread_pool_init(&p);
    for (unsigned round = 0; round < 3000; round++) {
        unsigned n = 1 + round * 7 % MOST;
        CHECK_EQ(thread_pool_prepare(&p, n), n);
        thread_pool_run(&p, n, work, &j);
        for (unsigned i = 0; i < n; i++)
            expected[i]++;
    }
    for (unsigned i = 0; i < MOST; i++)
        CHECK_EQ(j.calls[i], expected[i]);
    thread_pool_free(&p);
}

TEST(a_host_with_few_threads)
{
    static struct job j;
    struct thread_pool p;
    thread_pool_init(&p);
    threads_left = 2;
    CHECK_EQ(thread_pool_prepare(&p, MOST), 3);
    meet(&p, &j, 3);
    threads_left = 0;
    CHECK_EQ(thread_pool_prepare(&p, MOST), 3);
    meet(&p, &j, 3);
    threads_left = 1000;
    CHECK_EQ(thread_pool_prepare(&p, MOST), MOST);
    meet(&p, &j, MOST);
    CHECK_EQ(j.calls[2], 3);
    CHECK_EQ(j.calls[3], 1);
    thread_pool_free(&p);
}

TEST(a_child_of_fork_makes_its_own)
{
    static struct job j;
    struct thread_pool p;
    int status = 0;
    thread_pool_init(&p);
    CHECK_EQ(thread_pool_prepare(&p, 3), 3);
    meet(&p, &j, 3);
    pid_t child = fork();
    if (child == 0) {
        unsigned n = thread_pool_prepare(&p, 4);
        meet(&p, &j, n);
        thread_pool_free(&p);
        _exit(n == 4 && j.calls[3] == 1 ? 0 : 1);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    meet(&p, &j, 3);
    CHECK_EQ(j.calls[2], 2);
    thread_pool_free(&p);
}

TEST_MAIN
