/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/*
 * The harness of the C tests.  A test is a file:
 *
 *     #include "test.h"
 *     TEST(addition_wraps)
 *     {
 *         CHECK(2 + 2 > 3);
 *         CHECK_EQ(2 + 2, 4);        both sides are printed if they differ
 *         CHECK_STR(name, "main");
 *     }
 *     TEST_MAIN
 *
 * The program runs all tests, or those named on its command line.  A failed
 * check is printed and the test goes on.
 */
struct test {
    const char *name;
    void (*run)(void);
    struct test *next;
};

static struct test *test_first, **test_end = &test_first;
static unsigned test_failures; /* of the test that runs */

#define TEST(name)                                                      \
    static void name(void);                                             \
    __attribute__((constructor)) static void test_register_##name(void) \
    {                                                                   \
        static struct test self = { #name, name, NULL };                \
        *test_end = &self;                                              \
        test_end = &self.next;                                          \
    }                                                                   \
    static void name(void)

#define CHECK(x) test_check((x), __FILE__, __LINE__, #x)
#define CHECK_EQ(a, b) \
    test_check_eq((long long)(a), (long long)(b), __FILE__, __LINE__, #a, #b)
#define CHECK_STR(a, b) test_check_str((a), (b), __FILE__, __LINE__, #a, #b)

static inline bool
test_check(bool ok, const char *file, int line, const char *what)
{
    if (!ok) {
        printf("%s:%d: failed: %s\n", file, line, what);
        test_failures++;
    }
    return ok;
}

static inline bool
test_check_eq(long long a, long long b, const char *file, int line,
              const char *a_text, const char *b_text)
{
    if (a == b)
        return true;
    printf("%s:%d: failed: %s == %s\n", file, line, a_text, b_text);
    printf("  left:  %lld (0x%llx)\n  right: %lld (0x%llx)\n", a,
           (unsigned long long)a, b, (unsigned long long)b);
    test_failures++;
    return false;
}

static inline bool
test_check_str(const char *a, const char *b, const char *file, int line,
               const char *a_text, const char *b_text)
{
    if (a && b && strcmp(a, b) == 0)
        return true;
    printf("%s:%d: failed: %s == %s\n", file, line, a_text, b_text);
    printf("  left:  %s\n  right: %s\n", a ? a : "NULL", b ? b : "NULL");
    test_failures++;
    return false;
}

static inline bool
test_is_named(const struct test *t, int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], t->name) == 0)
            return true;
    return argc < 2;
}

/* Fails as well if nothing ran: a misspelled name must not look like success. */
static inline int
test_main(int argc, char **argv)
{
    unsigned passed = 0, failed = 0;
    for (struct test *t = test_first; t; t = t->next) {
        if (!test_is_named(t, argc, argv))
            continue;
        test_failures = 0;
        t->run();
        printf("%s %s\n", test_failures ? "FAIL" : "ok  ", t->name);
        if (test_failures)
            failed++;
        else
            passed++;
    }
    printf("%u passed, %u failed\n", passed, failed);
    return failed || !passed;
}

/*
 * May a child of fork() allocate memory, or begin threads, if other threads of its
 * parent allocate at that moment?  Under gcc's ASan it waits for ever for a lock of
 * the allocator that such a thread had; clang's takes these locks around fork().
 */
#if defined __SANITIZE_ADDRESS__ && !defined __clang__
enum { TEST_FORKS = false };
#else
enum { TEST_FORKS = true };
#endif

/* The end of a test that could not run: ctest counts 77 as skipped, and
 * scripts/skipped prints the last line. */
static inline int
test_skipped(const char *reason)
{
    printf("%s\n", reason);
    return 77;
}

#define TEST_MAIN                     \
    int main(int argc, char **argv)   \
    {                                 \
        return test_main(argc, argv); \
    }

/* For a file whose tests fork beside threads that allocate. */
#define TEST_MAIN_THAT_FORKS                                                   \
    int main(int argc, char **argv)                                            \
    {                                                                          \
        return TEST_FORKS ? test_main(argc, argv)                              \
                          : test_skipped("gcc's AddressSanitizer: a child of " \
                                         "fork() may wait for its allocator"); \
    }
