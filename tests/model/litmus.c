/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Litmus tests of the RCC mode.  A thread is a warp; its program is written as
 *
 *     Wx Wy     x = 1, y = 1                Rx      a load, results in order
 *     Sx        amoswap.rl of 1 into x      Lx      amoadd.aq of 0: a load
 *     Frw       fence r,w, and so on        Frwrw   fence rw,rw
 *     D         goes on for a while
 *     Ax        a load whose address depends on what was read last
 *     Hx        the same, and it is the high register of a pair that depends
 *     Gx        a load into the second register of a group (LMUL 2)
 *     V         what was read last goes through local memory, for A and H
 *     N         it goes through the high half of what vnsrl narrows
 *
 * Each is run many times, with other delays, other lines in the L1Ds when it
 * begins and other memory.  What must not be seen is not; what a machine
 * without coherence shows to programs that do not synchronise is seen, across
 * SMs, and never in one, nor with coherence = none.
 */
#include <ventus/isa_build.h>
#include <ventus/model.h>

#include "test.h"

enum {
    CODE = 0x80000000,
    DATA = 0x90000000,
    THREADS = 4,
    READS = 2,
    TRIALS = 200,
    VAR = 256,      /* y is so many bytes behind x */
    RESULTS = 512,  /* of thread 0 */
    RESULT_B = 128, /* of a thread */
    LANES = 8,
    M1 = 0xd0, /* vtype: e32, m1, ta, ma */
    M2 = 0xd1,
    CSR_LDS = 0x806,
    CSR_GIDX = 0x808,
    BASE = 8, /* registers: address of x, */
    ONE = 9,  /* 1, */
    SELF = 5, /* the thread's number, */
    COUNT = 28,
    LOW = 30,     /* and the next one: a pair, */
    THROUGH = 26, /* what was read went this way, */
    FIRST = 10,   /* and what is read, from here */
};

struct litmus {
    const char *name, *thread[THREADS];
    const char *never; /* "1.0=1 1.1=0": thread 1 read 1, then 0 */
    bool weak;         /* it is seen across SMs */
};

struct code {
    struct ventus_isa_insn at[256];
    unsigned n;
};

static uint32_t seed;

static unsigned
any(unsigned n)
{
    seed = seed * 1664525 + 1013904223;
    return (seed >> 16) % n;
}

static void
put(struct code *c, struct ventus_isa_insn in)
{
    c->at[c->n++] = in;
}

/* "rw" is pred r, succ w; "rwrw" both of both. */
static unsigned
fence_order(const char *text)
{
    unsigned pred = text[0] == 'r' ? 2 : 1, succ = text[1] == 'r' ? 2 : 1;
    return strlen(text) == 4 ? 0x33 : pred << 4 | succ;
}

static void
put_delay(struct code *c, unsigned rounds)
{
    put(c, ventus_isa_addi(COUNT, 0, (int32_t)rounds));
    put(c, ventus_isa_addi(COUNT, COUNT, -1));
    put(c, ventus_isa_bne(COUNT, 0, -4));
}

static void
put_op(struct code *c, const char *op, unsigned *reads, bool through)
{
    enum { RL = 1, AQ = 2 };
    int at = op[1] == 'y' ? VAR : 0;
    unsigned to = FIRST + *reads;
    unsigned last = through ? THROUGH : to - 1;
    switch (op[0]) {
    case 'W':
        put(c, ventus_isa_sw(ONE, BASE, at));
        return;
    case 'R':
        put(c, ventus_isa_lw(to, BASE, at));
        ++*reads;
        return;
    case 'D':
        put_delay(c, 60);
        return;
    case 'V':
        put(c, ventus_isa_csrrs(27, CSR_LDS, 0));
        put(c, ventus_isa_sw(to - 1, 27, 0));
        put(c, ventus_isa_lw(THROUGH, 27, 0));
        return;
    case 'A':
        put(c, ventus_isa_xor(7, last, last));
        put(c, ventus_isa_add(7, 7, BASE));
        put(c, ventus_isa_lw(to, 7, at));
        ++*reads;
        return;
    case 'H': /* the pair is of version 1 */
        put(c, ventus_isa_addi(LOW, BASE, 0));
        put(c, ventus_isa_xor(LOW + 1, last, last));
        put(c, ventus_isa_regpair(0, 0, 0));
        put(c, ventus_isa_lw(to, LOW, at));
        ++*reads;
        return;
    case 'G': /* vmv.x.s takes the last lane */
        put(c, ventus_isa_addi(7, BASE, at - 4 * (2 * LANES - 1)));
        put(c, ventus_isa_vsetvli(COUNT, 0, M2));
        put(c, ventus_isa_vle32_v(4, 7, 1));
        put(c, ventus_isa_vsetvli(COUNT, 0, M1));
        put(c, ventus_isa_vmv_x_s(to, 5));
        ++*reads;
        return;
    case 'N':
        put(c, ventus_isa_addi(27, 0, 32));
        put(c, ventus_isa_vmv_v_i(4, 0));
        put(c, ventus_isa_vmv_v_x(5, to - 1));
        put(c, ventus_isa_vnsrl_wx(6, 4, 27, 1));
        put(c, ventus_isa_vmv_x_s(THROUGH, 6));
        return;
    case 'F':
        put(c, ventus_isa_fence(fence_order(op + 1), 0));
        return;
    }
    put(c, ventus_isa_addi(7, BASE, at));
    if (op[0] == 'S') {
        put(c, ventus_isa_amoswap_w(0, ONE, 7, RL));
    } else {
        put(c, ventus_isa_amoadd_w(to, 0, 7, AQ));
        ++*reads;
    }
}

