/* SPDX-License-Identifier: Apache-2.0 */
/* The machine by its interface: timing, limits, what it refuses to load. */
#include <string.h>

#include <ventus/tile.h>

#include "base/diag.h"
#include "program.h"
#include "test.h"
#include "tile/load.h"
#include "tile/thread.h"

static struct ventus_tile_machine *
load(const struct ventus_tile_options *options, const uint32_t *code,
     size_t size)
{
    uint8_t image[512];
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    struct ventus_tile_machine *m = ventus_tile_create(options);
    size = tile_make_elf(image, code, size);
    CHECK(m && tile_load(m, "test", image, size, &sink));
    arena_free(&a);
    return m;
}

#define EXIT 0x05d00893, 0x00000073 /* li a7, 93; ecall */

/* a0 is in global memory, a1 in share memory. */
static uint64_t
cycles_of(const uint32_t *code, size_t size)
{
    const uint64_t args[] = { 0x20000, 0x400 };
    struct ventus_tile_machine *m =
        load(&(struct ventus_tile_options){ .timing = true }, code, size);
    ventus_tile_set_arguments(m, args, 2);
    CHECK_EQ(ventus_tile_run(m, 0), VENTUS_TILE_EXITED);
    uint64_t cycles = ventus_tile_stats_of(m)->cycles;
    ventus_tile_destroy(m);
    return cycles;
}

/* Reads are two cycles apart, writes one (the document). */
TEST(tcsr_reads_and_writes)
{
    static const uint32_t reads[] = { 0x4010257b, 0x4010257b, 0x4010257b,
                                      0x4010257b, EXIT };
    static const uint32_t writes[] = { 0x8015a07b, 0x8015a07b, 0x8015a07b,
                                       0x8015a07b, EXIT };
    uint64_t slow = cycles_of(reads, sizeof reads);
    uint64_t fast = cycles_of(writes, sizeof writes);
    CHECK_EQ(fast, 6);
    CHECK_EQ(slow - fast, 3);
}

/* tmma.s8 tr32, tr0, tr8, four times; twait.mma: 3 * 16 busy + 32. */
TEST(matrix_multiply_takes_its_time)
{
    static const uint32_t code[] = { 0x1000307b, 0x0400607b, 0x1000307b,
                                     0x0400607b, 0x1000307b, 0x0400607b,
                                     0x1000307b, 0x0400607b, 0x080050fb,
                                     EXIT };
    CHECK_EQ(cycles_of(code, sizeof code), 1 + 3 * 16 + 32 + 2);
}

/* A unit that is free again at once: a result after its latency alone. */
TEST(a_unit_may_be_busy_for_no_time)
{
    static const uint32_t code[] = { 0x1000307b, 0x0400607b, 0x1000307b,
                                     0x0400607b, 0x080050fb, EXIT };
    struct ventus_tile_timing costs = { .latency[VENTUS_TILE_LAT_MMA] = 10 };
    costs.latency[VENTUS_TILE_LAT_CTRL] = costs.interval[VENTUS_TILE_LAT_CTRL] =
        1;
    struct ventus_tile_machine *m =
        load(&(struct ventus_tile_options){ .timing = true, .costs = &costs },
             code, sizeof code);
    CHECK_EQ(ventus_tile_run(m, 0), VENTUS_TILE_EXITED);
    CHECK_EQ(ventus_tile_stats_of(m)->cycles, 2 + 10 + 2);
    ventus_tile_destroy(m);
}

/* tmma, n times nop, twait.mma, two to exit: 32 are waited for, or less. */
TEST(a_wait_ends_with_what_it_waits_for)
{
    static const uint32_t end[] = { 0x080050fb, EXIT };
    for (unsigned n = 0; n < 40; n++) {
        uint32_t code[2 + 40 + 3] = { 0x1000307b, 0x0400607b };
        for (unsigned i = 0; i < n; i++)
            code[2 + i] = 0x13;
        memcpy(code + 2 + n, end, sizeof end);
        CHECK_EQ(cycles_of(code, (2 + n) * 4 + sizeof end),
                 n + 1 < 32 ? 1 + 32 + 2 : 1 + n + 1 + 2);
    }
}

/* An instruction, the wait for its kind, two to exit: nothing but the latency
 * of its class in the table, from the second cycle on. */
