/* SPDX-License-Identifier: Apache-2.0 */
/* The client of ventus-native in applications that reap children, fork, or end early. */
#include "test.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
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

/* Another process may have its number then. */
TEST(an_application_reaps_it)
{
    struct native_client *c;
    const struct sim_translator *t = begin(&c);
    /* More than what the pipe holds would wait for its reader. */
    while (waitpid(-1, NULL, 0) < 0 && errno == EINTR)
        continue;
    finish(c, t);
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

TEST(the_program_ends_with_the_client)
{
    struct native_client *c;
    const struct sim_translator *t = begin(&c);
    (void)t;
    native_client_close(c);
    CHECK(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
}

TEST_MAIN
