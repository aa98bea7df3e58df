/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs whose workgroups race with plain loads and stores give the same
 * cycles, counters, faults and memory on any number of host threads.  What one
 * launch leaves is where the next begins, so that a difference stays.
 */
#include "model/machine.h"
#include "model/parallel/speculation.h"
#include "racing.h"

static void
compare_all(const struct racing *r, struct setting s)
{
    s.sms = 2;
#ifdef __SANITIZE_THREAD__ /* ten times as slow, and sees races in one run */
    s.launches = 1;
    s.machine = MACHINE_CHISEL;
    compare(r, s, 2);
    s.machine = MACHINE_PLAIN;
    compare(r, s, 2);
#else
    for (; s.machine < MACHINES; s.machine++) {
        s.sms = 2;
        compare(r, s, 2);
        s.sms = 5;
        compare(r, s, 3);
    }
#endif
}

/* ---- programs ---- */

/* Each round stores where the last load said, in some lines that all use. */
static void
put_chaos(struct racing *r, unsigned rounds, unsigned lines, unsigned delay)
{
    begin(r, rounds);
    unsigned start = r->n;
    put(r, ventus_isa_slli(AT, SUM, 2));
    put(r, ventus_isa_andi(AT, AT, (int32_t)(128 * lines - 4)));
    put(r, ventus_isa_add(AT, AT, BASE));
    put(r, ventus_isa_lw(12, AT, 0));
    put(r, ventus_isa_slli(13, SUM, 3));
    put(r, ventus_isa_add(SUM, SUM, 13));
    put(r, ventus_isa_add(SUM, SUM, 12));
    put(r, ventus_isa_add(SUM, SUM, GROUP));
    put(r, ventus_isa_addi(SUM, SUM, 5));
    put_delay(r, delay);
    put(r, ventus_isa_sw(SUM, AT, 0));
    again(r, start);
    put(r, ventus_isa_endprg(0, 0, 0));
}

TEST(all_use_the_same_words)
{
    static const unsigned delay[] = { 1, 7, 40 };
    for (unsigned i = 0; i < sizeof delay / sizeof *delay; i++) {
        struct racing r;
        put_chaos(&r, 60, 4, delay[i]);
        compare_all(&r, (struct setting){ .launches = 3, .groups = 8 });
    }
}

/* How many kernels a model remembers, of one launch.  On a busy host a piece in parallel
 * could end before the race. */
static unsigned
remembered(const struct racing *r, unsigned threads)
{
    struct setting s = { .sms = 2, .groups = 8 };
    struct ventus_model *m = make(r, &s, threads);
    m->pdes.pool.tuning.patient = true;
    struct ventus_model_stats stats = { 0 };
    struct ventus_sim_fault fault;
    unsigned print;
    CHECK(launch(m, &s, &print, &stats, &fault));
    unsigned n = speculation_rollbacks(m);
    ventus_model_destroy(m);
    return n;
}

/* SMs do run ahead on two threads, or nothing of the others would be tested: what
 * races is done again, and then on one thread (docs/pdes.md). */
TEST(a_race_is_found_on_two_threads_only)
{
    struct racing r;
    put_chaos(&r, 60, 4, 7);
    CHECK_EQ(remembered(&r, 1), 0);
    CHECK_EQ(remembered(&r, 2), 1);
    begin(&r, 60);
    put(&r, ventus_isa_endprg(0, 0, 0));
    CHECK_EQ(remembered(&r, 2), 0);
}

/* Only the last of many workgroups leaves a word that the first looks for. */
TEST(one_race_at_the_end)
{
    for (unsigned delay = 1; delay < 60; delay += 13) {
        struct racing r;
        begin(&r, 200);
        unsigned start = r.n;
        put(&r, ventus_isa_addi(SUM, SUM, 3));
        again(&r, start);
        put(&r, ventus_isa_bne(GROUP, 0, 4 * 8));
        put(&r, ventus_isa_addi(COUNT, 0, 80));
        start = r.n;
        put(&r, ventus_isa_lw(12, BASE, 0));
        put(&r, ventus_isa_add(SUM, SUM, 12));
        again(&r, start);
        put(&r, ventus_isa_sw(SUM, BASE, 128));
        put(&r, ventus_isa_endprg(0, 0, 0));
        put_delay(&r, delay);
        put(&r, ventus_isa_sw(GROUP, BASE, 0));
        put(&r, ventus_isa_endprg(0, 0, 0));
        compare_all(&r, (struct setting){ .launches = 3, .groups = 5 });
    }
}

/* Code of many lines, which the instruction caches got while the launch was
 * run in a way that it could not keep: they begin without them again. */
