/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Interconnect and L2 without a launch: requests at their ports in known cycles, and
 * the cycles of the answers.
 */
#include "model/memory/bus.h"

#include "ports.h"
#include "test.h"

enum { SMS = 3, NEVER_CAME = -1 };

static uint64_t state = 88172645463325252;

static unsigned
any(unsigned n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state % n);
}

/* Fully pipelined memory of so many cycles. */
static struct ventus_model_config
config_of(unsigned memory_cycles)
{
    struct ventus_model_config c;
    ventus_model_defaults(&c);
    c.memory_cycles = memory_cycles;
    c.memory_requests = 8;
    return c;
}

/* ---- the L2 ---- */

struct bench {
    struct ventus_model_config config;
    struct ventus_model_stats stats, sm_stats[SMS];
    struct memory memory;
    struct l2 l2;
    struct bus bus;
    uint64_t now;
    bool deaf;         /* no answer is taken */
    int came[SMS][16]; /* cycle of the answer, by line; the SM's lookahead */
    uint64_t bound[SMS], opens;
    bool fetch[SMS], walk[SMS];
};

static bool
on_can_send(void *ctx, const struct mem_request *r, uint64_t now)
{
    (void)r;
    (void)now;
    return !((const struct bench *)ctx)->deaf;
}

static void
on_send(void *ctx, const struct mem_request *r, uint64_t now)
{
    struct bench *b = ctx;
    CHECK(now >= b->bound[r->sm]);
    b->came[r->sm][r->line % 16] = (int)now;
    b->bound[r->sm] = 0;
}

static struct mem_request
take(bool *offer, unsigned sm, unsigned line)
{
    CHECK(*offer);
    *offer = false;
    return (struct mem_request){ .sm = (uint8_t)sm, .line = line };
}

static bool
on_fetch_peek(void *ctx, unsigned sm)
{
    return ((const struct bench *)ctx)->fetch[sm];
}

static struct mem_request
on_fetch_take(void *ctx, unsigned sm)
{
    return take(&((struct bench *)ctx)->fetch[sm], sm, 1);
}

static bool
on_walk_peek(void *ctx, unsigned sm)
{
    return ((const struct bench *)ctx)->walk[sm];
}

static struct mem_request
on_walk_take(void *ctx, unsigned sm)
{
    return take(&((struct bench *)ctx)->walk[sm], sm, 2);
}

static void
start(struct bench *b, const struct ventus_model_config *c)
{
    *b = (struct bench){ .config = *c };
    memset(b->came, 0xff, sizeof b->came);
    memory_init(&b->memory, &b->config, &b->stats);
    const struct l2_port answers = { on_can_send, on_send, b };
    const struct bus_source fetch = { on_fetch_peek, on_fetch_take };
    const struct bus_source walk = { on_walk_peek, on_walk_take };
    CHECK(l2_create(&b->l2, &b->config, b->sm_stats, &b->memory, &answers));
    CHECK(bus_create(&b->bus, SMS, &b->l2, fetch, walk, b));
    l2_reset(&b->l2, 0);
    bus_reset(&b->bus);
}

static void
end(struct bench *b)
{
    l2_destroy(&b->l2);
    bus_destroy(&b->bus);
}

/* A cycle, as the machine has it.  What is said to be idle is not ticked. */
static void
cycle(struct bench *b)
{
    struct memory_request answer;
    for (unsigned i = 0; i < SMS; i++) {
        uint64_t bound = bus_lookahead(&b->bus, i, b->now);
        CHECK(bound >= b->now);
        b->bound[i] = bound > b->bound[i] ? bound : b->bound[i];
    }
    uint64_t opens = bus_opens(&b->bus, b->now);
    CHECK(opens >= b->now);
    b->opens = opens > b->opens ? opens : b->opens;
    if (memory_busy(&b->memory) && tick_memory(&b->memory, b->now, &answer) &&
        !answer.write)
        l2_memory_send(&b->l2, b->now, &answer);
    bus_begin(&b->bus, b->now);
    CHECK(!bus_has_room(&b->bus) || b->now >= b->opens);
    l2_tick(&b->l2, b->now);
    bus_tick(&b->bus, b->now);
    b->now++;
}

static void
run(struct bench *b, unsigned cycles)
{
    while (cycles--)
        cycle(b);
}

