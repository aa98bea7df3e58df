/* SPDX-License-Identifier: Apache-2.0 */
/* Devices with memory beyond 4 GiB (docs/abi.md, Memory map). */
#include <stdio.h>
#include <string.h>

#include <ventus/dev.h>

#include "test.h"

#define GIB (UINT64_C(1) << 30)

static struct ventus_dev *
open_device(const char *memory)
{
    const char *set[] = { "isa=v2", memory, "host_threads=1" };
    struct ventus_dev_options o = { .set = set, .n_set = 3 };
    return ventus_dev_open(&o);
}

/* The process has this much memory that was touched, in MiB. */
static long
resident_MiB(void)
{
    long pages = 0, all;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f && fscanf(f, "%ld %ld", &all, &pages) != 2)
        pages = 0;
    if (f)
        fclose(f);
    return pages / 256;
}

TEST(version_1_has_no_more_than_its_addresses_reach)
{
    const char *set[] = { "memory_size=2G" };
    struct ventus_dev_options o = { .set = set, .n_set = 1 };
    CHECK(!ventus_dev_open(&o));
    CHECK_STR(ventus_dev_message(),
              "memory_size: expected 1879044096 at most with isa = v1, found "
              "2147483648");
    set[0] = "memory_size=129G";
    CHECK(!ventus_dev_open(&o));
    CHECK(strstr(ventus_dev_message(), "memory_size is "));
}

TEST(buffers_of_a_device_with_little_memory_have_narrow_addresses)
{
    struct ventus_dev *d = open_device("memory_size=0x6ffff000");
    CHECK(d != NULL);
    CHECK_EQ(ventus_dev_alloc(d, 4096, 0), 0x90000000);
    ventus_dev_close(d);
}

TEST(wide_buffers_have_a_gap_behind_and_large_ones_are_aligned)
{
    struct ventus_dev *d = open_device("memory_size=64G");
    CHECK(d != NULL);
    uint64_t a = ventus_dev_alloc(d, 4097, 0);
    uint64_t b = ventus_dev_alloc(d, 6 * GIB + 1, 0);
    uint64_t c = ventus_dev_alloc(d, 1, 0);
    CHECK_EQ(a, 4 * GIB);
    CHECK_EQ(b, 4 * GIB + (2 << 20));
    CHECK_EQ(c, a + 0x3000); /* first fit: beside a, before b */
    CHECK(ventus_dev_free(d, b));
    CHECK_EQ(ventus_dev_alloc(d, 5 * GIB, 0), b);
    ventus_dev_close(d);
}

TEST(memory_takes_host_memory_where_it_is_touched)
{
    struct ventus_dev *d = open_device("memory_size=64G");
    CHECK(d != NULL);
    long before = resident_MiB();
    uint64_t a = ventus_dev_alloc(d, 60 * GIB, 0);
    CHECK(a != 0);
    uint32_t x = 7, y = 0;
    CHECK(ventus_dev_write(d, a + 60 * GIB - 4, &x, 4));
    CHECK(ventus_dev_read(d, a + 60 * GIB - 4, &y, 4));
    CHECK_EQ(y, 7);
    CHECK(!ventus_dev_read(d, a + 60 * GIB - 3, &y, 4));
    CHECK(resident_MiB() - before < 8);
    CHECK_EQ(ventus_dev_alloc(d, 5 * GIB, 0), 0);
    CHECK(strstr(ventus_dev_message(),
                 "no room for 5368709120 bytes: 64424509440 of 68719476736 "
                 "bytes are in use"));
    ventus_dev_close(d);
}

/* Tables are given back: small and large pages in turn at one address. */
TEST(tables_of_wide_addresses_are_used_again)
{
    struct ventus_dev *d = open_device("memory_size=8G");
    CHECK(d != NULL);
    struct ventus_dev_context *c = ventus_dev_context_new(d);
    uint64_t first = 0;
    for (int i = 0; i < 50000; i++) {
        uint64_t size = i % 2 ? 6 << 20 : 12288;
        uint64_t at = ventus_dev_alloc_in(c, size, 0);
        first = first ? first : at;
        CHECK_EQ(at, first);
        CHECK(ventus_dev_free(d, at));
    }
    CHECK(ventus_dev_alloc_in(c, 4096, 0) != 0);
    ventus_dev_context_free(c);
    ventus_dev_close(d);
}

int
main(int argc, char **argv)
{
    return test_main(argc, argv);
}
