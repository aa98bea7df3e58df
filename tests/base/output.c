/* SPDX-License-Identifier: Apache-2.0 */
#include "base/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

static char folder[64];

static void
enter(void)
{
    strcpy(folder, "/tmp/ventus-test-XXXXXX");
    CHECK(mkdtemp(folder) != NULL);
    CHECK(chdir(folder) == 0);
}

/* Removes the files in the folder; returns how many there were. */
static unsigned
leave(void)
{
    unsigned n = 0;
    DIR *dir = opendir(".");
    for (struct dirent *e; (e = readdir(dir));)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) {
            remove(e->d_name);
            n++;
        }
    closedir(dir);
    CHECK(chdir("/") == 0 && rmdir(folder) == 0);
    return n;
}

static bool
put(const char *path, const char *text, unsigned flags, bool keep)
{
    struct output o;
    return output_open(&o, path, flags) &&
           output_write(&o, text, strlen(text)) && output_close(&o, keep);
}

static bool
holds(const char *path, const char *text)
{
    char found[64] = "";
    FILE *in = fopen(path, "rb");
    size_t n = in ? fread(found, 1, sizeof found - 1, in) : 0;
    if (in)
        fclose(in);
    return in && n == strlen(text) && strcmp(found, text) == 0;
}

TEST(what_is_not_kept_is_the_old_file)
{
    static const unsigned all[] = { 0, OUTPUT_LONG, OUTPUT_PRIVATE,
                                    OUTPUT_PRIVATE | OUTPUT_LONG };
    enter();
    CHECK(put("a", "old", 0, true));
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
        CHECK(put("a", "new", all[i], false));
        CHECK(holds("a", "old"));
    }
    CHECK_EQ(leave(), 1);
}

TEST(a_stream_replaces_when_it_is_closed)
{
    enter();
    struct output o = { .is_open = false };
    CHECK(output_close(&o, true)); /* it is not open */
    CHECK(put("a", "old", 0, true));
    FILE *out = output_stream(&o, "a");
    CHECK(out && fputs("new", out) >= 0 && fflush(out) == 0);
    CHECK(holds("a", "old"));
    CHECK(output_close(&o, true));
    CHECK(holds("a", "new"));
    CHECK_EQ(leave(), 1);
}

/* As after SIGKILL, or an assertion of a simulated machine. */
TEST(a_killed_process_leaves_the_old_file)
{
    enter();
    CHECK(put("a", "old", 0, true));
    pid_t pid = fork();
    if (pid == 0) {
        struct output o;
        FILE *out = output_stream(&o, "a");
        if (out && fputs("new", out) >= 0 && fflush(out) == 0)
            raise(SIGKILL);
        _exit(1);
    }
    int status = 0;
    CHECK(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status));
    CHECK(holds("a", "old"));
    CHECK_EQ(leave(), 1);
}

/* As a disk that is full: the file may not grow above 4 bytes. */
TEST(a_file_that_does_not_fit_leaves_the_old_one)
{
    enter();
    struct rlimit old, four = { 4, 4 };
    CHECK(put("a", "old", 0, true));
    getrlimit(RLIMIT_FSIZE, &old);
    four.rlim_max = old.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &four);
    struct output o, stream;
    bool opened = output_open(&o, "a", 0);
    bool written = output_write(&o, "too long", 8);
    bool closed = output_close(&o, true);
    int why = errno;
    FILE *out = output_stream(&stream, "a");
    bool put_it = out && fputs("too long", out) >= 0;
    bool kept = output_close(&stream, true);
    int stream_why = errno;
    setrlimit(RLIMIT_FSIZE, &old);
    CHECK(opened && !written && !closed && put_it && !kept);
    CHECK_EQ(why, EFBIG);
    CHECK_EQ(stream_why, EFBIG);
    CHECK(holds("a", "old"));
    CHECK_EQ(leave(), 1);
}

/* Its reason was lost: an input/output error. */
TEST(a_stream_says_why_a_write_long_ago_failed)
{
    struct output o;
    FILE *out = output_stream(&o, "/dev/full");
    CHECK(out != NULL);
    for (int i = 0; out && i < 100000; i++)
        fputs("0123456789", out);
    errno = 0;
    CHECK(!output_close(&o, true));
    CHECK_EQ(errno, ENOSPC);
}