static void
request_with(struct bench *b, unsigned sm, enum mem_op op, uint32_t line,
             unsigned hint)
{
    const struct mem_request r = { .op = op,
                                   .line = line,
                                   .sm = (uint8_t)sm,
                                   .cache = MEM_DCACHE,
                                   .hint = (uint8_t)hint };
    bus_send(&b->bus, sm, &r, b->now);
    b->bound[sm] = 0;
}

static void
request(struct bench *b, unsigned sm, enum mem_op op, uint32_t line)
{
    request_with(b, sm, op, line, VENTUS_ISA_HINT_DEFAULT);
}

/*
 * One cycle in the register before the bus, one in the queue before the L2; what
 * the directory says is known in the next, and memory is asked one later.  What
 * memory gives is known two cycles later, and answered in the next.
 */
enum { TO_MEMORY = 1 + 1 + 1 + 1, FROM_MEMORY = 2 + 1 };

TEST(a_load_goes_to_memory_and_back)
{
    for (unsigned latency = 1; latency < 40; latency += 13) {
        struct bench b;
        struct ventus_model_config c = config_of(latency);
        start(&b, &c);
        request(&b, 0, MEM_GET, 3);
        run(&b, 80);
        CHECK_EQ(b.came[0][3], TO_MEMORY + latency + FROM_MEMORY);
        CHECK_EQ(b.sm_stats[0].l2_gets, 1);
        CHECK_EQ(b.stats.memory_reads, 1);
        CHECK(l2_is_idle(&b.l2));
        CHECK(l2_next_event(&b.l2) == UINT64_MAX);
        end(&b);
    }
}

/* A hit: directory, l2_hit_cycles, and the answer one later. */
TEST(a_hit_stays_in_the_l2)
{
    struct bench b;
    struct ventus_model_config c = config_of(20);
    c.l2_hits = true;
    c.l2_hit_cycles = 4;
    start(&b, &c);
    request(&b, 0, MEM_GET, 3);
    run(&b, 60);
    request(&b, 1, MEM_GET, 3);
    run(&b, 60);
    CHECK_EQ(b.came[1][3], 60 + 1 + 1 + 1 + 4 + 1);
    CHECK_EQ(b.sm_stats[1].l2_hits, 1);
    CHECK_EQ(b.stats.memory_reads, 1);
    end(&b);
}

/*
 * dir_result_buffer holds one hit: a second one stays in the directory until that has
 * left, and nothing is read meanwhile (result.ready of Directory_test.scala).  A load
 * that misses behind n hits comes n cycles later to the L2, and behind two of them it
 * waits for one more.
 */
TEST(a_hit_that_waits_closes_the_directory)
{
    int came[SMS];
    for (unsigned hits = 0; hits < SMS; hits++) {
        struct bench b;
        struct ventus_model_config c = config_of(20);
        c.l2_hits = true;
        c.l2.sets = 16;
        c.l2_hit_cycles = 1;
        start(&b, &c);
        request(&b, 0, MEM_GET, 3);
        run(&b, 100);
        int at = (int)b.now;
        for (unsigned i = 0; i < hits; i++)
            request(&b, i, MEM_GET, 3);
        request(&b, SMS - 1, MEM_GET, 9);
        run(&b, 100);
        came[hits] = b.came[SMS - 1][9] - at;
        end(&b);
    }
    CHECK_EQ(came[1], came[0] + 1);
    CHECK_EQ(came[2], came[0] + 2 + 1);
}

/* Behind reset 64 sets are cleared, one a cycle, and one cycle more: a request that
 * finds the directory so 16 cycles behind reset is taken in cycle 65 - 16. */
TEST(a_request_waits_for_the_directory_behind_reset)
{
    for (unsigned reset = 0; reset <= 100; reset += 16) {
        struct bench b;
        struct ventus_model_config c = config_of(5);
        c.l2.sets = 64;
        c.reset_cycles = reset;
        start(&b, &c);
        request(&b, 0, MEM_GET, 3);
        run(&b, 100);
        unsigned taken = 1 + 1, open = reset ? 65 - reset : 0;
        unsigned from = open > taken && reset <= 64 ? open : taken;
        CHECK_EQ(b.came[0][3], from + (TO_MEMORY - taken) + 5 + FROM_MEMORY);
        end(&b);
    }
}

/* A store reads the line and writes it. */
TEST(a_store_is_a_read_and_a_write)
{
    struct bench b;
    struct ventus_model_config c = config_of(5);
    start(&b, &c);
    request(&b, 0, MEM_PUT, 3);
    run(&b, 60);
    CHECK(b.came[0][3] > 0);
    CHECK_EQ(b.stats.memory_reads, 1);
    CHECK_EQ(b.stats.memory_writes, 1);
    end(&b);
}

