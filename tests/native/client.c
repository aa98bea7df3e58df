/* SPDX-License-Identifier: Apache-2.0 */
/* The client of ventus-native in applications that wait for children, fork, close files, or
 * end early. */
#define _GNU_SOURCE /* close_range */
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "native/client.h"

/* A page with one instruction, which does nothing. */
static struct native_request *
request(void)
{
    struct native_request *r = calloc(1, sizeof *r + sizeof r->op[0]);
    *r = (struct native_request){ .magic = NATIVE_MAGIC,
                                  .layout = native_layout(),
                                  .base = 0x80000000,
                                  .lanes = 32,
                                  .n = 1 };
    r->op[0] = (struct native_op){
        .pc = r->base, .form = NATIVE_NOP, .words = 1, .leads = 1
    };
    return r;
}

struct answer {
    native_fn *run;
    void *image;
    const char *why;
};

static const struct sim_translator *
begin(struct native_client **c)
{
    const char *why;
    struct native_request *r = request();
    *c = native_client_open(0, &why);
    if (!*c) {
        printf("%s\n", why);
        exit(77);
    }
    const struct sim_translator *t = native_client_translator(*c);
    if (!CHECK(t->start(t->ctx, r, &why)))
        printf("%s\n", why);
    free(r);
    return t;
}

/* The answer is there, and is code. */
static void
finish(struct native_client *c, const struct sim_translator *t)
{
    struct answer a = { .run = NULL };
    CHECK(t->take(t->ctx, true, &a.run, &a.image, &a.why));
    if (CHECK(a.run))
        t->release(t->ctx, a.image);
    else
        printf("%s\n", a.why);
    native_client_close(c);
}

TEST(looking_does_not_wait)
{
    struct native_client *c;
    const struct sim_translator *t = begin(&c);
    struct answer a = { .run = NULL };
    while (!t->take(t->ctx, false, &a.run, &a.image, &a.why))
        poll(NULL, 0, 1);
    if (CHECK(a.run))
        t->release(t->ctx, a.image);
    native_client_close(c);
}

static volatile sig_atomic_t children_ended;

static void
count_child(int number)
{
    (void)number;
    children_ended++;
}

TEST(the_application_has_no_child)
{
    struct native_client *c;
    struct sigaction count = { .sa_handler = count_child }, before;
    sigaction(SIGCHLD, &count, &before);
    const struct sim_translator *t = begin(&c);
    CHECK(waitpid(-1, NULL, __WALL) < 0 && errno == ECHILD);
    finish(c, t);
    CHECK(waitpid(-1, NULL, __WALL) < 0 && errno == ECHILD);
    CHECK_EQ(children_ended, 0);
    sigaction(SIGCHLD, &before, NULL);
}

/* The first process of a container, too, adopts orphans. */
TEST(an_application_that_adopts_orphans_has_no_zombie)
{
    struct native_client *c;
    CHECK_EQ(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    const struct sim_translator *t = begin(&c);
    finish(c, t);
    CHECK(waitpid(-1, NULL, 0) < 0 && errno == ECHILD);
    t = begin(&c);
    (void)t;
    native_client_close(c);
    CHECK(waitpid(-1, NULL, 0) < 0 && errno == ECHILD);
    prctl(PR_SET_CHILD_SUBREAPER, 0);
}

/* Runs a part of a test in a process of its own; its exit status. */
static int
in_child(int (*part)(void))
{
    int status = -1;
    pid_t child = fork();
    if (!child)
        _exit(part());
    CHECK_EQ(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int
close_and_open(void)
{
    struct native_client *c;
    struct answer a = { .run = NULL };
    const struct sim_translator *t = begin(&c);
    close_range(3, ~0U, 0);
    int ours[8];
    for (int i = 0; i < 8; i++)
        ours[i] = open("/dev/zero", O_RDONLY);
    bool there = t->take(t->ctx, true, &a.run, &a.image, &a.why);
    native_client_close(c);
    for (int i = 0; i < 8; i++)
        if (fcntl(ours[i], F_GETFD) < 0)
            return 2;
    return there && !a.run && a.why ? 0 : 1;
}

TEST(files_that_have_its_descriptors_stay_open)
{
    CHECK_EQ(in_child(close_and_open), 0);
}

static int
without_standard_files(void)
{
    struct native_client *c;
    struct answer a = { .run = NULL };
    close_range(0, 2, 0);
    const struct sim_translator *t = begin(&c);
    for (int i = 0; i < 3; i++)
        if (fcntl(i, F_GETFD) >= 0)
            return 2;
    bool there = t->take(t->ctx, true, &a.run, &a.image, &a.why);
    return there && a.run ? 0 : 1;
}

TEST(standard_files_may_be_closed)
{
    CHECK_EQ(in_child(without_standard_files), 0);
}

static int
without_descriptors(void)
{
    const struct rlimit few = { 5, 5 };
    const char *why;
    struct native_request *r = request();
    struct native_client *c = native_client_open(0, &why);
    close_range(3, ~0U, 0);
    setrlimit(RLIMIT_NOFILE, &few);
    const struct sim_translator *t = native_client_translator(c);
    bool started = t->start(t->ctx, r, &why);
    native_client_close(c);
    free(r);
    return started || fcntl(3, F_GETFD) >= 0 || fcntl(4, F_GETFD) >= 0;
}

TEST(without_descriptors_it_is_not_started)
{
    CHECK_EQ(in_child(without_descriptors), 0);
}

static int
end_at_once(void)
{
    struct native_client *c;
    begin(&c);
    return 0;
}

/* Adopted, the program can be waited for here. */
TEST(the_program_ends_with_the_application)
{
    int status = 0;
    CHECK_EQ(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    CHECK_EQ(in_child(end_at_once), 0);
    CHECK(waitpid(-1, &status, 0) > 0);
    CHECK(WIFSIGNALED(status) ? WTERMSIG(status) == SIGIO
                              : WEXITSTATUS(status) == 1);
    prctl(PR_SET_CHILD_SUBREAPER, 0);
}

TEST(a_forked_child_has_no_part_in_it)
{
    struct native_client *c;
    int status;
    const struct sim_translator *t = begin(&c);
    pid_t child = fork();
    if (!child) {
        struct answer a = { .run = NULL };
        bool there = t->take(t->ctx, true, &a.run, &a.image, &a.why);
        native_client_close(c);
        _exit(there && !a.run && a.why ? 0 : 1);
    }
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
    finish(c, t);
}

TEST_MAIN
