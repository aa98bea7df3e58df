/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One head of attention over 8 positions of 8 channels, in binary32:
 * softmax(Q K' / sqrt(8)) V.  Q and K are 8 x 8 by rows: as operand B, K is
 * already what K' wants.  V goes in transposed, for the same reason.
 */
#include <ventus/tile_intrinsics.h>

float input[192] __attribute__((aligned(64))); /* Q, K, V */
float output[64] __attribute__((aligned(64)));

int
main(void)
{
    ventus_tile_ld(VENTUS_TILE_GLOBAL, 0, input, 0, VENTUS_TILE_N1, 0);
    ventus_tile_ld(VENTUS_TILE_GLOBAL, 1, input + 64, 0, VENTUS_TILE_N1, 0);
    ventus_tile_ld(VENTUS_TILE_GLOBAL, 2, input + 128, 0, VENTUS_TILE_N1, 0);
    ventus_tile_zero(4);
    ventus_tile_zero(8);
    ventus_tile_wait_global_loads(0);
    ventus_tile_alu1(VENTUS_TILE_TRN, VENTUS_TILE_T_F32, 3, 2); /* V' */
    ventus_tile_wait_alu();
    ventus_tile_mma(VENTUS_TILE_F32, 4, 0, 1, VENTUS_TILE_N1, 0); /* scores */
    ventus_tile_wait_mma();
    ventus_tile_alu2f(VENTUS_TILE_MUL, 5, 4, 0.35355339f);
    ventus_tile_alu1(VENTUS_TILE_RMAX, VENTUS_TILE_T_F32, 6, 5);
    ventus_tile_alu2(VENTUS_TILE_SUB, VENTUS_TILE_T_F32, 5, 5, 6);
    ventus_tile_alu1(VENTUS_TILE_EXP, VENTUS_TILE_T_F32, 5, 5);
    ventus_tile_alu1(VENTUS_TILE_RSUM, VENTUS_TILE_T_F32, 6, 5);
    ventus_tile_alu2(VENTUS_TILE_DIV, VENTUS_TILE_T_F32, 7, 5, 6); /* weights */
    ventus_tile_wait_alu();
    ventus_tile_mma(VENTUS_TILE_F32, 8, 7, 3, VENTUS_TILE_N1, 0);
    ventus_tile_wait_mma();
    ventus_tile_st(VENTUS_TILE_GLOBAL, 8, output, 0, VENTUS_TILE_N1, 0);
    ventus_tile_wait_global_stores(0);
    return 0;
}