/* The Chisel design's buffer of writes and its registers: the line is written ten
 * cycles after memory was asked for it (chisel, 2.4). */
TEST(a_store_is_written_ten_cycles_after_its_read)
{
    struct bench b;
    struct ventus_model_config c = config_of(3);
    c.memory_stages = 2;
    c.l2_write_cycles = 0;
    start(&b, &c);
    request(&b, 0, MEM_PUT, 3);
    uint64_t read = 0, written = 0;
    for (unsigned i = 0; i < 60; i++) {
        run(&b, 1);
        if (!read && b.stats.memory_reads)
            read = b.now;
        if (!written && b.stats.memory_writes)
            written = b.now;
    }
    CHECK_EQ(written - read, 10);
    end(&b);
}

/* A dirty victim is written in the cycle after the read of the line that takes its place
 * (dir_result_buffer, stage_3 of SourceD.scala), and does not hold that up. */
TEST(a_dirty_victim_follows_the_read)
{
    struct bench b;
    struct ventus_model_config c = config_of(3);
    c.l2_hits = true;
    c.l2.replacement = VENTUS_MODEL_REPLACE_LFSR;
    c.l2.sets = c.l2.ways = 1;
    c.l2_hit_cycles = c.memory_requests = 1;
    c.l2_write_cycles = 0;
    start(&b, &c);
    for (unsigned i = 0; i < 3; i++, run(&b, 40))
        request(&b, 0, i == 1 ? MEM_PUT : MEM_GET, i == 2 ? 5 : 3);
    CHECK_EQ(b.came[0][5], 80 + TO_MEMORY + 3 + FROM_MEMORY);
    CHECK(b.stats.memory_reads == 2 && b.stats.memory_writes == 1);
    end(&b);
}

/* Two requests of one line share an MSHR and a read; the answers are apart. */
TEST(one_line_is_read_once)
{
    struct bench b;
    struct ventus_model_config c = config_of(20);
    start(&b, &c);
    request(&b, 0, MEM_GET, 3);
    request(&b, 1, MEM_GET, 3);
    run(&b, 60);
    CHECK_EQ(b.stats.memory_reads, 1);
    CHECK(b.came[0][3] > 0 && b.came[1][3] > b.came[0][3]);
    end(&b);
}

/* Answers wait for room; nothing is lost. */
TEST(an_answer_waits_for_its_receiver)
{
    struct bench b;
    struct ventus_model_config c = config_of(1);
    start(&b, &c);
    b.deaf = true;
    request(&b, 0, MEM_GET, 3);
    run(&b, 50);
    CHECK_EQ(b.came[0][3], NEVER_CAME);
    b.deaf = false;
    cycle(&b);
    CHECK_EQ(b.came[0][3], 50);
    end(&b);
}

/* A flush waits until the L2 is empty and takes flush_cycles. */
TEST(a_flush_is_behind_what_came_before)
{
    struct bench b;
    struct ventus_model_config c = config_of(20);
    c.flush_cycles = 30;
    start(&b, &c);
    request(&b, 0, MEM_GET, 3);
    run(&b, 3);
    request(&b, 0, MEM_FLUSH, 4);
    run(&b, 100);
    CHECK(b.came[0][4] >= b.came[0][3] + 30);
    CHECK(!l2_is_flushing(&b.l2));
    CHECK_EQ(l2_walked(&b.l2, b.now), b.came[0][4]);
    CHECK_EQ(l2_walked(&b.l2, 90), b.came[0][4] < 90 ? b.came[0][4] : 90);
    end(&b);
}

/* Answers of two flushes that wait one behind the other; `launches` were before. */
static void
walk_twice(bool count_rests, unsigned launches, int *first, int *second)
{
    struct bench b;
    struct ventus_model_config c = config_of(20);
    c.l2.sets = 8;
    c.l2.ways = 4;
    c.flush_behind = true;
    c.flush_cycles = 3;
    c.flush_count_rests = count_rests;
    start(&b, &c);
    for (unsigned n = 0; n <= launches; n++) {
        l2_reset(&b.l2, n);
        b.now = b.opens = 0;
        request(&b, 0, MEM_FLUSH, 4);
        request(&b, 1, MEM_FLUSH, 5);
        run(&b, 400);
    }
    *first = b.came[0][4];
    *second = b.came[1][5];
    end(&b);
}

