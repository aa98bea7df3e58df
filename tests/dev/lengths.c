/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random launches of which warps and workgroups end in any order and at any distance: the
 * CTA scheduler starts workgroups, and their warps, in each cycle of those ends.  On every
 * preset, as a cycle-level machine, with one host thread and with three: the values are
 * right and the cycles the same.
 *
 *     test_dev_lengths [LAUNCHES [SEED]]    of each preset; 12 and 1 unless given
 */
#include "test.h"

#include <stdint.h>
#include <stdlib.h>

#include <ventus/dev.h>

#include "base/file.h"

enum { WORDS = 16 << 10, FIRST = 16 };

static struct arena arena;
static unsigned launches = 12;
static uint64_t seed = 1;

static uint32_t
random_below(uint32_t n)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % n;
}

struct launch {
    uint32_t factor, most, local, groups;
};

struct machine {
    struct ventus_dev *dev;
    const struct ventus_dev_kernel *kernel;
    uint64_t x;
};

static bool
open_machine(struct machine *m, const char *preset, const char *threads)
{
    const char *set[] = { "engine=model", threads, "isa=v1", "memory_size=64M",
                          "host_memory=no" };
    struct ventus_dev_options o = { .config = preset, .set = set, .n_set = 5 };
    struct diag_sink sink = { .arena = &arena };
    size_t size;
    uint8_t *elf = file_read(&arena, PROGRAMS "/lengths.elf", &size, &sink);
    *m = (struct machine){ .dev = ventus_dev_open(&o) };
    struct ventus_dev_program *p =
        m->dev ? ventus_dev_load(m->dev, elf, size, "lengths") : NULL;
    m->kernel = p ? ventus_dev_find(p, "lengths") : NULL;
    m->x = p ? ventus_dev_alloc(m->dev, 4 * WORDS, 0) : 0;
    if (!CHECK(m->kernel && m->x))
        printf("%s: %s\n", preset, ventus_dev_message());
    return m->kernel && m->x;
}

/* What the lanes of a warp write. */
static uint32_t
times_of(const struct launch *l, uint32_t group, uint32_t warp)
{
    return (group * l->factor + warp) % l->most;
}

static bool
is_right(const struct launch *l, unsigned lanes, const uint32_t *x)
{
    bool ok = true;
    for (uint32_t i = 0; i < l->local * l->groups && ok; i++)
        ok = CHECK_EQ(x[FIRST + i],
                      times_of(l, i / l->local, i % l->local / lanes));
    return ok;
}

/* The cycles that it takes, or 0. */
static uint64_t
run(const struct machine *m, const struct launch *l)
{
    static struct ventus_dev_result r;
    static uint32_t x[WORDS];
    unsigned lanes = (unsigned)ventus_dev_setting(m->dev, "num_thread");
    struct ventus_dev_arg args[] = { ventus_dev_buffer(m->x),
                                     ventus_dev_bytes(&l->factor, 4),
                                     ventus_dev_bytes(&l->most, 4) };
    const struct ventus_dev_launch launch = { .kernel = m->kernel,
                                              .work_dim = 1,
                                              .global = { (uint64_t)l->local *
                                                          l->groups },
                                              .local = { l->local },
                                              .args = args,
                                              .n_args = 3 };
    memset(x, 0, sizeof x);
    bool ok = CHECK(ventus_dev_write(m->dev, m->x, x, sizeof x)) &&
              CHECK(ventus_dev_run(m->dev, &launch, &r)) &&
              CHECK(ventus_dev_read(m->dev, m->x, x, sizeof x)) &&
              is_right(l, lanes, x);
    if (!ok)
        printf("factor %u most %u local %u groups %u: %s\n", l->factor, l->most,
               l->local, l->groups, r.message);
    return ok ? r.cycles : 0;
}

/* Whole warps: what lanes without a work-item do is another matter. */
static struct launch
make_launch(unsigned lanes, unsigned warps)
{
    struct launch l = { .factor = 1 + random_below(31),
                        .most = 2 + random_below(29),
                        .local = lanes * (1 + random_below(warps)) };
    uint32_t room = (WORDS - FIRST) / l.local;
    l.groups = 2 + random_below(room < 40 ? room - 1 : 40);
    return l;
}

static bool
try_preset(const char *preset)
{
    struct machine one, many;
    bool ok = open_machine(&one, preset, "host_threads=1");
    ok &= open_machine(&many, preset, "host_threads=3");
    for (unsigned i = 0; i < launches && ok; i++) {
        uint64_t lanes = ventus_dev_setting(one.dev, "num_thread");
        uint64_t warps = ventus_dev_setting(one.dev, "num_warp");
        struct launch l = make_launch((unsigned)lanes, (unsigned)warps);
        uint64_t cycles = run(&one, &l);
        ok = CHECK(cycles) && CHECK_EQ(run(&many, &l), cycles);
        if (!ok)
            printf("preset %s, launch %u\n", preset, i);
    }
    ventus_dev_close(one.dev);
    ventus_dev_close(many.dev);
    return ok;
}

TEST(workgroups_of_random_lengths_end_on_every_preset)
{
    char *folder;
    char **presets = ventus_dev_presets(&folder);
    unsigned n = 0;
    for (; CHECK(presets) && presets[n]; n++)
        try_preset(presets[n]);
    CHECK(n >= 8);
    free(presets);
    free(folder);
}

int
main(int argc, char **argv)
{
    launches = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : launches;
    seed = argc > 2 ? strtoul(argv[2], NULL, 0) : seed;
    return test_main(1, argv);
}
