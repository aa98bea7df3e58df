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
    tile_ld(TILE_GLOBAL, 0, input, 0, TILE_N1, 0);
    tile_ld(TILE_GLOBAL, 1, input + 64, 0, TILE_N1, 0);
    tile_ld(TILE_GLOBAL, 2, input + 128, 0, TILE_N1, 0);
    tile_zero(4);
    tile_zero(8);
    tile_wait_global_loads(0);
    tile_alu1(TILE_TRN, TILE_T_F32, 3, 2); /* V' */
    tile_wait_alu();
    tile_mma(TILE_F32, 4, 0, 1, TILE_N1, 0); /* scores */
    tile_wait_mma();
    tile_alu2f(TILE_MUL, 5, 4, 0.35355339f);
    tile_alu1(TILE_RMAX, TILE_T_F32, 6, 5);
    tile_alu2(TILE_SUB, TILE_T_F32, 5, 5, 6);
    tile_alu1(TILE_EXP, TILE_T_F32, 5, 5);
    tile_alu1(TILE_RSUM, TILE_T_F32, 6, 5);
    tile_alu2(TILE_DIV, TILE_T_F32, 7, 5, 6); /* weights */
    tile_wait_alu();
    tile_mma(TILE_F32, 8, 7, 3, TILE_N1, 0);
    tile_wait_mma();
    tile_st(TILE_GLOBAL, 8, output, 0, TILE_N1, 0);
    tile_wait_global_stores(0);
    return 0;
}