TEST(each_kind_is_waited_for)
{
    static const struct {
        uint32_t word[2], wait;
        unsigned latency;
    } cases[] = {
        { { 0x8005007b, 0x0000607b }, 0x000054fb, 200 }, /* tld.g, ld=0 */
        { { 0x8005007b, 0x1000607b }, 0x000058fb, 200 }, /* tst.g, st=0 */
        { { 0x8005907b, 0x0000607b }, 0x020054fb, 24 },  /* tld.s, ld=0 */
        { { 0x8005907b, 0x1000607b }, 0x020058fb, 24 },  /* tst.s, st=0 */
        { { 0x1000307b, 0x0400607b }, 0x080050fb, 32 },  /* tmma.s8 */
        { { 0x0000c07b, 0x0181627b }, 0x100050fb, 12 },  /* tadd.i32 */
        { { 0x0000c17b, 0x0000607b }, 0x100050fb, 40 },  /* texp.f32 */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const uint32_t code[] = { cases[i].word[0], cases[i].word[1],
                                  cases[i].wait, EXIT };
        CHECK_EQ(cycles_of(code, sizeof code), 1 + cases[i].latency + 2);
    }
    /* vsetivli zero, 8, e32; tma.cp.g2s.bulk of no bytes; tcommit; twait */
    static const uint32_t copy[] = { 0xcd047057, 0x5250747b, 0xa0b5057b,
                                     0xa204607b, 0x040050fb, 0x060050fb,
                                     EXIT };
    CHECK_EQ(cycles_of(copy, sizeof copy), 2 + 300 + 2);
}

/* tmma of 1, 8, 2, 4 and 1 tiles; 8 x 8 results, of 32 bytes of k each. */
TEST(multiply_adds_are_counted)
{
    static const uint32_t code[] = {
        0x1000307b, 0x0400607b, /* s8 */
        0x1000307b, 0x0401e07b, /* s8, n=8 */
        0x1000307b, 0x0420e07b, /* f16, n=2 */
        0x1000307b, 0x042d617b, /* f32, n=4, multi */
        0x1000307b, 0x0428607b, /* tf32 */
        EXIT
    };
    struct ventus_tile_machine *m =
        load(&(struct ventus_tile_options){ 0 }, code, sizeof code);
    CHECK_EQ(ventus_tile_run(m, 0), VENTUS_TILE_EXITED);
    CHECK_EQ(ventus_tile_stats_of(m)->macs,
             8 * 8 * (32 + 8 * 32 + 2 * 16 + 4 * 8 + 8));
    ventus_tile_destroy(m);
}

/* 31 of a kind are outstanding at most (docs/tile.md, The machine): the 32nd
 * goes when the first is done, 100 cycles later, and 8 more behind it. */
TEST(a_full_queue_waits)
{
    static const uint32_t kinds[][2] = { { 0x8005007b, 0x0000607b },
                                         { 0x0000c07b, 0x0181627b } };
    struct ventus_tile_timing costs = { .latency[VENTUS_TILE_LAT_GLSU] = 100,
                                        .latency[VENTUS_TILE_LAT_ALU] = 100 };
    const struct ventus_tile_options options = { .timing = true,
                                                 .costs = &costs };
    for (unsigned k = 0; k < 2; k++) {
        uint32_t code[2 * 40 + 2] = { [80] = 0x05d00893, [81] = 0x00000073 };
        for (unsigned i = 0; i < 40; i++)
            memcpy(code + 2 * i, kinds[k], sizeof kinds[k]);
        struct ventus_tile_machine *m = load(&options, code, sizeof code);
        ventus_tile_set_arguments(m, (const uint64_t[]){ 0x20000 }, 1);
        CHECK_EQ(ventus_tile_run(m, 0), VENTUS_TILE_EXITED);
        CHECK_EQ(ventus_tile_stats_of(m)->cycles, 1 + 100 + 8 + 2);
        ventus_tile_destroy(m);
    }
}

TEST(timing_is_configured)
{
    struct ventus_tile_timing t = { 0 };
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    CHECK(tile_read_timing(&t, "t", "# mine\nmma 10 4\n\n alu 7\n", &sink));
    CHECK_EQ(t.latency[VENTUS_TILE_LAT_MMA], 10);
    CHECK_EQ(t.interval[VENTUS_TILE_LAT_MMA], 4);
    CHECK_EQ(t.latency[VENTUS_TILE_LAT_ALU], 7);
    CHECK(!tile_read_timing(&t, "t", "mma\n", &sink));
    CHECK(!tile_read_timing(&t, "t", "fpu 3\n", &sink));
    CHECK(!tile_read_timing(&t, "t", "mma 99999999\n", &sink));
    CHECK_EQ(sink.errors, 3);
    arena_free(&a);
}

/* What a loop of 2,000 loads of a tile leaves in the checker: li t1, STRIDE;
 * 1: tlds.g tr8, 64(a0), t1; addi a0, a0, STEP; addi a2, a2, -1; bnez a2, 1b */