TEST(long_code_before_the_race)
{
    struct racing r;
    begin(&r, 40);
    while (r.n < 100)
        put(&r, ventus_isa_addi(SUM, SUM, 3));
    unsigned start = r.n;
    put(&r, ventus_isa_lw(12, BASE, 0));
    put(&r, ventus_isa_add(SUM, SUM, 12));
    put(&r, ventus_isa_sw(GROUP, BASE, 0));
    again(&r, start);
    put(&r, ventus_isa_endprg(0, 0, 0));
    compare_all(&r, (struct setting){ .launches = 3, .groups = 5 });
}

/* Lanes of all workgroups, bytes and words, scattered over each other. */
TEST(vectors_scatter_over_each_other)
{
    struct racing r;
    begin(&r, 50);
    put(&r, ventus_isa_vid_v(1, VM));
    put(&r, ventus_isa_vadd_vx(2, 1, GROUP, VM));
    put(&r, ventus_isa_addi(12, 0, 255));
    put(&r, ventus_isa_slli(12, 12, 2));
    unsigned start = r.n;
    put(&r, ventus_isa_vsll_vi(3, 2, 2, VM));
    put(&r, ventus_isa_vand_vx(3, 3, 12, VM));
    put(&r, ventus_isa_vadd_vx(3, 3, BASE, VM));
    put(&r, ventus_isa_vlw12_v(4, 3, 0));
    put(&r, ventus_isa_vmul_vx(2, 2, COUNT, VM));
    put(&r, ventus_isa_vadd_vv(2, 2, 4, VM));
    put(&r, ventus_isa_vadd_vv(2, 2, 1, VM));
    put_delay(&r, 9);
    put(&r, ventus_isa_vsb12_v(2, 3, 1));
    put(&r, ventus_isa_vsw12_v(2, 3, 0));
    again(&r, start);
    put(&r, ventus_isa_endprg(0, 0, 0));
    compare_all(&r, (struct setting){ .launches = 3, .groups = 8 });
}

/* Registers in groups of two: the second half of an access is behind it. */
TEST(groups_of_registers)
{
    struct racing r;
    begin(&r, 50);
    put(&r, ventus_isa_addi(12, 0, 16));
    put(&r, ventus_isa_vsetvli(0, 12, 2 << 3 | 1));
    unsigned start = r.n;
    put(&r, ventus_isa_vle32_v(2, BASE, VM));
    put(&r, ventus_isa_vadd_vx(2, 2, GROUP, VM));
    put(&r, ventus_isa_vmul_vx(2, 2, COUNT, VM));
    put_delay(&r, 5);
    put(&r, ventus_isa_vse32_v(2, BASE, VM));
    again(&r, start);
    put(&r, ventus_isa_endprg(0, 0, 0));
    compare_all(&r, (struct setting){ .launches = 3, .groups = 8 });
}

/* Atomics are done in order; what is stored and loaded around them races. */
TEST(atomics_among_plain_accesses)
{
    struct racing r;
    begin(&r, 30);
    put(&r, ventus_isa_vid_v(1, VM));
    put(&r, ventus_isa_vmv_v_x(3, BASE));
    unsigned start = r.n;
    put(&r, ventus_isa_amoadd_w(2, 1, 3, 0));
    put_delay(&r, 11);
    put(&r, ventus_isa_lw(12, BASE, 0));
    put(&r, ventus_isa_andi(12, 12, 252));
    put(&r, ventus_isa_add(12, 12, BASE));
    put(&r, ventus_isa_lw(13, 12, 0));
    put(&r, ventus_isa_add(13, 13, COUNT));
    put(&r, ventus_isa_sw(13, 12, 0));
    put(&r, ventus_isa_fence(0x33, 0));
    again(&r, start);
    put(&r, ventus_isa_endprg(0, 0, 0));
    compare_all(&r, (struct setting){ .launches = 3, .groups = 8 });
}

/* The same word at two addresses. */
TEST(one_page_at_two_addresses)
{
    struct racing r;
    begin(&r, 60);
    put(&r, ventus_isa_andi(12, GROUP, 1));
    put(&r, ventus_isa_slli(12, 12, 15));
    put(&r, ventus_isa_add(BASE, BASE, 12));
    unsigned start = r.n;
    put(&r, ventus_isa_lw(12, BASE, 4));
    put(&r, ventus_isa_add(SUM, SUM, 12));
    put(&r, ventus_isa_addi(SUM, SUM, 1));
    put_delay(&r, 6);
    put(&r, ventus_isa_sw(SUM, BASE, 4));
    again(&r, start);
    put(&r, ventus_isa_endprg(0, 0, 0));
    compare_all(
        &r, (struct setting){ .launches = 4, .groups = 8, .virtual = true });
}

/* One workgroup changes where pages are that others look up for the first
 * time: each program waits a little longer before. */
