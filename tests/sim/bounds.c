/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory ends at a byte: every access of every width around the end and the
 * start of a bank and of local memory, scalar and vector, loads, stores and
 * atomics.  What has to fault is counted here from addresses and widths.
 */
#include "machine.h"

enum { LANES = 8, ODD = 5 /* the lane that looks around */, VECTORS = 1 << 29 };

/* An instruction that accesses `bytes` at x5 (scalar) or in each lane. */
enum shape { SCALAR, EACH, UNIT, STRIDED, INDEXED };

struct access {
    struct ventus_isa_insn in;
    enum shape shape;
    unsigned bytes;
};

static const struct access *
accesses(size_t *n)
{
    static struct access a[32];
    const struct access all[] = {
        { ventus_isa_lb(7, 5, 0), SCALAR, 1 },
        { ventus_isa_lbu(7, 5, 0), SCALAR, 1 },
        { ventus_isa_lh(7, 5, 0), SCALAR, 2 },
        { ventus_isa_lhu(7, 5, 0), SCALAR, 2 },
        { ventus_isa_lw(7, 5, 0), SCALAR, 4 },
        { ventus_isa_sb(7, 5, 0), SCALAR, 1 },
        { ventus_isa_sh(7, 5, 0), SCALAR, 2 },
        { ventus_isa_sw(7, 5, 0), SCALAR, 4 },
        { ventus_isa_vlb12_v(3, 1, 0), EACH, 1 },
        { ventus_isa_vlbu12_v(3, 1, 0), EACH, 1 },
        { ventus_isa_vlh12_v(3, 1, 0), EACH, 2 },
        { ventus_isa_vlw12_v(3, 1, 0), EACH, 4 },
        { ventus_isa_vsb12_v(3, 1, 0), EACH, 1 },
        { ventus_isa_vsh12_v(3, 1, 0), EACH, 2 },
        { ventus_isa_vsw12_v(3, 1, 0), EACH, 4 },
        { ventus_isa_lr_w(3, 1, 0), EACH, 4 },
        { ventus_isa_amoadd_w(3, 2, 1, 0), EACH, 4 },
        { ventus_isa_amomaxu_w(3, 2, 1, 0), EACH, 4 },
        { ventus_isa_vle8_v(3, 5, 1), UNIT, 1 },
        { ventus_isa_vle16_v(3, 5, 1), UNIT, 2 },
        { ventus_isa_vle32_v(3, 5, 1), UNIT, 4 },
        { ventus_isa_vse8_v(3, 5, 1), UNIT, 1 },
        { ventus_isa_vse16_v(3, 5, 1), UNIT, 2 },
        { ventus_isa_vse32_v(3, 5, 1), UNIT, 4 },
        { ventus_isa_vlse32_v(3, 5, 6, 1), STRIDED, 4 },
        { ventus_isa_vsse32_v(3, 5, 6, 1), STRIDED, 4 },
        { ventus_isa_vluxei32_v(3, 5, 4, 1), INDEXED, 4 },
        { ventus_isa_vsuxei32_v(3, 5, 4, 1), INDEXED, 4 },
    };
    _Static_assert(sizeof all <= sizeof a, "room");
    memcpy(a, all, sizeof all);
    *n = sizeof all / sizeof *all;
    return a;
}

/* The address of each lane, or of lane 0 alone, for one around `at`. */
static unsigned
addresses(const struct access *a, uint32_t inside, uint32_t at,
          uint32_t address[LANES])
{
    unsigned n = a->shape == SCALAR ? 1 : LANES;
    for (unsigned i = 0; i < n; i++)
        switch (a->shape) {
        case SCALAR:
            address[i] = at;
            break;
        case EACH:
        case INDEXED:
            address[i] = i == ODD ? at : inside;
            break;
        case UNIT: /* the last lane is at `at` */
            address[i] = at - (LANES - 1 - i) * a->bytes;
            break;
        case STRIDED: /* downwards: the first lane is */
            address[i] = at - 8 * i;
            break;
        }
    return n;
}

