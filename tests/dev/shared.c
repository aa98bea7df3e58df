/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that host and device address alike (docs/abi.md, Shared memory). */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "test.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <ventus/dev.h>

#include "base/file.h"

enum { PAGE = 4096, NODES = 100 };

struct node {
    struct node *next;
    uint32_t value, filler;
};

static struct arena arena;

static const char *const presets[] = { "ventus2", "chisel2" };

static struct ventus_dev *
open_device(const char *preset)
{
    struct ventus_dev *d =
        ventus_dev_open(&(struct ventus_dev_options){ .config = preset });
    if (!CHECK(d))
        puts(ventus_dev_message());
    return d;
}

static const struct ventus_dev_kernel *
load(struct ventus_dev_context *c, const char *kernel)
{
    struct diag_sink sink = { .arena = &arena };
    size_t size;
    uint8_t *elf = file_read(&arena, PROGRAMS "/shared.elf", &size, &sink);
    struct ventus_dev_program *p =
        ventus_dev_load_in(c, elf, size, "shared.elf");
    if (!CHECK(p))
        puts(ventus_dev_message());
    return ventus_dev_find(p, kernel);
}

static bool
run(struct ventus_dev *d, const struct ventus_dev_kernel *k, uint64_t items,
    const void *a, const void *b)
{
    struct ventus_dev_arg args[] = { ventus_dev_buffer((uintptr_t)a),
                                     ventus_dev_buffer((uintptr_t)b) };
    return ventus_dev_run(d,
                          &(struct ventus_dev_launch){
                              .kernel = k,
                              .work_dim = 1,
                              .global = { items },
                              .local = { items < 32 ? items : 32 },
                              .args = args,
                              .n_args = b ? 2 : 1,
                          },
                          NULL);
}

static void *
host_pages(size_t size, void *hint)
{
    void *at = mmap(hint, size, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return CHECK(at != MAP_FAILED) ? at : NULL;
}

/* Links the nodes in an order that is none of memory; the sum of values. */
static uint32_t
build_list(struct node *node)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < NODES; i++) {
        unsigned at = i * 37 % NODES;
        bool last = i == NODES - 1;
        node[at].value = i * i;
        node[at].next = last ? NULL : &node[(i + 1) * 37 % NODES];
        sum += i * i;
    }
    return sum;
}

static void
walk_on(const char *preset, void *hint)
{
    struct ventus_dev *d = open_device(preset);
    struct ventus_dev_context *c = ventus_dev_context_new(d);
    const struct ventus_dev_kernel *walk = load(c, "walk");
    struct node *node = host_pages(PAGE, hint);
    uint32_t sum = build_list(node), *result = (uint32_t *)&node[NODES];
    if (!CHECK(ventus_dev_share(c, node, PAGE, 0)))
        puts(ventus_dev_message());
    CHECK(run(d, walk, 1, node, result));
    CHECK_EQ(*result, sum);
    for (unsigned i = 0; i < NODES; i++)
        CHECK_EQ(node[i * 37 % NODES].value, i * i + 1000);
    /* A program that is loaded afterwards sees it, too. */
    CHECK(run(d, load(c, "walk"), 1, node, result));
    CHECK_EQ(*result, sum + 1000 * NODES);
    CHECK(ventus_dev_free(d, (uintptr_t)node));
    munmap(node, PAGE);
    ventus_dev_context_free(c);
    ventus_dev_close(d);
}

TEST(the_device_walks_a_list_of_the_host)
{
    for (unsigned i = 0; i < 2; i++)
        walk_on(presets[i], NULL);
}

/* Where tables of three levels reach, beside buffers of the device. */
TEST(memory_below_256_GiB_is_shared_too)
{
    for (unsigned i = 0; i < 2; i++)
        walk_on(presets[i], (void *)(UINT64_C(200) << 30));
}

/* A node on each page from `before` pages in front of a multiple of 2 MiB on. */
static void
walk_pages(const char *preset, size_t before, size_t pages)
{
    enum { LARGE = 2 << 20 };
    struct ventus_dev *d = open_device(preset);
    struct ventus_dev_context *c = ventus_dev_context_new(d);
    const struct ventus_dev_kernel *walk = load(c, "walk");
    char *room = host_pages(3 * LARGE, NULL);
    uintptr_t boundary = ((uintptr_t)room / LARGE + 1) * LARGE;
    char *at = (char *)boundary - before * PAGE;
    uint32_t sum = 0, *result = (uint32_t *)(at + 64);
    for (size_t i = 0; i < pages; i++) {
        struct node *node = (struct node *)(at + i * PAGE);
        node->value = (uint32_t)(i * i + 1);
        node->next =
            i + 1 < pages ? (struct node *)(at + (i + 1) * PAGE) : NULL;
        sum += node->value;
    }
    if (!CHECK(ventus_dev_share(c, at, pages * PAGE, 0)) ||
        !CHECK(run(d, walk, 1, at, result)))
        puts(ventus_dev_message());
    CHECK_EQ(*result, sum);
    CHECK(ventus_dev_free(d, (uintptr_t)at));
    /* None of them is there any more. */
    for (size_t i = 0; i < pages; i += pages / 2)
        CHECK(!run(d, walk, 1, at + i * PAGE, result));
    munmap(room, 3 * LARGE);
    ventus_dev_context_free(c);
    ventus_dev_close(d);
}

/* The leaf table ends at the boundary: what is behind goes to the next. */
TEST(pages_on_both_sides_of_a_multiple_of_2_MiB)
{
    for (unsigned i = 0; i < 2; i++) {
        walk_pages(presets[i], 3, 8);
        walk_pages(presets[i], 8, 8);
        walk_pages(presets[i], 1, 2);
        walk_pages(presets[i], 5, 5 + 512 + 5); /* a large page between */
    }
}

