/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Layer norm of each row of 8 floats: (x - mean) / sqrt(variance + 1e-5).
 */
#include <ventus/tile_intrinsics.h>

uint32_t input[16] __attribute__((aligned(64))); /* [0]: rows */
float a[1 << 14] __attribute__((aligned(64)));
float output[1 << 14] __attribute__((aligned(64)));

int
main(void)
{
    for (uint32_t row = 0; row < input[0]; row += 8) {
        ventus_tile_ld(VENTUS_TILE_GLOBAL, 0, a + row * 8, 0, VENTUS_TILE_N1,
                       0);
        ventus_tile_wait_global_loads(0);
        ventus_tile_alu1(VENTUS_TILE_RSUM, VENTUS_TILE_T_F32, 1, 0);
        ventus_tile_alu2f(VENTUS_TILE_MUL, 1, 1, 0.125f); /* mean */
        ventus_tile_alu2(VENTUS_TILE_SUB, VENTUS_TILE_T_F32, 2, 0, 1);
        ventus_tile_alu2(VENTUS_TILE_MUL, VENTUS_TILE_T_F32, 3, 2, 2);
        ventus_tile_alu1(VENTUS_TILE_RSUM, VENTUS_TILE_T_F32, 3, 3);
        ventus_tile_alu2f(VENTUS_TILE_MUL, 3, 3, 0.125f); /* variance */
        ventus_tile_alu2f(VENTUS_TILE_ADD, 3, 3, 1e-5f);
        ventus_tile_alu1(VENTUS_TILE_RSQRT, VENTUS_TILE_T_F32, 3, 3);
        ventus_tile_alu2(VENTUS_TILE_MUL, VENTUS_TILE_T_F32, 4, 2, 3);
        ventus_tile_wait_alu();
        ventus_tile_st(VENTUS_TILE_GLOBAL, 4, output + row * 8, 0,
                       VENTUS_TILE_N1, 0);
        ventus_tile_wait_global_stores(0);
    }
    return 0;
}