static void
put_access(struct machine *m, const struct access *a, uint32_t inside,
           const uint32_t address[LANES])
{
    uint32_t index[LANES];
    CHECK(ventus_sim_write(m->sim, VECTORS, address, LANES * sizeof *address));
    for (unsigned i = 0; i < LANES; i++)
        index[i] = address[i] - inside;
    CHECK(ventus_sim_write(m->sim, VECTORS + 64, index, sizeof index));
    put_li(m, 31, VECTORS);
    put(m, ventus_isa_vle32_v(1, 31, 1));
    put_li(m, 31, VECTORS + 64);
    put(m, ventus_isa_vle32_v(4, 31, 1));
    put_li(m, 5, a->shape == INDEXED ? inside : address[0]);
    put_li(m, 6, (uint32_t)-8);
    put(m, a->in);
}

/* Memory is [lo, lo + size). */
static void
check_access(struct machine *m, const struct access *a, uint32_t lo,
             uint32_t size, uint32_t at, enum ventus_sim_fault_kind above)
{
    uint32_t address[LANES] = { 0 };
    unsigned n = addresses(a, lo, at, address), bad = 0;
    while (bad < n && address[bad] >= lo && address[bad] - lo < size &&
           size - (address[bad] - lo) >= a->bytes)
        bad++;
    m->n = 0;
    put_access(m, a, lo, address);
    uint32_t pc = here(m) - 4;
    put(m, ventus_isa_endprg(0, 0, 0));
    bool ok = launch(m);
    enum ventus_sim_fault_kind kind =
        bad < n && address[bad] < lo ? VENTUS_SIM_FAULT_UNMAPPED : above;
    bool right =
        ok == (bad == n) &&
        (ok || (m->fault.kind == kind && m->fault.pc == pc &&
                m->fault.address == address[bad] &&
                m->fault.lane == (a->shape == SCALAR ? -1 : (int)bad)));
    if (!CHECK(right))
        printf("  %s at 0x%x of 0x%x+%u: %s\n", ventus_isa_info[a->in.op].name,
               at, lo, size, ok ? "no fault" : m->fault.text);
}

static void
check_around(struct machine *m, uint32_t lo, uint32_t size,
             enum ventus_sim_fault_kind above)
{
    size_t n;
    const struct access *a = accesses(&n);
    const uint32_t far[] = { 4096, 8192, 1 << 20, (1 << 20) + 4092 };
    for (size_t k = 0; k < n; k++) {
        uint32_t mask = ~(uint32_t)(a[k].bytes - 1);
        for (uint32_t at = lo + size - 9; at < lo + size + 9; at++)
            if (at == (at & mask))
                check_access(m, &a[k], lo, size, at, above);
        for (size_t i = 0; i < sizeof far / sizeof *far; i++)
            check_access(m, &a[k], lo, size, (lo + size + far[i]) & mask,
                         above);
        check_access(m, &a[k], lo, size, lo - 4, above);
        check_access(m, &a[k], lo, size, lo + 64, above);
    }
}

static const uint32_t sizes[] = { 93, 94, 95, 96, 97, 4093, 4096, 8190, 8196 };

static struct machine *
bounded(bool portable)
{
    struct machine *m = machine(&(struct ventus_sim_config){
        .num_thread = LANES, .portable = portable });
    CHECK(ventus_sim_map(m->sim, VECTORS, 4096, VENTUS_SIM_READ));
    return m;
}

TEST(banks_end_at_a_byte)
{
    for (unsigned portable = 0; portable < 2; portable++) {
        struct machine *m = bounded(portable);
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            CHECK(ventus_sim_bound(m->sim, DATA, sizes[i]));
            check_around(m, DATA, sizes[i], VENTUS_SIM_FAULT_UNMAPPED);
        }
        machine_free(m);
    }
}

TEST(local_memory_ends_at_a_byte)
{
    struct machine *m = bounded(false);
    m->launch.local_bounded = true;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        m->launch.local_size_B = sizes[i];
        check_around(m, 0x70000000, sizes[i], VENTUS_SIM_FAULT_LOCAL);
    }
    size_t n;
    check_access(m, accesses(&n), 0x70000000, 8196, 0x70002010,
                 VENTUS_SIM_FAULT_LOCAL);
    CHECK(strstr(m->fault.text,
                 "access outside of local memory to 0x70002010 at pc 0x"));
    machine_free(m);
}

