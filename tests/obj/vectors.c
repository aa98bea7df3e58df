/* SPDX-License-Identifier: Apache-2.0 */
/* All cases in VENTUS_SHARED/vectors; skipped if they are not there.  In the environment
 * VENTUS_VECTORS is another folder, of VENTUS_CASES cases. */
#include <glob.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "obj/upstream.h"
#include "test.h"

#define VECTORS VENTUS_SHARED "/vectors"

static const struct upstream_buffer *
buffer_at(const struct upstream_case *c, uint64_t address)
{
    for (size_t i = 0; i < c->n_buffers; i++)
        if (c->buffers[i].base == address)
            return &c->buffers[i];
    return NULL;
}

static uint32_t
word_of(const struct upstream_buffer *b, unsigned i)
{
    uint32_t x = 0;
    for (unsigned k = 0; k < 4; k++)
        x |= (uint32_t)b->contents[i * 4 + k] << 8 * k;
    return x;
}

/* What the driver stored for CSR_KNL must agree with the launch. */
static void
check_case(const char *path)
{
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    struct upstream_case c;
    if (!CHECK(upstream_read(&a, path, &c, &sink)))
        diag_print(&sink, stdout, false);
    CHECK_EQ(c.start_addr, 0x80000000);
    const struct upstream_buffer *knl = buffer_at(&c, c.metadata_base);
    const struct upstream_buffer *text = buffer_at(&c, c.start_addr);
    if (CHECK(knl && text && knl->size_B == 64 && text->size_B >= 64)) {
        uint32_t entry = word_of(knl, 0);
        CHECK(entry > c.start_addr && entry < c.start_addr + text->size_B);
        CHECK(buffer_at(&c, word_of(knl, 1)) != NULL);
        uint64_t threads = 1, global = 1;
        for (unsigned i = 0; i < 3; i++) {
            threads *= word_of(knl, 6 + i);
            global *= word_of(knl, 3 + i);
        }
        CHECK(threads <= c.wf_size * c.wg_size);
        CHECK_EQ(global, threads * c.kernel_size[0] * c.kernel_size[1] *
                             c.kernel_size[2]);
    }
    arena_free(&a);
}

static unsigned
check_all(const char *pattern)
{
    glob_t found;
    unsigned n = 0;
    if (glob(pattern, 0, NULL, &found) != 0)
        return 0;
    for (size_t i = 0; i < found.gl_pathc; i++, n++)
        check_case(found.gl_pathv[i]);
    globfree(&found);
    return n;
}

TEST(every_case)
{
    const char *folder = getenv("VENTUS_VECTORS"), *n = getenv("VENTUS_CASES");
    char pattern[4096];
    snprintf(pattern, sizeof pattern, "%s/*/*.metadata",
             folder ? folder : VECTORS);
    CHECK_EQ(check_all(pattern), n ? atoi(n) : 14);
}

/* By hand: c[i] = a[i] + b[i], 32 work-groups of 4 warps of 8. */
TEST(vecadd)
{
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    struct upstream_case c;
    CHECK(upstream_read(&a, VECTORS "/vecadd_32b4w8t/vecadd_32b4w8t.metadata",
                        &c, &sink));
    CHECK_EQ(c.kernel_size[0], 32);
    CHECK_EQ(c.wg_size, 4);
    CHECK_EQ(c.wf_size, 8);
    CHECK_EQ(c.n_buffers, 7);
    CHECK_EQ(c.buffers[0].size_B, 0x1000);
    CHECK_EQ(c.buffers[4].base, 0x80000000);
    CHECK_EQ(c.buffers[4].alloc_size_B, 0x10000000);
    arena_free(&a);
}

int
main(int argc, char **argv)
{
    struct stat st;
    if (!getenv("VENTUS_VECTORS") && stat(VECTORS, &st) != 0) {
        printf("skipped: no %s\n", VECTORS);
        return 77;
    }
    return test_main(argc, argv);
}
