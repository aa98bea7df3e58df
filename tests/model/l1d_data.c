/* SPDX-License-Identifier: Apache-2.0 */
/* The values that L1Ds hold under coherence = rcc: two of them before one memory. */
#include "model/memory/l1d_data.h"

#include "test.h"

enum { DATA = 0x90000000, LINE_B = 128 };

struct pair {
    struct ventus_model_config config;
    struct ventus_model_stats stats;
    struct ventus_sim *sim;
    struct l1d_data x[2];
    size_t reads, writes; /* bytes of memory itself that were told */
};

static void
on_access(void *ctx, const uint8_t *host, size_t n, bool write)
{
    struct pair *p = ctx;
    const uint8_t *memory = ventus_sim_pointer(p->sim, DATA, NULL);
    CHECK(host >= memory && host + n <= memory + (1 << 16));
    *(write ? &p->writes : &p->reads) += n;
}

static void
open_pair(struct pair *p)
{
    const struct ventus_sim_config machine = { .num_thread = 8 };
    char text[256] = "";
    *p = (struct pair){ .sim = ventus_sim_create(&machine, text, sizeof text) };
    CHECK(p->sim);
    CHECK(ventus_sim_map(p->sim, DATA, 1 << 16,
                         VENTUS_SIM_READ | VENTUS_SIM_WRITE));
    ventus_model_defaults(&p->config);
    p->config.dcache.line_B = LINE_B;
    p->config.dcache.sets = 2;
    p->config.dcache.ways = 2;
    for (unsigned i = 0; i < 2; i++) {
        const struct l1d_data_port port = { on_access, p };
        CHECK(
            l1d_data_create(&p->x[i], &p->config, &p->stats, p->sim, i, port));
        CHECK(l1d_data_open(&p->x[i], 0));
        l1d_data_compare(&p->x[i], true);
    }
}

static void
close_pair(struct pair *p)
{
    l1d_data_destroy(&p->x[0]);
    l1d_data_destroy(&p->x[1]);
    ventus_sim_destroy(p->sim);
}

static uint32_t
step(struct pair *p, unsigned sm, uint64_t at, struct l1d_data_kind kind,
     uint64_t address, uint32_t value)
{
    uint32_t read = 0;
    struct step_access *a = l1d_data_begin(&p->x[sm]);
    a->n = 1;
    a->bytes = 4;
    a->at[0] = at;
    l1d_data_before(&p->x[sm], &kind, address);
    struct sim_place place;
    CHECK(overlay_find(l1d_data_copies(&p->x[sm]), at, &place));
    memcpy(&read, place.copy, 4);
    if (kind.write || kind.atomic)
        memcpy(place.copy, &value, 4);
    l1d_data_after(&p->x[sm]);
    return read;
}

static uint32_t
load(struct pair *p, unsigned sm, uint64_t at)
{
    return step(p, sm, at, (struct l1d_data_kind){ 0 }, 0, 0);
}

static void
store(struct pair *p, unsigned sm, uint64_t at, uint32_t value)
{
    step(p, sm, at, (struct l1d_data_kind){ .write = true }, 0, value);
}

static uint32_t
swap(struct pair *p, unsigned sm, uint64_t at, uint32_t value)
{
    return step(p, sm, at, (struct l1d_data_kind){ .atomic = true }, 0, value);
}

static uint32_t
memory(const struct pair *p, uint64_t at)
{
    uint32_t word = 0;
    CHECK(ventus_sim_read(p->sim, at, &word, 4));
    return word;
}

TEST(a_store_that_hits_stays_until_it_is_flushed)
{
    struct pair p;
    open_pair(&p);
    CHECK_EQ(load(&p, 0, DATA), 0u);
    store(&p, 0, DATA, 7);
    CHECK_EQ(load(&p, 0, DATA), 7u);
    CHECK_EQ(load(&p, 1, DATA), 0u);
    CHECK_EQ(memory(&p, DATA), 0u);
    CHECK(!l1d_data_take_changed(&p.x[0]));
    l1d_data_flush(&p.x[0]);
    CHECK(l1d_data_take_changed(&p.x[0]) && !l1d_data_take_changed(&p.x[0]));
    CHECK_EQ(memory(&p, DATA), 7u);
    CHECK_EQ(load(&p, 1, DATA), 0u); /* it has the line */
    l1d_data_invalidate(&p.x[1]);
    CHECK(l1d_data_take_changed(&p.x[1]));
    CHECK_EQ(load(&p, 1, DATA), 7u);
    close_pair(&p);
}

TEST(a_store_that_misses_goes_to_the_l2)
{
    struct pair p;
    open_pair(&p);
    store(&p, 0, DATA, 7);
    CHECK_EQ(memory(&p, DATA), 7u);
    close_pair(&p);
}

TEST(a_line_gives_back_the_bytes_that_were_written)
{
    struct pair p;
    open_pair(&p);
    for (unsigned i = 0; i < 2; i++) {
        load(&p, i, DATA);
        store(&p, i, DATA + 4 * i, 7 + i);
    }
    l1d_data_invalidate(&p.x[0]);
    l1d_data_invalidate(&p.x[1]);
    CHECK_EQ(memory(&p, DATA), 7u);
    CHECK_EQ(memory(&p, DATA + 4), 8u);
    close_pair(&p);
}