static struct check_list
load_tiles(uint32_t stride, uint32_t step, uint64_t *compared)
{
    const uint32_t code[] = { 0x00000313 | stride << 20,
                              0x8405007b,
                              0x002360fb,
                              0x00050513 | step << 20,
                              0xfff60613,
                              0xfe0618e3,
                              EXIT };
    const uint64_t args[] = { 0x20000, 0, 2000 };
    struct ventus_tile_machine *m = load(
        &(struct ventus_tile_options){ .ram_size = 8 << 20, .check = true },
        code, sizeof code);
    ventus_tile_set_arguments(m, args, 3);
    CHECK_EQ(ventus_tile_run(m, 0), VENTUS_TILE_EXITED);
    CHECK_EQ(m->check.hazards, 0);
    struct check_list rows = m->check.rows;
    *compared = m->check.compared;
    ventus_tile_destroy(m);
    return rows;
}

/* Rows that are apart or side by side, loaded again and again and never waited for.
 * The checker kept each load's, and compared it with all of them. */
TEST(the_checker_keeps_the_same_rows_once)
{
    uint64_t compared;
    CHECK_EQ(load_tiles(4, 0, &compared).n, VENTUS_TILE_ROWS);
    CHECK_EQ(load_tiles(1, 0, &compared).n, VENTUS_TILE_ROWS);
}

/* And rows that are new each time. */
TEST(the_checker_takes_linear_time_for_new_rows)
{
    uint64_t compared;
    CHECK_EQ(load_tiles(4, 1024, &compared).n, 2000 * VENTUS_TILE_ROWS);
    CHECK(compared < 8 * 2000 * VENTUS_TILE_ROWS);
}

/* 1: j 1b */
TEST(limit_stops_and_goes_on)
{
    static const uint32_t code[] = { 0x0000006f };
    struct ventus_tile_machine *m =
        load(&(struct ventus_tile_options){ .threads = 2 }, code, sizeof code);
    CHECK_EQ(ventus_tile_run(m, 1000), VENTUS_TILE_LIMIT);
    uint64_t before = ventus_tile_stats_of(m)->instructions;
    CHECK_EQ(ventus_tile_run(m, 1000), VENTUS_TILE_LIMIT);
    CHECK(ventus_tile_stats_of(m)->instructions >= before + 1000);
    ventus_tile_destroy(m);
}

/* tsync.wait 2, 0x03, cta with one thread: who is to come? */
TEST(deadlock_names_the_missing)
{
    static const uint32_t code[] = { 0x1031507b, EXIT };
    struct ventus_tile_machine *m =
        load(&(struct ventus_tile_options){ .threads = 1 }, code, sizeof code);
    CHECK_EQ(ventus_tile_run(m, 0), VENTUS_TILE_DEADLOCK);
    char text[512] = "";
    FILE *out = fmemopen(text, sizeof text, "w");
    ventus_tile_report(m, out);
    fclose(out);
    CHECK(strstr(text, "t_sync 2 (CTA), generation 1, for PE 0 thread 1 "
                       "(is not there)"));
    ventus_tile_destroy(m);
}

/* One load or store of `size` bytes at `at`, of what a1 holds; then exits. */
static void
check_access(uint64_t at, unsigned log2, bool store, bool inside, bool checked)
{
    const uint64_t pattern = 0x8877665544332211, args[] = { at, pattern };
    uint32_t code[3] = { (store ? 11u << 20 | 0x23 : 12u << 7 | 3) | 10u << 15 |
                             log2 << 12,
                         0x05d00893, 0x00000073 };
    struct ventus_tile_machine *m = load(
        &(struct ventus_tile_options){ .ram_size = 1 << 20, .check = checked },
        code, sizeof code);
    ventus_tile_set_arguments(m, args, 2);
    enum ventus_tile_end end = ventus_tile_run(m, 0);
    if (!CHECK_EQ(end, inside ? VENTUS_TILE_EXITED : VENTUS_TILE_FAULTED))
        printf("  %s of %u bytes at 0x%llx\n", store ? "store" : "load",
               1u << log2, (unsigned long long)at);
    if (!inside) {
        const struct ventus_tile_fault *f = ventus_tile_fault_of(m);
        CHECK_EQ(f->cause,
                 store ? VENTUS_TILE_CAUSE_STORE : VENTUS_TILE_CAUSE_LOAD);
        CHECK_EQ(f->value, at);
        CHECK_EQ(f->pc, TILE_ENTRY);
    } else if (store) {
        uint64_t there = 0;
        CHECK(ventus_tile_read(m, at, &there, (size_t)1 << log2));
        CHECK(memcmp(&there, &pattern, (size_t)1 << log2) == 0);
    }
    ventus_tile_destroy(m);
}