/* Of several words, those before the end are there; the fault names the next. */
TEST(wide_accesses_that_cross_the_end)
{
    struct machine *m = machine(&(struct ventus_sim_config){
        .num_thread = LANES, .isa = VENTUS_ISA_V2 });
    CHECK(ventus_sim_map(m->sim, VECTORS, 4096, VENTUS_SIM_READ));
    CHECK(ventus_sim_bound(m->sim, DATA, 38));
    for (unsigned store = 0; store < 2; store++)
        for (uint32_t at = DATA; at <= DATA + 40; at += 4) {
            uint32_t address[LANES];
            for (unsigned i = 0; i < LANES; i++)
                address[i] = i == ODD ? at : DATA;
            CHECK(ventus_sim_write(m->sim, VECTORS, address, sizeof address));
            m->n = 0;
            put_li(m, 31, VECTORS);
            put(m, ventus_isa_vle32_v(1, 31, 1));
            put_word(m, ventus_isa_info[VENTUS_ISA_PRE_M_128].match);
            put(m, store ? ventus_isa_vsw12_v(8, 1, 0)
                         : ventus_isa_vlw12_v(8, 1, 0));
            put(m, ventus_isa_endprg(0, 0, 0));
            bool ok = launch(m);
            uint32_t first = at > DATA + 36 ? at : DATA + 36; /* not whole */
            CHECK_EQ(ok, at + 16 <= DATA + 38);
            CHECK(ok || (m->fault.kind == VENTUS_SIM_FAULT_UNMAPPED &&
                         m->fault.lane == ODD && m->fault.address == first));
        }
    machine_free(m);
}

/* What runs without a record has the window, as upstream's programs need. */
TEST(open_local_memory_is_the_window)
{
    struct machine *m = bounded(false);
    m->launch.local_size_B = 64;
    put_li(m, 5, 0x7ffffff0);
    put(m, ventus_isa_sw(5, 5, 12));
    put(m, ventus_isa_lw(7, 5, 12));
    run(m);
    CHECK_EQ(x(m, 7), 0x7ffffff0);
    machine_free(m);
}

/* Behind what a launch declares, open local memory keeps what is written for
 * the workgroup, and is zero for the next one. */
TEST(open_local_memory_behind_what_is_declared)
{
    static const uint32_t declared[] = { 0, 1, 4096, 8192 };
    static const uint32_t at[] = { 0, 4092, 4096, 8188, 8192, 12284 };
    enum { N = sizeof at / sizeof *at, GROUPS = 3 };
    for (unsigned k = 0; k < 4; k++) {
        struct machine *m = bounded(false);
        m->launch.local_size_B = declared[k];
        m->launch.grid[0] = GROUPS;
        put(m, ventus_isa_csrrs(9, VENTUS_ISA_CSR_WGID, 0));
        put_li(m, 8, DATA);
        put(m, ventus_isa_slli(10, 9, 6));
        put(m, ventus_isa_add(8, 8, 10));
        for (unsigned i = 0; i < N; i++) {
            put_li(m, 5, 0x70000000 + at[i]);
            put(m, ventus_isa_lw(6, 5, 0)); /* what is there first */
            put(m, ventus_isa_sw(6, 8, 8 * (int)i));
            put(m, ventus_isa_addi(7, 9, 100 + (int)i));
            put(m, ventus_isa_sw(7, 5, 0));
        }
        for (unsigned i = 0; i < N; i++) {
            put_li(m, 5, 0x70000000 + at[i]);
            put(m, ventus_isa_lw(6, 5, 0));
            put(m, ventus_isa_sw(6, 8, 8 * (int)i + 4));
        }
        run(m);
        for (unsigned g = 0; g < GROUPS; g++)
            for (unsigned i = 0; i < N; i++) {
                CHECK_EQ(data(m, 64 * g + 8 * i), 0);
                CHECK_EQ(data(m, 64 * g + 8 * i + 4), g + 100 + i);
            }
        machine_free(m);
    }
}