/* An atomic is done at the L2, behind what its own L1D had written. */
TEST(an_atomic_sees_the_l2)
{
    struct pair p;
    open_pair(&p);
    load(&p, 0, DATA);
    load(&p, 1, DATA);
    store(&p, 0, DATA, 7);
    CHECK_EQ(swap(&p, 1, DATA, 8), 0u);
    CHECK_EQ(memory(&p, DATA), 8u);
    CHECK_EQ(load(&p, 1, DATA), 8u);
    CHECK_EQ(swap(&p, 0, DATA, 9), 7u);
    CHECK_EQ(memory(&p, DATA), 9u);
    close_pair(&p);
}

/* A line that leaves a full set takes what was written with it. */
TEST(a_victim_is_written_back)
{
    struct pair p;
    open_pair(&p);
    const uint64_t set = (uint64_t)2 * LINE_B;
    load(&p, 0, DATA);
    store(&p, 0, DATA, 7);
    load(&p, 0, DATA + set);
    CHECK_EQ(memory(&p, DATA), 0u);
    load(&p, 0, DATA + 2 * set);
    CHECK_EQ(memory(&p, DATA), 7u);
    close_pair(&p);
}

/* What goes to memory itself is told to the byte: a line that comes, what was written
 * of one that leaves, a store that misses, an atomic.  A hit is private. */
TEST(accesses_to_memory_are_told)
{
    struct pair p;
    open_pair(&p);
    store(&p, 0, DATA, 7);
    CHECK_EQ(p.writes, 4u);
    CHECK_EQ(p.reads, 0u);
    l1d_data_compare(&p.x[0], false);
    load(&p, 0, DATA);
    CHECK_EQ(p.reads, (size_t)LINE_B);
    load(&p, 0, DATA + 8);
    store(&p, 0, DATA, 8);
    store(&p, 0, DATA + 4, 8);
    store(&p, 0, DATA + 12, 8);
    CHECK_EQ(p.writes, 4u);
    CHECK_EQ(p.reads, (size_t)LINE_B);
    l1d_data_invalidate(&p.x[0]);
    CHECK_EQ(p.writes, 16u);
    CHECK_EQ(p.reads, (size_t)LINE_B);
    swap(&p, 0, DATA, 9);
    CHECK_EQ(p.writes, 20u);
    close_pair(&p);
}

/* A store that is not aligned faults: it marked bytes behind the line as written. */
TEST(a_misaligned_word_at_the_end_of_a_line_is_none_of_it)
{
    struct pair p;
    open_pair(&p);
    for (unsigned line = 0; line < 4; line++) {
        const uint64_t at = DATA + line * LINE_B;
        load(&p, 0, at);
        struct step_access *a = l1d_data_begin(&p.x[0]);
        a->n = 1;
        a->bytes = 4;
        a->at[0] = at + LINE_B - 1;
        l1d_data_before(&p.x[0], &(struct l1d_data_kind){ .write = true }, 0);
        CHECK_EQ(a->at[0], UINT64_MAX);
        l1d_data_after(&p.x[0]);
    }
    l1d_data_invalidate(&p.x[0]);
    CHECK_EQ(p.writes, 0u);
    close_pair(&p);
}

/* The words of a line are looked for at once only if all of them are memory. */
TEST(a_word_behind_the_end_of_memory_is_none_of_its_line)
{
    struct pair p;
    const struct l1d_data_kind reads = { 0 };
    open_pair(&p);
    CHECK(ventus_sim_bound(p.sim, DATA, LINE_B + 8));
    for (unsigned line = 0; line < 2; line++) {
        struct step_access *a = l1d_data_begin(&p.x[0]);
        const uint64_t at = DATA + line * LINE_B;
        bool local;
        a->n = 3;
        a->bytes = 4;
        for (unsigned i = 0; i < 3; i++)
            a->at[i] = at + 4 * i;
        l1d_data_before(&p.x[0], &reads, 0);
        CHECK_EQ(a->at[0], at);
        CHECK_EQ(a->at[1], at + 4);
        CHECK_EQ(a->at[2], line ? UINT64_MAX : at + 8);
        l1d_data_after(&p.x[0]);
        l1d_data_age(&p.x[0], &local);
        CHECK_EQ(local, line);
    }
    close_pair(&p);
}

/* What an address was made of is younger than the line: it is taken anew. */
TEST(a_load_takes_a_line_anew_that_is_older_than_its_address)
{
    struct pair p;
    bool local;
    open_pair(&p);
    const struct l1d_data_kind reads = { 0 };
    load(&p, 0, DATA);
    const uint64_t old = l1d_data_age(&p.x[0], &local);
    CHECK(!local && old);
    store(&p, 1, DATA, 7); /* misses: the L2 has it */
    CHECK_EQ(step(&p, 0, DATA, reads, old, 0), 0u);
    CHECK_EQ(p.stats.refetches, 0u);
    load(&p, 0, DATA + LINE_B);
    const uint64_t young = l1d_data_age(&p.x[0], &local);
    CHECK(young > old);
    CHECK_EQ(step(&p, 0, DATA, reads, young, 0), 7u);
    CHECK_EQ(p.stats.refetches, 1u);
    close_pair(&p);
}

TEST_MAIN
