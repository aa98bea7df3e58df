/* SPDX-License-Identifier: Apache-2.0 */
#include "base/env.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

TEST(values)
{
    setenv("VENTUS_TEST", "x", 1);
    CHECK_STR(env_get("VENTUS_TEST"), "x");
    setenv("VENTUS_TEST", "", 1);
    CHECK(!env_get("VENTUS_TEST"));
    unsetenv("VENTUS_TEST");
    CHECK(!env_get("VENTUS_TEST"));
}

static bool
has(char *const *list, const char *start)
{
    for (; *list; list++)
        if (strncmp(*list, start, strlen(start)) == 0)
            return true;
    return false;
}

/* clang reads the first two, the loader the third. */
TEST(compiler_is_told_little)
{
    struct arena a = { 0 };
    setenv("CCC_OVERRIDE_OPTIONS", "+-v", 1);
    setenv("CPATH", "/", 1);
    setenv("LD_PRELOAD_NOT", "x", 1);
    setenv("VENTUS_LIB", "/lib/of/ventus", 1);
    char **list = env_of_compiler(&a);
    CHECK(has(list, "PATH="));
    CHECK(has(list, "VENTUS_LIB=/lib/of/ventus"));
    CHECK(!has(list, "CCC_"));
    CHECK(!has(list, "CPATH"));
    CHECK(!has(list, "LD_"));
    unsetenv("CPATH");
    unsetenv("CCC_OVERRIDE_OPTIONS");
    unsetenv("VENTUS_LIB");
    arena_free(&a);
}

/* The copy of this program that belongs to root says what it can read. */
static bool
is_probe(void)
{
    const char *name = getenv("VENTUS_PROBE");
    return name && strcmp(name, "1") == 0;
}

static int
probe(void)
{
    struct arena a = { 0 };
    if (geteuid() == getuid())
        return 77; /* the file system ignores the bit */
    bool trusted = env_get("VENTUS_CLANG") || env_get("TMPDIR") ||
                   has(env_of_compiler(&a), "VENTUS_CLANG") ||
                   !has(env_of_compiler(&a), "PATH=/usr/bin:/bin");
    arena_free(&a);
    return trusted;
}

static void
copy_self(const char *to)
{
    char buffer[65536];
    FILE *in = fopen("/proc/self/exe", "rb"), *out = fopen(to, "wb");
    CHECK(in && out);
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, in)) > 0;)
        CHECK_EQ(fwrite(buffer, 1, n, out), n);
    fclose(in);
    fclose(out);
    CHECK_EQ(chmod(to, 04755), 0);
}

/* A program of root's that another user starts told it which compiler. */
TEST(set_user_id_trusts_nothing)
{
    char folder[] = "/tmp/ventus-env-XXXXXX", copy[64];
    int status = 0;
    if (geteuid() != 0) {
        printf("     not root: no program can be given to it\n");
        return;
    }
    CHECK(mkdtemp(folder));
    CHECK_EQ(chmod(folder, 0755), 0);
    snprintf(copy, sizeof copy, "%s/probe", folder);
    copy_self(copy);
    setenv("VENTUS_PROBE", "1", 1);
    setenv("VENTUS_CLANG", "/bin/echo", 1);
    pid_t pid = fork();
    if (pid == 0) {
        if (setgid(65534) == 0 && setuid(65534) == 0)
            execl(copy, copy, (char *)NULL);
        _exit(99);
    }
    CHECK_EQ(waitpid(pid, &status, 0), pid);
    CHECK(WIFEXITED(status));
    if (WEXITSTATUS(status) == 77)
        printf("     set-user-ID programs do not work here\n");
    else
        CHECK_EQ(WEXITSTATUS(status), 0);
    unsetenv("VENTUS_PROBE");
    unsetenv("VENTUS_CLANG");
    CHECK_EQ(unlink(copy), 0);
    CHECK_EQ(rmdir(folder), 0);
}

int
main(int argc, char **argv)
{
    return is_probe() ? probe() : test_main(argc, argv);
}
