/* SPDX-License-Identifier: Apache-2.0 */
/*
 * C = A * B for any M, N, K, in bytes, binary16, bfloat16, e4m3 or e5m2: 8 x 8 tiles,
 * the next step of K loaded while this one is multiplied.
 *
 * A is M x K by rows, B is N x K (a column of the product's B in each row), C
 * is M x N of 32-bit elements; pitches are multiples of 32 bytes, and what is
 * behind K in a row is 0.  Rows behind M and N are masked off, so that they
 * need not exist.
 */
#include <ventus/tile_intrinsics.h>

struct header {
    uint32_t type, m, n, k;
} input __attribute__((aligned(64)));
uint8_t a[1 << 18] __attribute__((aligned(64)));
uint8_t b[1 << 18] __attribute__((aligned(64)));
uint8_t output[1 << 18] __attribute__((aligned(64)));

static uint64_t
rows_left(uint32_t total, uint32_t from)
{
    uint32_t left = total - from;
    return left >= 8 ? 0xff : (1u << left) - 1;
}

/* tr0, tr1 and tr2, tr3 by turns: A and B of one step. */
#define LOAD(buffer, step)                                                     \
    do {                                                                       \
        ventus_tile_csr_write(VENTUS_TILE_CSR_MASK, mask_a);                   \
        ventus_tile_lds(VENTUS_TILE_GLOBAL, 2 * (buffer), pa + 32 * (step), 0, \
                        pitch / 32, VENTUS_TILE_N1, 1);                        \
        ventus_tile_csr_write(VENTUS_TILE_CSR_MASK, mask_b);                   \
        ventus_tile_lds(VENTUS_TILE_GLOBAL, 2 * (buffer) + 1,                  \
                        pb + 32 * (step), 0, pitch / 32, VENTUS_TILE_N1, 1);   \
    } while (0)

/* Multiplies one buffer while the other one is loaded. */
#define STEP(type, buffer, step)                                 \
    do {                                                         \
        ventus_tile_wait_mma(); /* has read the other buffer */  \
        if ((step) + 1 < steps) {                                \
            LOAD(1 - (buffer), (step) + 1);                      \
            ventus_tile_wait_global_loads(2);                    \
        } else {                                                 \
            ventus_tile_wait_global_loads(0);                    \
        }                                                        \
        ventus_tile_mma(type, 8, 2 * (buffer), 2 * (buffer) + 1, \
                        VENTUS_TILE_N1, 0);                      \
    } while (0)

#define TILE_LOOP(type)                                \
    for (uint32_t step = 0; step < steps; step += 2) { \
        STEP(type, 0, step);                           \
        if (step + 1 < steps)                          \
            STEP(type, 1, step + 1);                   \
    }

static void
one_tile(const uint8_t *pa, const uint8_t *pb, uint32_t pitch, uint64_t mask_a,
         uint64_t mask_b)
{
    uint32_t steps = pitch / 32;
    ventus_tile_zero(0); /* rows that are masked off stay 0 */
    ventus_tile_zero(1);
    ventus_tile_zero(2);
    ventus_tile_zero(3);
    ventus_tile_zero(8);
    ventus_tile_wait_alu();
    LOAD(0, 0);
    switch (input.type) {
    case VENTUS_TILE_S8:
        TILE_LOOP(VENTUS_TILE_S8)
        break;
    case VENTUS_TILE_F16:
        TILE_LOOP(VENTUS_TILE_F16)
        break;
    case VENTUS_TILE_BF16:
        TILE_LOOP(VENTUS_TILE_BF16)
        break;
    case VENTUS_TILE_E4M3:
        TILE_LOOP(VENTUS_TILE_E4M3)
        break;
    case VENTUS_TILE_E5M2:
        TILE_LOOP(VENTUS_TILE_E5M2)
        break;
    }
    ventus_tile_wait_mma();
}

int
main(void)
{
    uint32_t size =
        input.type == VENTUS_TILE_F16 || input.type == VENTUS_TILE_BF16 ? 2 : 1;
    uint32_t pitch = (input.k * size + 31) / 32 * 32;
    uint32_t pitch_c = (input.n * 4 + 31) / 32 * 32;
    for (uint32_t m = 0; m < input.m; m += 8) {
        for (uint32_t n = 0; n < input.n; n += 8) {
            one_tile(a + m * pitch, b + n * pitch, pitch, rows_left(input.m, m),
                     rows_left(input.n, n));
            ventus_tile_csr_write(VENTUS_TILE_CSR_MASK, rows_left(input.m, m));
            ventus_tile_sts(VENTUS_TILE_GLOBAL, 8, output + m * pitch_c + n * 4,
                            0, pitch_c / 32, VENTUS_TILE_N1, 1);
            ventus_tile_wait_global_stores(0);
        }
    }
    return 0;
}