/*
 * flushCount of Directory_test.scala goes from 0 to 1,023 for 1,024 lines, and rests
 * at 1,024 in 11 bits: 32 lines here.  The answer, and with it the next request, is
 * three cycles behind the last line: result, dir_result_buffer, SourceD.  A request
 * comes to the L2 in cycle 2.
 */
TEST(later_walks_of_the_l2_count_twice)
{
    int first, second;
    walk_twice(true, 0, &first, &second);
    CHECK_EQ(first, 2 + 32 + 3);
    CHECK_EQ(second - first, 64 + 3);
    walk_twice(true, 1, &first, &second); /* a launch resets no counter */
    CHECK_EQ(first, 2 + 64 + 3);
    CHECK_EQ(second - first, 64 + 3);
    walk_twice(false, 1, &first, &second);
    CHECK_EQ(first, 2 + 32 + 3);
    CHECK_EQ(second - first, 32 + 3);
}

/* Hint of SinkA.scala: a.ready needs the put buffer to be empty, which a store that
 * misses leaves with its answer. */
TEST(a_walk_waits_for_a_store_that_is_under_way)
{
    struct bench b;
    struct ventus_model_config c = config_of(20);
    c.flush_behind = true;
    c.flush_cycles = 3;
    start(&b, &c);
    request(&b, 0, MEM_PUT, 3);
    request(&b, 1, MEM_FLUSH, 4);
    while (!l2_is_flushing(&b.l2) && b.now < 100)
        cycle(&b);
    CHECK_EQ(b.now, TO_MEMORY + 20 + FROM_MEMORY);
    end(&b);
}

/* The LFSR of the directory is a RegInit: what a launch left of it is there for the
 * next one.  A look makes 0 to 1, and x to 2 x and the parity of bits 0, 1, 3, 4. */
TEST(a_launch_keeps_the_lfsr)
{
    static const unsigned lfsr[] = { 0, 1, 3 };
    struct bench b;
    struct ventus_model_config c = config_of(20);
    c.l2_hits = true;
    c.l2.replacement = VENTUS_MODEL_REPLACE_LFSR;
    start(&b, &c);
    for (unsigned n = 0; n < 3; n++) {
        l2_reset(&b.l2, n);
        CHECK_EQ(l2_checkpoint(&b.l2).lfsr, lfsr[n]);
        b.now = b.opens = 0;
        request(&b, 0, MEM_GET, 3);
        run(&b, 100);
    }
    struct l2_persistent kept = l2_checkpoint(&b.l2);
    l2_restore(&b.l2, (struct l2_persistent){ 0 });
    CHECK_EQ(l2_checkpoint(&b.l2).lfsr, 0);
    l2_restore(&b.l2, kept);
    l2_reset(&b.l2, 3);
    CHECK_EQ(l2_checkpoint(&b.l2).lfsr, kept.lfsr);
    l2_reset(&b.l2, 0);
    CHECK_EQ(l2_checkpoint(&b.l2).lfsr, 0);
    end(&b);
}

/* Of SMs the lowest goes first, of an SM its L1I, and page walks last. */
TEST(the_bus_takes_one_a_cycle)
{
    struct bench b;
    struct ventus_model_config c = config_of(1);
    c.bus_queue = 8;
    start(&b, &c);
    for (unsigned i = 0; i < SMS; i++) {
        b.fetch[i] = b.walk[i] = true;
        request(&b, i, MEM_GET, 0);
    }
    CHECK_EQ(bus_next_event(&b.bus), 1);
    for (unsigned left = 3 * SMS; left; left--) {
        unsigned had = 0;
        bool expected[3][SMS];
        for (unsigned i = 0; i < SMS; i++)
            had += b.fetch[i] + b.walk[i] + !bus_can_send(&b.bus, i);
        CHECK_EQ(had, left);
        memcpy(expected[0], b.fetch, sizeof b.fetch);
        for (unsigned i = 0; i < SMS; i++)
            expected[1][i] = !bus_can_send(&b.bus, i) && b.now > 0;
        memcpy(expected[2], b.walk, sizeof b.walk);
        cycle(&b);
        unsigned sm = 0;
        while (sm < SMS && !expected[0][sm] && !expected[1][sm])
            sm++;
        if (sm < SMS)
            CHECK(expected[0][sm] ? !b.fetch[sm] : bus_can_send(&b.bus, sm));
        else
            CHECK_EQ(b.walk[0] + b.walk[1] + b.walk[2], left - 1);
    }
    end(&b);
}

/* Lookahead is sound: no answer comes before it, whatever is asked meanwhile:
 * `bound` is what was said once, until there was an answer or another request. */