/* What a workgroup leaves in the last bytes is zero for the next. */
TEST(the_last_bytes_of_local_memory_are_zeroed)
{
    struct machine *m = bounded(false);
    m->launch.local_bounded = true;
    m->launch.local_size_B = 7;
    m->launch.grid[0] = 3;
    put_li(m, 5, 0x70000006);
    put(m, ventus_isa_lbu(7, 5, 0));
    put_li(m, 8, DATA);
    put(m, ventus_isa_csrrs(9, VENTUS_ISA_CSR_WGID, 0));
    put(m, ventus_isa_slli(9, 9, 2));
    put(m, ventus_isa_add(8, 8, 9));
    put(m, ventus_isa_sw(7, 8, 0));
    put_li(m, 9, 0xab);
    put(m, ventus_isa_sb(9, 5, 0));
    for (unsigned i = 0; i < 3; i++)
        set_data(m, 4 * i, 99);
    run(m);
    for (unsigned i = 0; i < 3; i++)
        CHECK_EQ(data(m, 4 * i), 0);
    machine_free(m);
}

/* A range ends at 2^64 at most; it does not go on at 0. */
TEST(ranges_at_the_top_of_the_address_space)
{
    const uint64_t top = (uint64_t)-8192;
    struct machine *m = bounded(false);
    uint8_t page[4096] = { 1, 2, 3 }, back[4096];
    uint64_t last;
    CHECK(
        ventus_sim_map(m->sim, top, 8192, VENTUS_SIM_READ | VENTUS_SIM_WRITE));
    CHECK(ventus_sim_map(m->sim, 0, 4096, VENTUS_SIM_READ | VENTUS_SIM_WRITE));
    CHECK(ventus_sim_write(m->sim, top + 4096, page,
                           4096)); /* the very last byte */
    CHECK(ventus_sim_read(m->sim, top + 4096, back, 4096));
    CHECK(memcmp(page, back, 4096) == 0);
    CHECK(!ventus_sim_write(m->sim, top + 4097, page, 4096));
    CHECK(!ventus_sim_read(m->sim, top + 8191, back, 2));
    CHECK(!ventus_sim_read(m->sim, top + 4096, back, 4097));
    CHECK(ventus_sim_read(m->sim, top + 8191, back, 1));
    CHECK(ventus_sim_read(m->sim, top + 8191, back, 0));
    CHECK(ventus_sim_read(m->sim, top - 4, back, 0));
    CHECK(!ventus_sim_read(m->sim, top - 1, back, 2));
    CHECK(ventus_sim_write(m->sim, top + 8184, &top, 8));
    CHECK(ventus_sim_read(m->sim, top + 8184, &last, 8));
    CHECK(last == top);
    CHECK(ventus_sim_read(m->sim, 0, &last, 8));
    CHECK_EQ(last, 0); /* nothing came to address 0 */
    machine_free(m);
}

/* Adjacent banks are one range for the host. */
TEST(a_range_may_lie_in_several_banks)
{
    struct machine *m = bounded(false);
    uint32_t word[3] = { 1, 2, 3 }, back[3] = { 0 };
    CHECK(ventus_sim_map(m->sim, DATA + DATA_SIZE, 4096, VENTUS_SIM_READ));
    CHECK(ventus_sim_write(m->sim, DATA + DATA_SIZE - 4, word, sizeof word));
    CHECK(ventus_sim_read(m->sim, DATA + DATA_SIZE - 4, back, sizeof back));
    CHECK(memcmp(word, back, sizeof word) == 0);
    CHECK(!ventus_sim_write(m->sim, DATA + DATA_SIZE + 4092, word, 8));
    CHECK(ventus_sim_read(m->sim, DATA + DATA_SIZE + 4092, back, 4));
    CHECK_EQ(back[0], 0);
    machine_free(m);
}

TEST(a_bound_is_of_a_bank_and_inside_of_it)
{
    struct machine *m = bounded(false);
    uint32_t word = 7;
    CHECK(!ventus_sim_bound(m->sim, DATA + 4096, 64));
    CHECK(!ventus_sim_bound(m->sim, DATA, DATA_SIZE + 1));
    CHECK(ventus_sim_bound(m->sim, DATA, 64));
    CHECK(ventus_sim_write(m->sim, DATA + 64, &word,
                           4)); /* the host reaches all */
    CHECK(ventus_sim_bound(m->sim, DATA, DATA_SIZE));
    put_li(m, 5, DATA);
    put(m, ventus_isa_lw(7, 5, 64));
    run(m);
    CHECK_EQ(x(m, 7), 7);
    machine_free(m);
}

TEST_MAIN