/* Memory ends at a byte, for every width, checked or not; so do what scalar
 * code sees of share memory and of the L2B. */
TEST(scalar_accesses_end_where_memory_does)
{
    const struct {
        uint64_t lo, hi;
    } memory[] = { { 0x1000, 1 << 20 },
                   { 0x100000000, 0x100000000 + (256 << 10) },
                   { 0x180000000, 0x180000000 + (4 << 20) } };
    for (unsigned k = 0; k < 3; k++)
        for (unsigned log2 = 0; log2 < 4; log2++)
            for (unsigned form = 0; form < 4; form++) {
                bool store = form & 1, checked = form & 2;
                uint64_t size = UINT64_C(1) << log2, hi = memory[k].hi;
                for (uint64_t at = hi - 2 * size; at <= hi + size; at += size)
                    check_access(at, log2, store, at + size <= hi, checked);
                check_access(memory[k].lo, log2, store, true, checked);
                check_access(memory[k].lo - size, log2, store, false, checked);
            }
}

/* A range that the host asks for lies in one memory. */
TEST(host_ranges_end_where_memory_does)
{
    struct ventus_tile_machine *m = ventus_tile_create(
        &(struct ventus_tile_options){ .ram_size = 1 << 20 });
    uint8_t bytes[64] = { 7 }, back[64] = { 0 };
    CHECK(ventus_tile_write(m, (1 << 20) - 64, bytes, 64));
    CHECK(ventus_tile_read(m, (1 << 20) - 64, back, 64));
    CHECK_EQ(back[0], 7);
    CHECK(!ventus_tile_write(m, (1 << 20) - 63, bytes, 64));
    CHECK(!ventus_tile_read(m, (1 << 20) - 63, back, 64));
    CHECK(!ventus_tile_read(m, 0xfff, back, 64));
    CHECK(!ventus_tile_read(m, (uint64_t)-32, back, 64));
    CHECK(!ventus_tile_read(m, 1 << 20, back, (size_t)-1));
    ventus_tile_destroy(m);
}

TEST(refuses_what_it_cannot_load)
{
    static const uint32_t code[] = { EXIT };
    uint8_t image[512];
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    struct ventus_tile_machine *m =
        ventus_tile_create(&(struct ventus_tile_options){ 0 });
    size_t size = tile_make_elf(image, code, sizeof code);
    tile_put(image, 18, 2, 62); /* x86-64 */
    CHECK(!tile_load(m, "other", image, size, &sink));
    tile_put(image, 18, 2, 243);
    tile_put(image, 80, 8, UINT64_C(1) << 40);
    CHECK(!tile_load(m, "far", image, size, &sink));
    CHECK(!tile_load(m, "short", image, 40, &sink));
    CHECK_EQ(sink.errors, 3);
    CHECK(!ventus_tile_create(&(struct ventus_tile_options){ .threads = 9 }));
    /* Behind 16 MiB is the next PE's share memory; RAM ended before it began,
     * and the host's memory was open to loads and stores. */
    CHECK(!ventus_tile_create(
        &(struct ventus_tile_options){ .smem_size = (1 << 24) + 1 }));
    CHECK(!ventus_tile_create(
        &(struct ventus_tile_options){ .l2b_size = (1u << 31) + 1 }));
    CHECK(
        !ventus_tile_create(&(struct ventus_tile_options){ .ram_size = 4096 }));
    CHECK(!ventus_tile_create(
        &(struct ventus_tile_options){ .ram_size = (UINT64_C(1) << 32) + 1 }));
    ventus_tile_destroy(m);
    arena_free(&a);
}

/* 100 headers of 16 MiB each at one place: memory has 256 MiB. */
TEST(segments_that_are_larger_than_memory_together_are_refused)
{
    enum { N = 100 };
    static const uint32_t code[] = { EXIT };
    static uint8_t image[TILE_HEADERS + 56 * N + sizeof code];
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    struct ventus_tile_machine *m =
        ventus_tile_create(&(struct ventus_tile_options){ 0 });
    tile_make_elf(image, code, sizeof code);
    tile_put(image, 56, 2, N);
    tile_put(image, 104, 8, 16 << 20);
    for (int i = 1; i < N; i++)
        memcpy(image + 64 + 56 * i, image + 64, 56);
    CHECK(!tile_load(m, "test", image, sizeof image, &sink));
    CHECK_EQ(sink.errors, 1);
    CHECK_STR(sink.first->message,
              "segments: expected 0x10000000 bytes in all at most, the size of "
              "memory");
    ventus_tile_destroy(m);
    arena_free(&a);
}

TEST_MAIN