static void
ask_at_random(struct bench *b, unsigned cycles)
{
    unsigned lines = 0;
    while (cycles--) {
        for (unsigned i = 0; i < SMS; i++)
            if (bus_can_send(&b->bus, i) && !any(6)) {
                enum mem_op op =
                    any(20) ? any(3) ? MEM_GET : MEM_PUT : MEM_FLUSH;
                request_with(b, i, op, any(12) + 16 * (lines++ % 3), any(4));
            }
        cycle(b);
    }
}

static void
is_sound(const struct ventus_model_config *c)
{
    struct bench b;
    start(&b, c);
    ask_at_random(&b, 300000);
    CHECK(b.stats.memory_reads > 20);
    end(&b);
}

/* The queue before a closed L2 is full: nothing that waits behind it goes on by itself. */
TEST(a_full_l2_is_not_polled)
{
    struct bench b;
    struct ventus_model_config c = config_of(1);
    c.bus_queue = 1;
    start(&b, &c);
    request(&b, 0, MEM_FLUSH, 0);
    run(&b, 4);
    request(&b, 0, MEM_GET, 1);
    request(&b, 1, MEM_GET, 2);
    CHECK_EQ(bus_next_event(&b.bus), b.now + 1);
    run(&b, 4);
    CHECK(l2_is_flushing(&b.l2) && l2_is_full(&b.l2));
    CHECK(bus_can_send(&b.bus, 0) && !bus_can_send(&b.bus, 1));
    CHECK(!bus_is_due(&b.bus));
    CHECK_EQ(bus_next_event(&b.bus), UINT64_MAX);
    while (l2_is_full(&b.l2))
        cycle(&b);
    CHECK(bus_next_event(&b.bus) <= b.now);
    end(&b);
}

/* An SM asks for a line, another one for a walk, a third one for that line: the line
 * comes during the walk, and the third one hits behind it.  Its lookahead said that
 * it would have to ask memory. */
TEST(a_line_that_is_asked_for_before_a_walk_is_a_hit_behind_it)
{
    unsigned hits = 0;
    for (unsigned apart = 0; apart < 4; apart++) {
        struct bench b;
        struct ventus_model_config c = config_of(30);
        c.l2_hits = true;
        c.l2.sets = 8;
        start(&b, &c);
        request(&b, 0, MEM_GET, 3);
        run(&b, apart);
        request(&b, 1, MEM_FLUSH, 0);
        run(&b, apart);
        request(&b, 2, MEM_GET, 3);
        run(&b, 400);
        CHECK(b.came[0][3] > 0 && b.came[2][3] > b.came[0][3]);
        hits += (unsigned)b.sm_stats[2].l2_hits;
        end(&b);
    }
    CHECK(hits >= 2);
}

/* Long enough for the rare: a line that comes during a walk is a hit behind it. */
TEST(lookahead_is_never_late)
{
    struct ventus_model_config c = config_of(1);
    is_sound(&c);
    c.memory_cycles = 30;
    is_sound(&c);
    c.l2_hits = true;
    c.l2.sets = 8;
    is_sound(&c);
    c.memory_jitter = 40;
    is_sound(&c);
    c = config_of(1);
    c.dram = true;
    c.dram_banks = 4;
    c.l2_hits = true;
    is_sound(&c);
}

/* A tick before next_event changes nothing: the bench that leaves such ticks out
 * has the same answers in the same cycles. */
TEST(nothing_happens_before_the_next_event)
{
    struct ventus_model_config c = config_of(30);
    struct bench all, some;
    start(&all, &c);
    start(&some, &c);
    request(&all, 0, MEM_GET, 3);
    request(&some, 0, MEM_GET, 3);
    request(&all, 1, MEM_PUT, 5);
    request(&some, 1, MEM_PUT, 5);
    run(&all, 300);
    unsigned ticks = 0;
    while (some.now < 300) {
        uint64_t next = bus_next_event(&some.bus);
        uint64_t l2 = l2_next_event(&some.l2);
        uint64_t memory = memory_next_event(&some.memory, some.now);
        next = l2 < next ? l2 : next;
        next = memory < next ? memory : next;
        if (next > some.now) {
            some.now = next < 300 ? next : 300;
            continue;
        }
        cycle(&some);
        ticks++;
    }
    CHECK(!memcmp(all.came, some.came, sizeof all.came));
    CHECK(ticks < 100);
    end(&all);
    end(&some);
}

TEST_MAIN