TEST(page_tables_are_written)
{
    for (unsigned delay = 1; delay < 40; delay += 9) {
        struct racing r;
        begin(&r, 1);
        put(&r, program_lui(12, 9 * PAGE));
        put(&r, ventus_isa_add(12, 12, BASE));
        put(&r, ventus_isa_bne(GROUP, 0, 4 * 8));
        put_delay(&r, 20);
        put(&r, ventus_isa_lw(13, 12, 8 * 12)); /* page 12 is page 13 */
        put(&r, ventus_isa_addi(13, 13, 1 << 10));
        put(&r, ventus_isa_sw(13, 12, 8 * 12));
        put(&r, ventus_isa_endprg(0, 0, 0));
        put_delay(&r, delay);
        put(&r, program_lui(12, 12 * PAGE));
        put(&r, ventus_isa_add(12, 12, BASE));
        put(&r, ventus_isa_addi(GROUP, GROUP, 1));
        put(&r, ventus_isa_sw(GROUP, 12, 0));
        put(&r, ventus_isa_endprg(0, 0, 0));
        compare_all(&r, (struct setting){
                            .launches = 3, .groups = 4, .virtual = true });
    }
}

/* The first workgroup changes code of a page that others come to later. */
TEST(code_is_written)
{
    for (unsigned delay = 1; delay < 40; delay += 9) {
        struct racing r;
        begin(&r, 1);
        put(&r, program_lui(12, CODE + PAGE));
        put(&r, ventus_isa_bne(GROUP, 0, 4 * 9));
        put_delay(&r, 20);
        put(&r, ventus_isa_lw(14, 12, 0));
        put(&r, program_lui(13, 0x00100000)); /* another immediate */
        put(&r, ventus_isa_add(14, 14, 13));
        put(&r, ventus_isa_sw(14, 12, 0));
        put(&r, ventus_isa_endprg(0, 0, 0));
        put_delay(&r, delay);
        put(&r, ventus_isa_jalr(0, 12, 0));
        r.far[r.fars++] = ventus_isa_addi(13, 0, 1);
        r.far[r.fars++] = ventus_isa_sw(13, BASE, 64);
        r.far[r.fars++] = ventus_isa_endprg(0, 0, 0);
        compare_all(&r, (struct setting){ .launches = 3, .groups = 4 });
    }
}

TEST(what_is_printed_is_printed_once)
{
    struct racing r;
    put_chaos(&r, 40, 2, 5);
    r.n--;
    put(&r, ventus_isa_csrrw(0, VENTUS_ISA_CSR_PRINT, SUM));
    put(&r, ventus_isa_endprg(0, 0, 0));
    compare_all(&r,
                (struct setting){ .launches = 3, .groups = 6, .prints = true });
}

/* Memory is as the instructions before the fault left it. */
TEST(a_fault_in_the_middle)
{
    for (unsigned delay = 1; delay < 200; delay += 61) {
        struct racing r;
        begin(&r, 300);
        put(&r, ventus_isa_bne(GROUP, 0, 4 * 5));
        put_delay(&r, delay);
        put(&r, ventus_isa_sw(GROUP, 0, 0));
        put(&r, ventus_isa_slli(12, GROUP, 8));
        put(&r, ventus_isa_add(BASE, BASE, 12));
        unsigned start = r.n;
        put(&r, ventus_isa_sw(COUNT, BASE, 0));
        again(&r, start);
        put(&r, ventus_isa_endprg(0, 0, 0));
        compare_all(
            &r, (struct setting){ .launches = 2, .groups = 4, .fails = true });
    }
}

/* Private memory, which is cleared between workgroups, and one who reads it. */
TEST(private_memory_of_another_workgroup)
{
    struct racing r;
    begin(&r, 40);
    put(&r, ventus_isa_vid_v(1, VM));
    put(&r, ventus_isa_vsub_vv(2, 2, 2, VM));
    put(&r, program_lui(12, 32 * PAGE));
    put(&r, ventus_isa_add(12, 12, BASE));
    unsigned start = r.n;
    put(&r, ventus_isa_vadd_vx(1, 1, COUNT, VM));
    put(&r, ventus_isa_vsw_v(1, 2, 4));
    put(&r, ventus_isa_lw(13, 12, 64 * 5));
    put(&r, ventus_isa_add(SUM, SUM, 13));
    put_delay(&r, 4);
    again(&r, start);
    put(&r, ventus_isa_slli(GROUP, GROUP, 2));
    put(&r, ventus_isa_add(BASE, BASE, GROUP));
    put(&r, ventus_isa_sw(SUM, BASE, 0));
    put(&r, ventus_isa_endprg(0, 0, 0));
    compare_all(&r, (struct setting){ .launches = 3, .groups = 24 });
}

TEST_MAIN
