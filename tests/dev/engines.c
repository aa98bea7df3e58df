/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Another engine, as docs/engines.md says: native.c, which only this program
 * registers.  Its launches go the way of all others.
 */
#include "test.h"

#include <stdint.h>

#include <ventus/dev.h>

#include "base/file.h"
#include "native.h"

static struct arena arena;

static struct ventus_dev *
open_device(const char *engine, const char *setting)
{
    const char *set[] = { engine, setting };
    return ventus_dev_open(
        &(struct ventus_dev_options){ .set = set, .n_set = setting ? 2 : 1 });
}

static char *
read_text(const char *path)
{
    struct diag_sink sink = { .arena = &arena };
    size_t size;
    return (char *)file_read(&arena, path, &size, &sink);
}

static struct ventus_dev_program *
load(struct ventus_dev *d)
{
    struct diag_sink sink = { .arena = &arena };
    size_t size;
    uint8_t *elf = file_read(&arena, PROGRAMS "/kernels.elf", &size, &sink);
    struct ventus_dev_program *p =
        elf ? ventus_dev_load(d, elf, size, "kernels") : NULL;
    if (!CHECK(p))
        puts(ventus_dev_message());
    return p;
}

/* put of kernels.s: x[id] = number. */
static void
put(const struct native_item *item)
{
    uint32_t x = native_load(item, item->args);
    uint32_t number = native_load(item, item->args + 4);
    native_store(item, x + 4 * item->id[0], number);
}

static bool
run(struct ventus_dev *d, const struct ventus_dev_kernel *k, uint64_t x,
    uint32_t number, const struct ventus_dev_hooks *hooks,
    struct ventus_dev_result *r)
{
    struct ventus_dev_arg args[] = { ventus_dev_buffer(x),
                                     ventus_dev_bytes(&number, 4) };
    return ventus_dev_run(d,
                          &(struct ventus_dev_launch){ .kernel = k,
                                                       .work_dim = 1,
                                                       .global = { 130 },
                                                       .local = { 40 },
                                                       .args = args,
                                                       .n_args = 2,
                                                       .hooks = hooks },
                          r);
}

/* The same program on each engine there is, native code among them. */
TEST(engines_agree)
{
    size_t n;
    const struct ventus_dev_engine *e = ventus_dev_engines(&n);
    CHECK(n >= 3); /* sim, model, native */
    for (size_t i = 0; i < n; i++) {
        struct ventus_dev *d =
            open_device(arena_printf(&arena, "engine=%s", e[i].name), NULL);
        struct ventus_dev_program *p = load(d);
        uint64_t x = ventus_dev_alloc(d, 4 * 200, 0);
        uint32_t out[200];
        struct ventus_dev_result r;
        native_kernel(ventus_dev_find(p, "put")->entry, put);
        CHECK(ventus_dev_fill(d, x, &(uint32_t){ 7 }, 4, sizeof out));
        CHECK(run(d, ventus_dev_find(p, "put"), x, 1000, NULL, &r));
        CHECK(ventus_dev_read(d, x, out, sizeof out));
        for (uint32_t k = 0; k < 200; k++)
            if (!CHECK_EQ(out[k], k < 130 ? 1000 : 7))
                break;
        CHECK_EQ(r.cycles != 0, ventus_dev_can(d, VENTUS_DEV_CYCLES));
        ventus_dev_close(d);
    }
}

/* Before there is a device: the same as of one. */
TEST(options_have_the_capabilities_of_their_engine)
{
    size_t n;
    const struct ventus_dev_engine *e = ventus_dev_engines(&n);
    for (size_t i = 0; i < n; i++) {
        const char *set[] = { arena_printf(&arena, "engine=%s", e[i].name) };
        struct ventus_dev_options o = { .set = set, .n_set = 1 };
        unsigned able = 0;
        CHECK(ventus_dev_capabilities(&o, &able));
        CHECK_EQ(able, e[i].capabilities);
        set[0] = "engine=nothing";
        CHECK(!ventus_dev_capabilities(&o, &able));
        CHECK(strstr(ventus_dev_message(), "nothing") != NULL);
    }
}