/* What one warp does, after those of other numbers have gone around it. */
static void
put_thread(struct code *c, unsigned number, const char *text)
{
    unsigned reads = 0, warm = any(4);
    bool through = false;
    put(c, ventus_isa_addi(6, 0, (int32_t)number));
    unsigned branch = c->n;
    put(c, ventus_isa_bne(SELF, 6, 0));
    if (warm & 1)
        put(c, ventus_isa_lw(29, BASE, 0));
    if (warm & 2)
        put(c, ventus_isa_lw(29, BASE, VAR));
    put_delay(c, 1 + any(24));
    while (*text) {
        char op[8] = "";
        size_t n = strcspn(text, " ");
        memcpy(op, text, n);
        put_op(c, op, &reads, through);
        through |= op[0] == 'V' || op[0] == 'N';
        text += n + (text[n] == ' ');
    }
    for (unsigned i = 0; i < reads; i++)
        put(c, ventus_isa_sw(FIRST + i, BASE,
                             (int32_t)(RESULTS + number * RESULT_B + 4 * i)));
    put(c, ventus_isa_endprg(0, 0, 0));
    c->at[branch].imm = 4 * (int32_t)(c->n - branch);
}

static unsigned
build(const struct litmus *l, uint32_t *words, unsigned *threads)
{
    struct code c = { .n = 0 };
    unsigned used = 0;
    put(&c, ventus_isa_lui(BASE, (int32_t)((uint32_t)DATA >> 12)));
    put(&c, ventus_isa_addi(ONE, 0, 1));
    put(&c, ventus_isa_csrrs(SELF, CSR_GIDX, 0));
    for (*threads = 0; *threads < THREADS && l->thread[*threads]; ++*threads)
        put_thread(&c, *threads, l->thread[*threads]);
    for (unsigned i = 0; i < c.n; i++) {
        unsigned n = ventus_isa_encode(&c.at[i], &words[used]);
        CHECK(n);
        used += n;
    }
    return used;
}

/* One run; whether it ended as it never must. */
static bool
try(const struct litmus *l, unsigned sms, bool rcc)
{
    char text[256] = "";
    uint32_t words[512], result[THREADS][READS];
    unsigned threads, used = build(l, words, &threads);
    struct ventus_sim_config machine = {
        .num_thread = LANES, .num_warp = 8, .num_sm = sms, .scalar_amo = true
    };
    struct ventus_model_config c;
    struct ventus_model_stats stats = { 0 };
    struct ventus_sim_fault fault;
    bool all = true;
    ventus_model_defaults(&c);
    c.local_in_cache = c.one_group = false;
    c.rcc = rcc;
    c.memory_cycles = 1 + any(30);
    c.memory_requests = 1 + any(4);
    struct ventus_model *m =
        ventus_model_create(&machine, &c, text, sizeof text);
    if (!CHECK(m))
        return false;
    CHECK(ventus_sim_map(ventus_model_sim(m), CODE, 4096,
                         VENTUS_SIM_READ | VENTUS_SIM_EXEC));
    CHECK(ventus_sim_map(ventus_model_sim(m), DATA, 4096,
                         VENTUS_SIM_READ | VENTUS_SIM_WRITE));
    CHECK(ventus_sim_write(ventus_model_sim(m), CODE, words, 4 * used));
    CHECK(ventus_model_launch(
        m,
        &(struct ventus_sim_launch){
            .pc = CODE, .grid = { threads }, .warps = 1, .local_size_B = 64 },
        NULL, &stats, &fault));
    for (unsigned i = 0; i < threads; i++)
        CHECK(ventus_sim_read(ventus_model_sim(m),
                              DATA + RESULTS + i * RESULT_B, result[i],
                              sizeof result[i]));
    for (const char *at = l->never; *at; at += at[5] ? 6 : 5)
        all &= result[at[0] - '0'][at[2] - '0'] == (uint32_t)(at[4] - '0');
    uint32_t x, y;
    CHECK(ventus_sim_read(ventus_model_sim(m), DATA, &x, 4));
    CHECK(ventus_sim_read(ventus_model_sim(m), DATA + VAR, &y, 4));
    CHECK(x <= 1 && y <= 1 && x + y > 0);
    ventus_model_destroy(m);
    return all;
}

