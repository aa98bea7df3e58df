/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A 3 x 3 convolution over an image of 8-bit pixels with 32 channels, 8 output
 * channels, borders of zeros: the tensor copy brings 8 neighbouring pixels of
 * one row as a box, zeros outside of the image, and each of the nine taps is
 * one matrix multiply of 8 pixels x 32 channels by 32 x 8 weights.
 *
 * input: width (a multiple of 8), height; a: pixels, [y][x][channel];
 * b: weights, [tap][out][channel]; output: [y][x][out], 32 bits.
 */
#include <ventus/tile_intrinsics.h>

uint32_t input[16] __attribute__((aligned(64)));
int8_t a[1 << 16] __attribute__((aligned(64)));
int8_t b[9 * 8 * 32] __attribute__((aligned(64)));
int32_t output[1 << 14] __attribute__((aligned(64)));
static struct ventus_tile_map map;

enum { BOX = 0x400, BARRIER = 0x0, BOX_B = 8 * 32 };

/* Until the mbarrier has counted so many bytes. */
static void
wait_bytes(uint64_t bytes)
{
    while ((uint32_t)ventus_tile_atomic_add_share(BARRIER, 0) !=
           (uint32_t)bytes)
        ;
}

static uint64_t
one_row(int32_t x, int32_t y, uint64_t bytes)
{
    ventus_tile_zero(8);
    ventus_tile_wait_alu();
    for (int32_t tap = 0; tap < 9; tap++) {
        int32_t where[8] = {
            0, x + tap % 3 - 1, y + tap / 3 - 1, 0, 0, 0, 0, 0
        };
        ventus_tile_tma_load(3, (uint64_t)BOX, &map, where, BARRIER);
        ventus_tile_ld(VENTUS_TILE_GLOBAL, 1, b + tap * 256, 0, VENTUS_TILE_N1,
                       0);
        wait_bytes(bytes += BOX_B);
        ventus_tile_ld(VENTUS_TILE_SHARE, 0, (uint64_t)BOX, 0, VENTUS_TILE_N1,
                       0);
        ventus_tile_wait_share_loads(0);
        ventus_tile_wait_global_loads(0);
        ventus_tile_mma(VENTUS_TILE_S8, 8, 0, 1, VENTUS_TILE_N1, 0);
        ventus_tile_wait_mma();
    }
    return bytes;
}

int
main(void)
{
    uint32_t width = input[0], height = input[1];
    uint64_t bytes = 0;
    map = (struct ventus_tile_map){ .base = (uint64_t)a,
                                    .rank = 3,
                                    .dim = { 32, width, height, 1 },
                                    .stride = { 32, 32 * (uint64_t)width, 0 },
                                    .box = { 32, 8, 1, 1 } };
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x += 8) {
            bytes = one_row((int32_t)x, (int32_t)y, bytes);
            ventus_tile_st(VENTUS_TILE_GLOBAL, 8, output + (y * width + x) * 8,
                           0, VENTUS_TILE_N1, 0);
            ventus_tile_wait_global_stores(0);
        }
    }
    return 0;
}
