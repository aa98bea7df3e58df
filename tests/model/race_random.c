/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random programs under coherence = rcc: loads and stores of few lines by all
 * workgroups, of words and of lanes, atomics with and without .aq and .rl, fences,
 * barriers, and time in between.  Cycles, counters and memory on two to four host
 * threads are those of one.
 */
#include "racing.h"

enum {
    LANE_AT = 3,
    LANE_DATA = 4,
    LANE = 1,
    POINTER = 5,
    VALUE = 12,
    ORDER = 13
};
enum { RW_RW = 0x33, WAITS_FOR_ALL = 0 };

static uint64_t state;

static unsigned
any(unsigned n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state % n);
}

/* AT: a word that depends on the workgroup, on the round, or on what was read. */
static void
put_address(struct racing *r, unsigned lines)
{
    static const unsigned of[] = { GROUP, COUNT, SUM };
    put(r, ventus_isa_slli(AT, of[any(3)], (int32_t)(2 + any(6))));
    put(r, ventus_isa_andi(AT, AT, (int32_t)(128 * lines - 4)));
    put(r, ventus_isa_add(AT, AT, BASE));
}

static void
put_scalar(struct racing *r, unsigned lines)
{
    put_address(r, lines);
    if (any(2)) {
        put(r, ventus_isa_lw(VALUE, AT, 0));
        put(r, ventus_isa_add(SUM, SUM, VALUE));
    } else if (any(2)) {
        put(r, ventus_isa_sb(SUM, AT, (int32_t)any(4)));
    } else {
        put(r, ventus_isa_sw(SUM, AT, 0));
    }
}

/* Lanes in a row, or with some lines between them. */
static void
put_lanes(struct racing *r, unsigned lines)
{
    put_address(r, lines);
    put(r, ventus_isa_vid_v(LANE, VM));
    put(r, ventus_isa_vsll_vi(LANE_AT, LANE, any(3) ? 2 : 6, VM));
    put(r, ventus_isa_vadd_vx(LANE_AT, LANE_AT, AT, VM));
    if (any(2)) {
        put(r, ventus_isa_vlw12_v(LANE_DATA, LANE_AT, 0));
    } else {
        put(r, ventus_isa_vadd_vx(LANE_DATA, LANE_DATA, SUM, VM));
        put(r, any(2) ? ventus_isa_vsw12_v(LANE_DATA, LANE_AT, 0)
                      : ventus_isa_vsb12_v(LANE_DATA, LANE_AT, 1));
    }
}

static void
put_atomic(struct racing *r, unsigned lines)
{
    put_address(r, any(2) ? lines : 1);
    put(r, ventus_isa_vid_v(LANE, VM));
    put(r, ventus_isa_vmv_v_x(POINTER, AT));
    put(r, any(2) ? ventus_isa_amoadd_w(LANE_DATA, LANE, POINTER, any(4))
                  : ventus_isa_amoswap_w(LANE_DATA, LANE, POINTER, any(4)));
}

static void
put_any(struct racing *r, unsigned lines)
{
    static const unsigned orders[] = { RW_RW, 0x11, 0x22, 0x12, 0x21 };
    switch (any(10)) {
    case 0:
        put_atomic(r, lines);
        break;
    case 1:
        put(r, ventus_isa_fence(orders[any(5)], 0));
        break;
    case 2:
        put(r, ventus_isa_barrier(0, 0, WAITS_FOR_ALL));
        break;
    case 3:
        put_delay(r, 1 + any(30));
        break;
    case 4:
    case 5:
        put_lanes(r, lines);
        break;
    default:
        put_scalar(r, lines);
        break;
    }
}

/* Half of the programs store to lines of the workgroup alone, and do not race. */
static void
make_program(struct racing *r, unsigned seed)
{
    state = UINT64_C(88172645463325252) + seed * UINT64_C(0x9e3779b97f4a7c15);
    for (unsigned i = 0; i < 8; i++)
        any(2);
    unsigned lines = 1u << any(4);
    begin(r, 10 + any(30));
    if (any(2)) {
        put(r, ventus_isa_slli(AT, GROUP, 12));
        put(r, ventus_isa_add(BASE, BASE, AT));
    }
    unsigned start = r->n;
    for (unsigned n = 3 + any(8); n > 0; n--)
        put_any(r, lines);
    again(r, start);
    put(r, ventus_isa_endprg(0, 0, 0));
}

static void
compare_program(unsigned seed, enum machine machine)
{
    struct racing r;
    make_program(&r, seed);
    struct setting s = { .sms = 2 + any(3),
                         .launches = 2,
                         .groups = 2 + any(12),
                         .machine = machine };
    compare(&r, s, 2 + any(3));
}

TEST(random_programs_have_the_cycles_of_one_thread)
{
#ifdef __SANITIZE_THREAD__ /* ten times as slow */
    enum { PROGRAMS = 12 };
#else
    enum { PROGRAMS = 30 };
#endif
    for (unsigned seed = 0; seed < PROGRAMS; seed++)
        for (enum machine m = MACHINE_RCC; m < MACHINES; m++)
            compare_program(seed, m);
}

TEST_MAIN