static unsigned
count(const struct litmus *l, unsigned sms, bool rcc, unsigned trials)
{
    unsigned seen = 0;
    seed = 1;
    for (unsigned i = 0; i < trials; i++)
        seen += try(l, sms, rcc);
    return seen;
}

static const struct litmus table[] = {
    { "MP", { "Wx Wy", "Ry Rx" }, "1.0=1 1.1=0", true },
    { "MP fence in the reader",
      { "Wx Wy D", "Ry Frr Rx" },
      "1.0=1 1.1=0",
      true },
    { "MP fence in the writer", { "Wx Fww Wy", "Ry Rx" }, "1.0=1 1.1=0", true },
    { "MP fences", { "Wx Fww Wy", "Ry Frr Rx" }, "1.0=1 1.1=0", false },
    { "MP full", { "Wx Frwrw Wy", "Ry Frwrw Rx" }, "1.0=1 1.1=0", false },
    { "MP rl, aq", { "Wx Sy", "Ly Rx" }, "1.0=1 1.1=0", false },
    { "MP rl alone", { "Wx Sy", "Ry Rx" }, "1.0=1 1.1=0", true },
    { "MP fence, address", { "Wx Fww Wy", "Ry Ax" }, "1.0=1 1.1=0", false },
    { "MP fence, address through local memory",
      { "Wx Fww Wy", "Ry V Ax" },
      "1.0=1 1.1=0",
      false },
    { "MP fence, high half of an address",
      { "Wx Fww Wy", "Ry Hx" },
      "1.0=1 1.1=0",
      false },
    { "MP fence, address from a group",
      { "Wx Fww Wy", "Gy Ax" },
      "1.0=1 1.1=0",
      false },
    { "MP fence, address that was narrowed",
      { "Wx Fww Wy", "Ry N Ax" },
      "1.0=1 1.1=0",
      false },
    { "SB", { "Wx Ry", "Wy Rx" }, "0.0=0 1.0=0", true },
    { "SB fences", { "Wx Fwr Ry", "Wy Fwr Rx" }, "0.0=0 1.0=0", false },
    { "SB one fence", { "Wx Fwr Ry", "Wy Rx" }, "0.0=0 1.0=0", true },
    { "SB rl, aq", { "Sx Ly", "Sy Lx" }, "0.0=0 1.0=0", false },
    { "LB", { "Rx Wy", "Ry Wx" }, "0.0=1 1.0=1", false },
    { "LB fences", { "Rx Frw Wy", "Ry Frw Wx" }, "0.0=1 1.0=1", false },
    { "WRC", { "Wx", "Rx Wy", "Ry Rx" }, "1.0=1 2.0=1 2.1=0", true },
    { "WRC fences",
      { "Wx", "Rx Frw Wy", "Ry Frr Rx" },
      "1.0=1 2.0=1 2.1=0",
      false },
    { "WRC rl, aq", { "Sx", "Lx Sy", "Ly Rx" }, "1.0=1 2.0=1 2.1=0", false },
    { "IRIW",
      { "Wx", "Wy", "Rx Ry", "Ry Rx" },
      "2.0=1 2.1=0 3.0=1 3.1=0",
      true },
    { "IRIW fences",
      { "Wx", "Wy", "Rx Frr Ry", "Ry Frr Rx" },
      "2.0=1 2.1=0 3.0=1 3.1=0",
      false },
    { "IRIW rl, aq",
      { "Sx", "Sy", "Lx Ry", "Ly Rx" },
      "2.0=1 2.1=0 3.0=1 3.1=0",
      false },
    { "CoRR", { "Wx", "Rx Rx" }, "1.0=1 1.1=0", false },
    { "CoRR fence", { "Wx", "Rx Frr Rx" }, "1.0=1 1.1=0", false },
};
enum { TESTS = sizeof table / sizeof *table };

TEST(across_sms)
{
    for (unsigned i = 0; i < TESTS; i++) {
        unsigned seen = count(&table[i], THREADS, true, TRIALS);
        printf("  %-40s %3u of %d\n", table[i].name, seen, TRIALS);
        CHECK(table[i].weak ? seen > 0 : seen == 0);
    }
}

TEST(within_an_sm)
{
    for (unsigned i = 0; i < TESTS; i++)
        CHECK_EQ(count(&table[i], 1, true, TRIALS / 4), 0);
}

TEST(with_coherent_caches)
{
    for (unsigned i = 0; i < TESTS; i++)
        CHECK_EQ(count(&table[i], THREADS, false, TRIALS / 4), 0);
}

TEST_MAIN
