/* SPDX-License-Identifier: Apache-2.0 */
/* The tile machine: the RISC-V hart, and matrix multiply of each type. */
#include <string.h>

#include <ventus/tile.h>

#include "../tests/tile/program.h"
#include "base/diag.h"
#include "bench.h"
#include "tile/load.h"

enum { ROUNDS_HART = 100000, ROUNDS_MMA = 400000 };

/* Loads, multiplies, shifts, a branch that is taken half of the time:
 *
 *     lui t0, 0x20; li t1, 0; li s1, 1
 *  1: li t2, 1024; mv t3, t0
 *  2: ld t4, (t3); mul s1, s1, t5; add s1, s1, t4; srli t6, s1, 13
 *     xor s2, s2, t6; andi t6, s2, 1; beqz t6, 3f; add s2, s2, t2
 *  3: addi t3, t3, 8; addi t2, t2, -1; bnez t2, 2b
 *     addi a0, a0, -1; bnez a0, 1b; li a7, 93; ecall */
static const uint32_t hart_loop[] = {
    0x000202b7, 0x00000313, 0x00100493, 0x40000393, 0x00028e13,
    0x000e3e83, 0x03e484b3, 0x01d484b3, 0x00d4df93, 0x01f94933,
    0x00197f93, 0x000f8463, 0x00790933, 0x008e0e13, 0xfff38393,
    0xfc039ce3, 0xfff50513, 0xfc0514e3, 0x05d00893, 0x00000073,
};

/* 1: tmma.s8 tr8, tr0, tr16; ... tr11, tr3, tr19; addi a0, a0, -1;
 *    bnez a0, 1b; twait.mma; li a0, 0; li a7, 93; ecall */
static const uint32_t mma_loop[] = {
    0x0400307b, 0x0800607b, 0x0480b07b, 0x0880607b, 0x0501307b,
    0x0900607b, 0x0581b07b, 0x0980607b, 0xfff50513, 0xfc051ee3,
    0x080050fb, 0x00000513, 0x05d00893, 0x00000073,
};

/* Seconds of a run; `stats` of what it did. */
static double
run(const uint32_t *code, size_t size, uint64_t rounds,
    enum ventus_tile_mode mode, struct ventus_tile_stats *stats)
{
    uint8_t image[512];
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    struct ventus_tile_machine *m =
        ventus_tile_create(&(struct ventus_tile_options){ .mode = mode });
    size = tile_make_elf(image, code, size);
    if (!m || !tile_load(m, "bench", image, size, &sink)) {
        diag_print(&sink, stderr, false);
        return 1e9;
    }
    ventus_tile_set_arguments(m, &rounds, 1);
    double start = bench_now();
    ventus_tile_run(m, 0);
    double seconds = bench_now() - start;
    *stats = *ventus_tile_stats_of(m);
    ventus_tile_destroy(m);
    arena_free(&a);
    return seconds;
}

static void
mma(const char *name, unsigned type, enum ventus_tile_mode mode)
{
    uint32_t code[sizeof mma_loop / 4];
    struct ventus_tile_stats stats;
    memcpy(code, mma_loop, sizeof code);
    for (unsigned i = 1; i < 8; i += 2)
        code[i] |= type << 18; /* mmauop */
    double seconds = run(code, sizeof code, ROUNDS_MMA, mode, &stats);
    bench_report(name, (double)stats.macs / seconds / 1e9, "Gmac/s");
}

int
main(void)
{
    struct ventus_tile_stats stats;
    double seconds = run(hart_loop, sizeof hart_loop, ROUNDS_HART,
                         VENTUS_TILE_INORDER, &stats);
    bench_report("tile.hart", (double)stats.instructions / seconds / 1e6,
                 "Minsn/s");
    mma("tile.mma.s8", VENTUS_TILE_MMAUOP_S8, VENTUS_TILE_INORDER);
    mma("tile.mma.f16", VENTUS_TILE_MMAUOP_F16, VENTUS_TILE_INORDER);
    mma("tile.mma.bf16", VENTUS_TILE_MMAUOP_BF16, VENTUS_TILE_INORDER);
    mma("tile.mma.e4m3", VENTUS_TILE_MMAUOP_E4M3, VENTUS_TILE_INORDER);
    mma("tile.mma.f32", VENTUS_TILE_MMAUOP_F32, VENTUS_TILE_INORDER);
    mma("tile.mma.s8.deferred", VENTUS_TILE_MMAUOP_S8, VENTUS_TILE_DEFERRED);
    return 0;
}
