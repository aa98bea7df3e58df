// SPDX-License-Identifier: Apache-2.0
// Half of this program is in assembly: sharpen.s, which defines what is extern
// here and calls weight().  `ventus cc image.cl sharpen.s -o image.elf`.

// Sum of the bytes of a and b, each at most 255, in all four bytes at once.
extern uint add_bytes(uint a, uint b);

// left + centre * weight(distance) + right; lanes that are not called keep
// what they have.
extern float sharpen(float left, float centre, float right, float distance);

float
weight(float distance)
{
    return 2.0f / (1.0f + distance);
}

__kernel void
filter(__global uint *pixels, __global float *line, float distance)
{
    int i = get_global_id(0), n = get_global_size(0);
    float x = line[i];
    pixels[i] = add_bytes(pixels[i], 0x01020304u * (uint)i);
    if (i % 2 == 1 && i + 1 < n)
        x = sharpen(line[i - 1], x, line[i + 1], distance);
    barrier(CLK_GLOBAL_MEM_FENCE);
    line[i] = x;
}
