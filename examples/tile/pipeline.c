/* SPDX-License-Identifier: Apache-2.0 */
/*
 * C = A * B in bytes by two threads: thread 0 brings the tiles of A and B into
 * share memory, thread 1 multiplies them.  Two slots: while one is multiplied,
 * the other one is filled.  Run with --threads 2.
 *
 *     producer  fill 0 | fill 1 | (wait 0) fill 0 | (wait 1) fill 1 | ...
 *     consumer  (wait) | use 0  | use 1           | use 0           | ...
 *
 * A is M x K by rows, B is N x K (a column of the product's B in each row), C
 * is M x N of 32-bit elements; M, N multiples of 8, K of 32.
 */
#include <ventus/tile_intrinsics.h>

enum { BOTH = 0x3 };          /* threads 0 and 1 */
enum { FULL = 0, EMPTY = 2 }; /* t_sync of slot 0, behind it that of slot 1 */

struct header {
    uint32_t m, n, k;
} input __attribute__((aligned(64)));
uint8_t a[1 << 16] __attribute__((aligned(64)));
uint8_t b[1 << 16] __attribute__((aligned(64)));
uint8_t output[1 << 16] __attribute__((aligned(64)));

/* Share address of a slot: A's tile, B's behind it. */
static uint64_t
slot_address(uint32_t slot)
{
    return 512 * (uint64_t)slot;
}

/* tr0 and tr1 through the slot; from tr2, tr3 for the other one. */
#define FILL(slot, pa, pb)                                                   \
    do {                                                                     \
        ventus_tile_sync(EMPTY + (slot), BOTH);                              \
        ventus_tile_lds(VENTUS_TILE_GLOBAL, 2 * (slot), pa, 0, input.k / 32, \
                        VENTUS_TILE_N1, 0);                                  \
        ventus_tile_lds(VENTUS_TILE_GLOBAL, 2 * (slot) + 1, pb, 0,           \
                        input.k / 32, VENTUS_TILE_N1, 0);                    \
        ventus_tile_wait_global_loads(0);                                    \
        ventus_tile_st(VENTUS_TILE_SHARE, 2 * (slot), slot_address(slot), 0, \
                       VENTUS_TILE_N2, 0);                                   \
        ventus_tile_wait_share_stores(0);                                    \
        ventus_tile_arrive(FULL + (slot), BOTH);                             \
    } while (0)

#define USE(slot)                                                            \
    do {                                                                     \
        ventus_tile_sync(FULL + (slot), BOTH);                               \
        ventus_tile_ld(VENTUS_TILE_SHARE, 2 * (slot), slot_address(slot), 0, \
                       VENTUS_TILE_N2, 0);                                   \
        ventus_tile_wait_share_loads(0);                                     \
        ventus_tile_arrive(EMPTY + (slot), BOTH);                            \
        ventus_tile_mma(VENTUS_TILE_S8, 8, 2 * (slot), 2 * (slot) + 1,       \
                        VENTUS_TILE_N1, 0);                                  \
    } while (0)

static void
produce(void)
{
    uint32_t turn = 0;
    for (uint32_t m = 0; m < input.m; m += 8) {
        for (uint32_t n = 0; n < input.n; n += 8) {
            const uint8_t *pa = a + m * input.k, *pb = b + n * input.k;
            for (uint32_t k = 0; k < input.k; k += 32, turn++) {
                if (turn % 2)
                    FILL(1, pa + k, pb + k);
                else
                    FILL(0, pa + k, pb + k);
            }
        }
    }
}

static void
consume(void)
{
    uint32_t turn = 0;
    ventus_tile_arrive(EMPTY, BOTH);
    ventus_tile_arrive(EMPTY + 1, BOTH);
    for (uint32_t m = 0; m < input.m; m += 8) {
        for (uint32_t n = 0; n < input.n; n += 8) {
            ventus_tile_zero(8);
            ventus_tile_wait_alu();
            for (uint32_t k = 0; k < input.k; k += 32, turn++) {
                ventus_tile_wait_mma(); /* has read the slot's registers */
                if (turn % 2)
                    USE(1);
                else
                    USE(0);
            }
            ventus_tile_wait_mma();
            ventus_tile_sts(VENTUS_TILE_GLOBAL, 8,
                            output + 4 * (m * input.n + n), 0, input.n / 8,
                            VENTUS_TILE_N1, 0);
            ventus_tile_wait_global_stores(0);
        }
    }
}

int
main(void)
{
    if (ventus_tile_csr_read(VENTUS_TILE_CSR_THREAD) == 0)
        produce();
    else
        consume();
    return 0;
}
