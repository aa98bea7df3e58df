/* SPDX-License-Identifier: Apache-2.0 */
/* A launch through the driver when the host has no memory left. */
#include "failing.h"

#include <stdint.h>
#include <string.h>

#include <ventus/dev.h>

static uint8_t program[1 << 16];
static size_t program_B;

static bool
read_program(void)
{
    FILE *in = fopen(PROGRAMS "/kernels.elf", "rb");
    if (!in)
        return false;
    program_B = fread(program, 1, sizeof program, in);
    fclose(in);
    return program_B > 0 && program_B < sizeof program;
}

struct setting {
    const char *name, *engine;
    struct ventus_dev_record record;
    bool profiled, resets;
};

enum { ITEMS = 100 };

/* Puts 7 into each word of a buffer; checks them. */
static bool
launch(struct ventus_dev *d, const struct ventus_dev_program *p, uint64_t x,
       bool profiled)
{
    uint32_t seven = 7, out[ITEMS];
    struct ventus_dev_arg args[] = { ventus_dev_buffer(x),
                                     ventus_dev_bytes(&seven, 4) };
    struct ventus_dev_profile *profile =
        profiled ? ventus_dev_profile_new() : NULL;
    struct ventus_dev_launch l = { .kernel = ventus_dev_find(p, "put"),
                                   .work_dim = 1,
                                   .global = { ITEMS },
                                   .local = { 40 },
                                   .args = args,
                                   .n_args = 2,
                                   .stats = true,
                                   .profile = profile };
    struct ventus_dev_result r;
    bool ok = (profile || !profiled) && ventus_dev_run(d, &l, &r);
    if (profiled && !profile)
        return false;
    if (!ok)
        CHECK(r.message[0]);
    /* A stepper that finds no memory says so. */
    if (!ok && (profile || !profiled))
        CHECK(!strstr(r.message, "no fault"));
    ventus_dev_profile_free(profile);
    if (!ok || !CHECK(ventus_dev_read(d, x, out, sizeof out)))
        return false;
    for (int i = 0; i < ITEMS; i++)
        if (!CHECK_EQ(out[i], 7))
            break;
    return true;
}

static enum failing_end
told(bool by_driver)
{
    if (by_driver)
        CHECK(ventus_dev_message()[0]);
    return FAILING_ERROR;
}

/* The driver says that a call failed for lack of memory.  Files that cannot be opened and
 * a thread that cannot be started have messages of their own. */
static enum failing_end
lacks(const struct setting *s)
{
    const struct ventus_dev_record *r = &s->record;
    const char *text = ventus_dev_message();
    bool files = r->report || r->trace || r->konata || r->events;
    if (!files && !strstr(text, "has no thread") &&
        !strstr(text, ".ini: cannot read") && !CHECK(ventus_dev_lacks_memory()))
        printf("  %s\n", text);
    return told(true);
}

static enum failing_end
use_device(void *ctx)
{
    const struct setting *s = ctx;
    enum failing_end end = FAILING_ERROR;
    struct ventus_dev *d = ventus_dev_open(&(struct ventus_dev_options){
        .config = s->name, .set = &s->engine, .n_set = 1 });
    if (!d)
        return lacks(s);
    bool records = s->record.report || s->record.trace || s->record.konata ||
                   s->record.events;
    bool recorded = records && ventus_dev_record(d, &s->record);
    struct ventus_dev_program *p =
        ventus_dev_load(d, program, program_B, "kernels");
    uint64_t x = p ? ventus_dev_alloc(d, 4 * ITEMS, 0) : 0;
    if (x && recorded == records && launch(d, p, x, s->profiled))
        end = FAILING_DONE;
    else if (s->profiled)
        told(true); /* of a profile that there is not the test says so */
    else
        lacks(s);
    if (recorded && !ventus_dev_record_end(d))
        end = told(true);
    if (s->resets && end == FAILING_DONE && !ventus_dev_reset(d))
        end = lacks(s);
    ventus_dev_close(d);
    return end;
}

static enum failing_end
list_presets(void *ctx)
{
    char *folder, **list = ventus_dev_presets(&folder);
    (void)ctx;
    if (!list)
        return told(ventus_dev_lacks_memory());
    bool any = false;
    for (char **name = list; *name; name++)
        any |= strcmp(*name, "default") == 0;
    CHECK(any);
    free(list);
    free(folder);
    return FAILING_DONE;
}

static void
each_of(const char *what, struct setting s)
{
    if (CHECK(read_program()))
        failing_each(what, use_device, &s);
}

TEST(each_allocation_on_the_functional_machine)
{
    each_of("sim", (struct setting){ .name = "default",
                                     .engine = "host_threads=1",
                                     .resets = true });
}

TEST(each_allocation_on_two_threads)
{
    each_of("sim, threads", (struct setting){ .name = "default",
                                              .engine = "host_threads=2",
                                              .resets = true });
}

TEST(each_allocation_on_the_cycle_model)
{
    each_of("model", (struct setting){ .name = "chisel",
                                       .engine = "host_threads=1",
                                       .resets = true });
}

TEST(each_allocation_on_the_cycle_model_of_two_threads)
{
    each_of("model, threads", (struct setting){ .name = "chisel",
                                                .engine = "host_threads=2",
                                                .resets = true });
}

TEST(each_allocation_of_a_profile)
{
    each_of("profile",
            (struct setting){
                "chisel", "num_sm=1", { .report = NULL }, true, false });
}

#ifdef VENTUS_TINY
enum { MANY = 17 };
#else
enum { MANY = 1 };
#endif

TEST(each_allocation_of_reports_and_traces)
{
    if (!CHECK(read_program()))
        return;
    struct setting report = { "chisel",
                              "num_sm=1",
                              { .report = "failing.html",
                                .json = "failing.json" },
                              false,
                              false };
    struct setting trace = { "chisel",
                             "num_sm=1",
                             { .trace = "failing.pftrace",
                               .konata = "failing.konata",
                               .events = "failing.events",
                               .to_cycle = 200 },
                             false,
                             false };
    /* Each event, and in the preset tiny each line of a report, takes memory:
     * some of thousands are enough. */
    failing_some("report", use_device, &report, MANY);
    failing_some("trace", use_device, &trace, 61);
}

TEST(each_allocation_of_the_list_of_presets)
{
    failing_each("presets", list_presets, NULL);
}

TEST_MAIN
