/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "base/scratch.h"

#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

struct place {
    struct arena arena;
    struct diag_sink sink;
    char folder[64];
};

static void
enter(struct place *p)
{
    *p = (struct place){ .folder = "/tmp/ventus-test-XXXXXX" };
    p->sink.arena = &p->arena;
    CHECK(mkdtemp(p->folder) != NULL);
    setenv("TMPDIR", p->folder, 1);
}

/* Nothing may be left. */
static void
leave(struct place *p)
{
    CHECK(rmdir(p->folder) == 0);
    arena_free(&p->arena);
}

static bool
exists(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0;
}

static void
fill(struct place *p, const char *path)
{
    const char *inner = arena_printf(&p->arena, "%s/include", path);
    CHECK(mkdir(inner, 0700) == 0);
    int fd = open(arena_printf(&p->arena, "%s/a.h", inner), O_CREAT | O_WRONLY,
                  0600);
    CHECK(fd >= 0 && close(fd) == 0);
}

TEST(is_removed_with_all_in_it)
{
    struct place p;
    struct scratch s;
    enter(&p);
    CHECK(scratch_open(&s, &p.arena, &p.sink));
    CHECK(exists(s.path));
    fill(&p, s.path);
    scratch_close(&s);
    leave(&p);
}

/* The folder of an owner that is killed, as it is then. */
static const char *
leave_one(struct place *p)
{
    struct scratch s;
    int pipes[2], status;
    char path[128] = "";
    CHECK(pipe(pipes) == 0);
    pid_t child = fork();
    if (child == 0) {
        if (!scratch_open(&s, &p->arena, &p->sink))
            _exit(1);
        fill(p, s.path);
        if (write(pipes[1], s.path, strlen(s.path)) > 0)
            raise(SIGKILL);
        _exit(1);
    }
    CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
    CHECK(read(pipes[0], path, sizeof path - 1) > 0 && exists(path));
    close(pipes[0]);
    close(pipes[1]);
    return arena_strndup(&p->arena, path, strlen(path));
}

TEST(of_a_killed_owner_is_removed)
{
    struct place p;
    struct scratch next;
    enter(&p);
    const char *path = leave_one(&p);
    CHECK(scratch_open(&next, &p.arena, &p.sink));
    CHECK(!exists(path) && exists(next.path));
    scratch_close(&next);
    leave(&p);
}

TEST(of_a_living_owner_stays)
{
    struct place p;
    struct scratch first, second;
    enter(&p);
    CHECK(scratch_open(&first, &p.arena, &p.sink));
    CHECK(scratch_open(&second, &p.arena, &p.sink));
    CHECK(exists(first.path) && strcmp(first.path, second.path) != 0);
    scratch_close(&first);
    CHECK(exists(second.path));
    scratch_close(&second);
    leave(&p);
}

/* Many processes at once, each of which takes the common folder away. */
TEST(many_owners_at_once)
{
    enum { OWNERS = 4, TIMES = 25 };
    struct place p;
    enter(&p);
    for (int i = 0; i < OWNERS; i++) {
        if (fork() != 0)
            continue;
        for (int k = 0; k < TIMES; k++) {
            struct scratch s;
            if (!scratch_open(&s, &p.arena, &p.sink) || !exists(s.path))
                _exit(1);
            scratch_close(&s);
        }
        _exit(0);
    }
    for (int i = 0; i < OWNERS; i++) {
        int status;
        CHECK(wait(&status) > 0);
        CHECK_EQ(status, 0);
    }
    leave(&p);
}

/* Whatever has the name, of whomever: it is neither used nor removed. */
static void
check_taken(void (*take)(const char *path))
{
    struct place p;
    struct scratch s;
    struct stat st;
    enter(&p);
    const char *taken = arena_printf(&p.arena, "%s/ventus-%lu", p.folder,
                                     (unsigned long)geteuid());
    take(taken);
    CHECK(scratch_open(&s, &p.arena, &p.sink));
    CHECK(strcmp(s.parent, taken) != 0);
    CHECK(lstat(s.parent, &st) == 0 && (st.st_mode & 0777) == 0700);
    CHECK(strncmp(s.path, s.parent, strlen(s.parent)) == 0);
    fill(&p, s.path);
    scratch_close(&s);
    CHECK(!exists(s.parent) && exists(taken));
    CHECK(remove(taken) == 0);
    leave(&p);
}

static void
take_open_folder(const char *path)
{
    CHECK(mkdir(path, 0700) == 0 && chmod(path, 0777) == 0);
}

static void
take_file(const char *path)
{
    int fd = open(path, O_CREAT | O_WRONLY, 0600);
    CHECK(fd >= 0 && close(fd) == 0);
}

static void
take_link(const char *path)
{
    CHECK(symlink("/", path) == 0);
}

static void
take_folder_of_another(const char *path)
{
    CHECK(mkdir(path, 0700) == 0);
    if (geteuid() == 0)
        CHECK(chown(path, 1, 1) == 0);
    else
        CHECK(chmod(path, 0755) == 0);
}

TEST(what_others_have_taken_is_left_alone)
{
    check_taken(take_open_folder);
    check_taken(take_file);
    check_taken(take_link);
    check_taken(take_folder_of_another);
}

/* Those of the living stay; all that are left are removed. */
TEST(of_a_killed_owner_where_others_have_the_name)
{
    struct place p;
    struct scratch living, next;
    enter(&p);
    const char *taken = arena_printf(&p.arena, "%s/ventus-%lu", p.folder,
                                     (unsigned long)geteuid());
    take_open_folder(taken);
    CHECK(scratch_open(&living, &p.arena, &p.sink));
    const char *left = leave_one(&p);
    CHECK(scratch_open(&next, &p.arena, &p.sink));
    CHECK(!exists(left) && exists(living.path) && exists(next.path));
    *strrchr((char *)(uintptr_t)left, '/') = 0;
    CHECK(!exists(left));
    scratch_close(&living);
    scratch_close(&next);
    CHECK(remove(taken) == 0);
    leave(&p);
}

TEST(folder_that_is_not_there)
{
    struct place p;
    struct scratch s;
    enter(&p);
    setenv("TMPDIR", "/nowhere", 1);
    CHECK(!scratch_open(&s, &p.arena, &p.sink));
    CHECK(strstr(p.sink.first->message, "/nowhere") != NULL);
    leave(&p);
}

TEST_MAIN