TEST(faults_of_another_engine_are_told)
{
    struct ventus_dev *d = open_device("engine=native", NULL);
    struct ventus_dev_program *p = load(d);
    struct ventus_dev_result r;
    native_kernel(ventus_dev_find(p, "put")->entry, put);
    CHECK(!run(d, ventus_dev_find(p, "spin"), 0, 1, NULL, &r));
    CHECK(strstr(r.message, "kernel 'spin': no native code for it"));
    CHECK(!run(d, ventus_dev_find(p, "put"), 0, 1, NULL, &r));
    CHECK(strstr(r.message, "access to unmapped memory at 0x0"));
    CHECK_STR(r.fault.kind, "access to unmapped memory");
    ventus_dev_close(d);
}

static void
step(void *ctx, const struct ventus_sim_step *s)
{
    (void)ctx;
    (void)s;
}

TEST(what_an_engine_cannot_do_is_refused)
{
    struct ventus_dev_result r;
    struct ventus_dev *d = open_device("engine=native", NULL);
    struct ventus_dev_program *p = load(d);
    CHECK(!run(d, ventus_dev_find(p, "put"), 0, 1,
               &(struct ventus_dev_hooks){ .step = step }, &r));
    CHECK_STR(r.message, "dev_hooks.step: engine native has no steps");
    struct ventus_dev_profile *profile = ventus_dev_profile_new();
    struct ventus_dev_launch launch = { .kernel = ventus_dev_find(p, "put"),
                                        .work_dim = 1,
                                        .global = { 1 },
                                        .profile = profile };
    CHECK(!ventus_dev_run(d, &launch, &r));
    CHECK_STR(r.message, "dev_launch.profile: engine native makes no profiles");
    ventus_dev_profile_free(profile);
    CHECK(
        !ventus_dev_record(d, &(struct ventus_dev_record){ .json = "x.json" }));
    CHECK_STR(ventus_dev_message(),
              "engine native makes no profiles and traces");
    ventus_dev_close(d);
    CHECK(!open_device("engine=native", "max_ms=5"));
    CHECK_STR(ventus_dev_message(), "max_ms: engine native keeps no limits");
    CHECK(!open_device("engine=native", "max_instructions=5"));
    CHECK_STR(ventus_dev_message(),
              "max_instructions: engine native keeps no limits");
    CHECK(!open_device("engine=turbo", NULL));
    size_t n;
    const struct ventus_dev_engine *e = ventus_dev_engines(&n);
    const char *names = "";
    for (size_t i = 0; i < n; i++)
        names = arena_printf(&arena, "%s %s", names, e[i].name);
    CHECK_STR(ventus_dev_message(),
              arena_printf(&arena, "engine is one of%s, found 'turbo'", names));
}

/* docs/engines.md has a row for each engine that is not of this test. */
TEST(the_page_has_the_table)
{
    size_t n;
    const struct ventus_dev_engine *e = ventus_dev_engines(&n);
    const char *page = read_text(ENGINES_PAGE);
    if (!CHECK(page))
        return;
    for (size_t i = 0; i + 1 < n; i++) {
        const char *row = arena_printf(&arena, "| `%s` |", e[i].name), *name;
        for (unsigned c = 0; (name = ventus_dev_capability_name(c)); c++)
            row = arena_printf(&arena, "%s %s |", row,
                               e[i].capabilities & 1u << c ? "yes" : "no");
        if (!CHECK(strstr(page, row)))
            printf("  not there: %s\n", row);
    }
    const char *head = "| engine |", *name;
    for (unsigned c = 0; (name = ventus_dev_capability_name(c)); c++)
        head = arena_printf(&arena, "%s %s |", head, name);
    CHECK(strstr(page, head));
}

TEST_MAIN
