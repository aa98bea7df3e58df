/* SPDX-License-Identifier: Apache-2.0 */
/* Each work-item adds to eight words in lines of their own, of a permutation. */
kernel void spread_sums(global int *sums, global const int *values)
{
    uint i = get_global_id(0);
    for (uint j = 0; j < 8; j++)
        sums[(i * 8 + j) * 33 % 65536] += values[(i * 57 + j * 129) % 65536];
}

/* The columns of a matrix, read by rows. */
kernel void transpose(global int *to, global const int *from)
{
    uint x = get_global_id(0) % 64, y = get_global_id(0) / 64;
    to[x * 64 + y] = from[y * 64 + x];
}
