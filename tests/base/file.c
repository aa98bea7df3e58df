/* SPDX-License-Identifier: Apache-2.0 */
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"

/* A folder for one test, which makes it the current one. */
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
    CHECK(chdir(p->folder) == 0);
}

/* Removes the files in the folder; returns how many there were. */
static unsigned
leave(struct place *p)
{
    unsigned n = 0;
    DIR *dir = opendir(".");
    for (struct dirent *e; (e = readdir(dir));)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) {
            remove(e->d_name);
            n++;
        }
    closedir(dir);
    CHECK(chdir("/") == 0 && rmdir(p->folder) == 0);
    arena_free(&p->arena);
    return n;
}

static bool
file_holds(struct place *p, const char *path, const char *text)
{
    size_t size = 0;
    uint8_t *bytes = file_read(&p->arena, path, &size, &p->sink);
    return bytes && size == strlen(text) && bytes[size] == 0 &&
           memcmp(bytes, text, size) == 0;
}

static mode_t
mode_of(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 ? st.st_mode & 07777 : 0;
}

TEST(written_is_read)
{
    struct place p;
    enter(&p);
    CHECK(file_write("a", "one\n", 4, &p.sink));
    CHECK(file_holds(&p, "a", "one\n"));
    CHECK(file_write("a", "two", 3, &p.sink));
    CHECK(file_holds(&p, "a", "two"));
    CHECK(file_write("a", NULL, 0, &p.sink));
    CHECK(file_holds(&p, "a", ""));
    CHECK_EQ(p.sink.errors, 0);
    CHECK_EQ(leave(&p), 1);
}

TEST(large_file)
{
    struct place p;
    enter(&p);
    size_t n = 1000003, size = 0;
    char *bytes = arena_new(&p.arena, char, n);
    for (size_t i = 0; i < n; i++)
        bytes[i] = (char)(i * 7);
    CHECK(file_write("large", bytes, n, &p.sink));
    uint8_t *back = file_read(&p.arena, "large", &size, &p.sink);
    CHECK_EQ(size, n);
    CHECK(back && memcmp(back, bytes, n) == 0);
    CHECK_EQ(leave(&p), 1);
}

TEST(mode_is_kept)
{
    struct place p;
    enter(&p);
    mode_t mask = umask(027);
    CHECK(file_write("new", "x", 1, &p.sink));
    CHECK_EQ(mode_of("new"), 0640);
    CHECK(chmod("new", 0751) == 0);
    CHECK(file_write("new", "y", 1, &p.sink));
    CHECK_EQ(mode_of("new"), 0751);
    umask(mask);
    CHECK_EQ(leave(&p), 1);
}

/* Who has the old file open goes on reading the old contents. */
TEST(readers_see_old_or_new)
{
    struct place p;
    enter(&p);
    char old[4] = "";
    CHECK(file_write("a", "old", 3, &p.sink));
    FILE *reader = fopen("a", "r");
    CHECK(file_write("a", "new", 3, &p.sink));
    CHECK_EQ(fread(old, 1, 3, reader), 3);
    CHECK_STR(old, "old");
    fclose(reader);
    CHECK(file_holds(&p, "a", "new"));
    CHECK_EQ(leave(&p), 1);
}

TEST(link_stays_a_link)
{
    struct place p;
    enter(&p);
    struct stat st;
    CHECK(file_write("target", "old", 3, &p.sink));
    CHECK(symlink("target", "link") == 0);
    CHECK(file_write("link", "new", 3, &p.sink));
    CHECK(lstat("link", &st) == 0 && S_ISLNK(st.st_mode));
    CHECK(file_holds(&p, "target", "new"));
    CHECK_EQ(leave(&p), 2);
}

TEST(devices_are_written_in_place)
{
    struct place p;
    enter(&p);
    struct stat st;
    CHECK(file_write("/dev/null", "x", 1, &p.sink));
    CHECK(stat("/dev/null", &st) == 0 && S_ISCHR(st.st_mode));
    CHECK_EQ(leave(&p), 0);
}

TEST(failures_leave_nothing_behind)
{
    struct place p;
    enter(&p);
    CHECK(!file_write("none/a", "x", 1, &p.sink));
    CHECK(!file_write(".", "x", 1, &p.sink)); /* a folder */
    char long_name[400];
    memset(long_name, 'n', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = 0;
    CHECK(!file_write(long_name, "x", 1, &p.sink)); /* rename fails */
    CHECK(!file_write("/dev/full", "x", 1, &p.sink));
    CHECK_EQ(p.sink.errors, 4);
    CHECK_STR(p.sink.first->file, "none/a");
    CHECK_STR(p.sink.first->message, "cannot write: No such file or directory");
    CHECK_EQ(leave(&p), 0);
}

TEST(one_file_by_two_paths)
{
    struct place p;
    enter(&p);
    CHECK(mkdir("in", 0700) == 0);
    CHECK(file_is_same("a", "./a") && file_is_same("in/a", "in/../in/a"));
    CHECK(!file_is_same("a", "in/a") && !file_is_same("a", "b"));
    CHECK(!file_is_same("none/a", "none/a")); /* cannot be written */
    CHECK(!file_is_same("-", "-") && !file_is_same("-", "a"));
    CHECK(!file_is_same("/dev/null", "/dev/null"));
    CHECK(file_write("a", "x", 1, &p.sink) && symlink("../a", "in/b") == 0);
    CHECK(file_is_same("a", "a") && file_is_same("in/b", "a"));
    CHECK(!file_is_same("a", "c") && !file_is_same("in/c", "a"));
    CHECK(unlink("in/b") == 0 && rmdir("in") == 0 && unlink("a") == 0);
    CHECK_EQ(leave(&p), 0);
}

TEST(unreadable)
{
    struct place p;
    enter(&p);
    size_t size;
    CHECK(file_read(&p.arena, "none", &size, &p.sink) == NULL);
    CHECK_STR(p.sink.last->message, "cannot read: No such file or directory");
    CHECK(file_read(&p.arena, ".", &size, &p.sink) == NULL);
    CHECK_STR(p.sink.last->message, "cannot read: Is a directory");
    CHECK_EQ(leave(&p), 0);
}

TEST_MAIN
