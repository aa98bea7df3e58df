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
        tile_ld(TILE_GLOBAL, 0, a + row * 8, 0, TILE_N1, 0);
        tile_wait_global_loads(0);
        tile_alu1(TILE_RSUM, TILE_T_F32, 1, 0);
        tile_alu2f(TILE_MUL, 1, 1, 0.125f); /* mean */
        tile_alu2(TILE_SUB, TILE_T_F32, 2, 0, 1);
        tile_alu2(TILE_MUL, TILE_T_F32, 3, 2, 2);
        tile_alu1(TILE_RSUM, TILE_T_F32, 3, 3);
        tile_alu2f(TILE_MUL, 3, 3, 0.125f); /* variance */
        tile_alu2f(TILE_ADD, 3, 3, 1e-5f);
        tile_alu1(TILE_RSQRT, TILE_T_F32, 3, 3);
        tile_alu2(TILE_MUL, TILE_T_F32, 4, 2, 3);
        tile_wait_alu();
        tile_st(TILE_GLOBAL, 4, output + row * 8, 0, TILE_N1, 0);
        tile_wait_global_stores(0);
    }
    return 0;
}