TEST(links_are_followed_to_what_is_or_will_be_there)
{
    enter();
    struct stat st;
    CHECK(mkdir("in", 0700) == 0);
    CHECK(symlink("in/b", "a") == 0 && symlink("../c", "in/b") == 0);
    for (int i = 0; i < 2; i++) { /* a new file, then one that is there */
        CHECK(put("a", i ? "two" : "one", 0, true));
        CHECK(holds("c", i ? "two" : "one"));
        CHECK(lstat("c", &st) == 0 && S_ISREG(st.st_mode));
        CHECK(lstat("in/b", &st) == 0 && S_ISLNK(st.st_mode));
    }
    CHECK(output_may_open("a"));
    CHECK(symlink("loop", "loop") == 0);
    CHECK(!put("loop", "x", 0, true));
    CHECK_EQ(errno, ELOOP);
    CHECK(!output_may_open("loop"));
    CHECK(unlink("in/b") == 0);
    CHECK_EQ(leave(), 4);
}

TEST(a_pipe_is_written_in_place)
{
    enter();
    struct stat st;
    char text[8] = "";
    CHECK(mkfifo("pipe", 0600) == 0 && symlink("pipe", "link") == 0);
    int end = open("pipe", O_RDWR);
    CHECK(output_may_open("link") && put("link", "text", 0, true));
    CHECK(read(end, text, sizeof text - 1) == 4);
    CHECK_STR(text, "text");
    CHECK(lstat("pipe", &st) == 0 && S_ISFIFO(st.st_mode));
    CHECK(lstat("link", &st) == 0 && S_ISLNK(st.st_mode));
    close(end);
    CHECK_EQ(leave(), 2);
}

/* `ventus dis -o /dev/stdout >> file` replaced the file, of which the shell kept the
 * old one. */
TEST(an_open_descriptor_is_written_in_place)
{
    enter();
    int fd = open("a", O_WRONLY | O_CREAT, 0600);
    struct stat before, after;
    char path[64];
    CHECK(write(fd, "one ", 4) == 4 && fstat(fd, &before) == 0);
    snprintf(path, sizeof path, "/dev/fd/%d", fd);
    CHECK(output_may_open(path) && put(path, "two ", 0, true));
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    CHECK(symlink(path, "link") == 0 && put("link", "three", 0, true));
    CHECK(stat("a", &after) == 0 && after.st_ino == before.st_ino);
    CHECK(holds("a", "one two three"));
    close(fd);
    CHECK_EQ(leave(), 2);
}

TEST(what_could_be_opened_is_known_before)
{
    enter();
    CHECK(output_may_open("new") && output_may_open("./new"));
    CHECK(output_may_open("-") && output_may_open("/dev/null"));
    CHECK(!output_may_open("none/new"));
    CHECK_EQ(errno, ENOENT);
    CHECK(!output_may_open("."));
    CHECK_EQ(errno, EISDIR);
    CHECK(!output_may_open(""));
    static char long_name[2 * PATH_MAX];
    memset(long_name, '/', sizeof long_name - 1);
    CHECK(!output_may_open(long_name));
    CHECK_EQ(errno, ENAMETOOLONG);
    CHECK_EQ(leave(), 0); /* nothing was made */
}

/* Root may write everywhere. */
TEST(what_may_not_be_written_is_refused)
{
    if (geteuid() == 0)
        return;
    enter();
    CHECK(put("a", "old", 0, true) && chmod("a", 0400) == 0);
    CHECK(!output_may_open("a"));
    CHECK(!put("a", "new", 0, true));
    CHECK_EQ(errno, EACCES);
    CHECK(mkdir("in", 0700) == 0 && put("in/a", "old", 0, true));
    CHECK(chmod("in", 0500) == 0);
    CHECK(!output_may_open("in/a") && !output_may_open("in/b"));
    CHECK(!put("in/a", "new", 0, true) && !put("in/b", "new", 0, true));
    CHECK(holds("in/a", "old") && holds("a", "old"));
    CHECK(chmod("in", 0700) == 0 && unlink("in/a") == 0);
    CHECK_EQ(leave(), 2);
}

TEST_MAIN
