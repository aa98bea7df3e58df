/* SPDX-License-Identifier: Apache-2.0 */
#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

static bool
is_zero(const char *at, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (at[i])
            return false;
    return true;
}

TEST(every_alignment_holds)
{
    struct arena a = { 0 };
    for (size_t align = 1; align <= 4096; align *= 2) {
        char *odd = arena_alloc(&a, 1, 1, 1);
        char *at = arena_alloc(&a, 3, align, align);
        CHECK_EQ((uintptr_t)at % align, 0);
        CHECK(at != odd);
        memset(at, 0xff, 3 * align);
    }
    arena_free(&a);
}

TEST(pieces_do_not_overlap)
{
    enum { N = 2000 };
    struct arena a = { 0 };
    unsigned char *piece[N];
    for (unsigned i = 0; i < N; i++) {
        piece[i] = arena_alloc(&a, i % 97, 1, 1);
        memset(piece[i], (int)(i & 0xff), i % 97);
    }
    unsigned bad = 0;
    for (unsigned i = 0; i < N; i++)
        for (unsigned k = 0; k < i % 97; k++)
            bad += piece[i][k] != (i & 0xff);
    CHECK_EQ(bad, 0);
    arena_free(&a);
}

TEST(reused_memory_is_zero_again)
{
    struct arena a = { 0 };
    memset(arena_new(&a, char, 100), 1, 100);
    struct arena_mark mark = arena_mark(&a);
    for (size_t n = 1; n < 300000; n *= 3) {
        char *at = arena_new(&a, char, n);
        CHECK(is_zero(at, n));
        memset(at, 0xff, n);
        arena_reset(&a, mark);
    }
    arena_free(&a);
}

TEST(reset_keeps_what_is_older_than_the_mark)
{
    struct arena a = { 0 };
    char *old = arena_printf(&a, "%s.%d", "old", 1);
    struct arena_mark outer = arena_mark(&a);
    arena_new(&a, char, 1 << 20);
    char *middle = arena_strndup(&a, "middle", 6);
    struct arena_mark inner = arena_mark(&a);
    arena_new(&a, long, 100000);
    arena_reset(&a, inner);
    CHECK_STR(middle, "middle");
    char *next = arena_new(&a, char, 1);
    arena_reset(&a, inner);
    CHECK(arena_new(&a, char, 1) == next);
    arena_reset(&a, outer);
    CHECK_STR(old, "old.1");
    arena_free(&a);
}

TEST(reset_to_an_empty_arena)
{
    struct arena a = { 0 };
    struct arena_mark start = arena_mark(&a);
    arena_new(&a, int, 10);
    arena_reset(&a, start);
    CHECK(a.last == NULL);
    CHECK_STR(arena_strndup(&a, "again", 5), "again");
    arena_free(&a);
}

TEST(free_leaves_a_usable_arena)
{
    struct arena a = { 0 };
    arena_free(&a);
    arena_new(&a, int, 10);
    arena_free(&a);
    CHECK(arena_new(&a, int, 10) != NULL);
    arena_free(&a);
}

TEST(nothing_has_an_address_too)
{
    struct arena a = { 0 };
    CHECK(arena_new(&a, int, 0) != NULL);
    CHECK_STR(arena_strndup(&a, NULL, 0), "");
    CHECK_STR(arena_strndup(&a, "abc", 2), "ab");
    CHECK_STR(arena_printf(&a, "%s", ""), "");
    arena_free(&a);
}

/* The exit status of a child that allocates count x size bytes. */
static int
status_of_alloc(size_t count, size_t size)
{
    pid_t child = fork();
    if (child == 0) {
        struct arena a = { 0 };
        fclose(stderr);
        arena_alloc(&a, count, size, 1);
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(overflow_ends_the_program)
{
    fflush(stdout);
    CHECK_EQ(status_of_alloc(10, 10), 0);
    CHECK_EQ(status_of_alloc(SIZE_MAX / 8 + 2, 8), EXIT_FAILURE);
    CHECK_EQ(status_of_alloc(SIZE_MAX, 1), EXIT_FAILURE);
    CHECK_EQ(status_of_alloc((size_t)1 << 32, (size_t)1 << 32), EXIT_FAILURE);
}

TEST_MAIN