TEST(a_null_in_the_middle_and_what_was_freed_are_located_faults)
{
    struct ventus_dev *d = open_device("ventus2");
    struct ventus_dev_context *c = ventus_dev_context_new(d);
    const struct ventus_dev_kernel *walk = load(c, "walk");
    struct node *node = host_pages(2 * PAGE, NULL);
    char expected[128];
    CHECK(ventus_dev_share(c, node, PAGE - 8, 0));
    build_list(node);
    node[0].next = (struct node *)((char *)node + PAGE - 8);
    CHECK(!run(d, walk, 1, node, &node[NODES]));
    snprintf(expected, sizeof expected, "access to unmapped memory to 0x%llx",
             (unsigned long long)(uintptr_t)node + PAGE);
    CHECK(strstr(ventus_dev_message(), expected));
    CHECK(strstr(ventus_dev_message(),
                 "8 bytes past the end of argument 0, 4088 bytes"));
    CHECK(ventus_dev_free(d, (uintptr_t)node));
    CHECK(!run(d, walk, 1, node, &node[NODES]));
    CHECK(strstr(ventus_dev_message(), "is in no buffer"));
    struct node *head = host_pages(PAGE, NULL);
    head->next =
        &node[1]; /* freed, and no pointer is left but that of the list */
    CHECK(ventus_dev_share(c, head, PAGE, 0));
    CHECK(!run(d, walk, 1, head, &head[1]));
    CHECK(strstr(ventus_dev_message(),
                 "at byte 24 of a buffer of 4088 bytes that was released"));
    ventus_dev_context_free(c);
    ventus_dev_close(d);
    munmap(node, 2 * PAGE);
    munmap(head, PAGE);
}

TEST(contexts_share_their_own_memory_only)
{
    struct ventus_dev *d = open_device("ventus2");
    struct ventus_dev_context *a = ventus_dev_context_new(d);
    struct ventus_dev_context *b = ventus_dev_context_new(d);
    const struct ventus_dev_kernel *walk = load(b, "walk");
    struct node *node = host_pages(2 * PAGE, NULL);
    struct node *other = (struct node *)((char *)node + PAGE);
    CHECK(ventus_dev_share(a, node, PAGE, 0));
    CHECK(ventus_dev_share(b, other, PAGE, 0));
    CHECK(!ventus_dev_share(b, node, PAGE, 0));
    CHECK(strstr(ventus_dev_message(), "a buffer is at"));
    other->next = node;
    CHECK(!run(d, walk, 1, other, &other[1]));
    CHECK(strstr(ventus_dev_message(), "in a buffer of another context"));
    ventus_dev_context_free(a);
    CHECK(ventus_dev_share(b, node, PAGE, 0)); /* it is free again */
    ventus_dev_context_free(b);
    ventus_dev_close(d);
    munmap(node, 2 * PAGE);
}

TEST(what_kernels_cannot_address_is_not_shared)
{
    struct ventus_dev *d = open_device("default");
    struct ventus_dev_context *c = ventus_dev_context_new(d);
    /* Not within 100 GiB of the end of user addresses, where mmap() begins. */
    char *far = host_pages(PAGE, (void *)(UINT64_C(64) << 40));
    CHECK(!ventus_dev_share(c, far, PAGE, 0));
    CHECK(strstr(ventus_dev_message(), "kernels do not reach"));
    ventus_dev_context_free(c);
    ventus_dev_close(d);
    d = open_device("ventus2");
    c = ventus_dev_context_new(d);
    CHECK(!ventus_dev_share(c, far + 8, 8, 0));
    CHECK(!ventus_dev_share(c, far, 0, 0));
    CHECK(!ventus_dev_share(c, far, UINT64_MAX - PAGE, 0));
    CHECK(!ventus_dev_share(c, (void *)0x1000, PAGE, 0));
    CHECK(!ventus_dev_share(c, (void *)0x80000000, PAGE, 0));
    CHECK(!ventus_dev_share(c, far, UINT64_C(100) << 30, 0));
    CHECK(strstr(ventus_dev_message(), "no room for 107374182400 bytes"));
    ventus_dev_context_free(c);
    ventus_dev_close(d);
    munmap(far, PAGE);
}

struct counting {
    struct ventus_dev *d;
    const struct ventus_dev_kernel *kernel;
    _Atomic uint32_t *word;
    bool ok;
};

static void *
count_on_device(void *ctx)
{
    struct counting *c = ctx;
    c->ok = run(c->d, c->kernel, 20000, c->word, NULL);
    return NULL;
}

/* Atomics of host and device on one word, at once. */
TEST(atomics_of_both)
{
    struct ventus_dev *d = open_device("ventus2");
    struct ventus_dev_context *c = ventus_dev_context_new(d);
    struct counting counting = { .d = d, .kernel = load(c, "count") };
    counting.word = host_pages(PAGE, NULL);
    CHECK(ventus_dev_share(c, counting.word, 4, 0));
    pthread_t thread;
    CHECK_EQ(pthread_create(&thread, NULL, count_on_device, &counting), 0);
    for (unsigned i = 0; i < 300000; i++)
        atomic_fetch_add(counting.word, 1);
    pthread_join(thread, NULL);
    CHECK(counting.ok);
    CHECK_EQ(atomic_load(counting.word), 320000);
    ventus_dev_context_free(c);
    ventus_dev_close(d);
    munmap((void *)counting.word, PAGE);
}

int
main(int argc, char **argv)
{
    int status = test_main(argc, argv);
    arena_free(&arena);
    return status;
}
