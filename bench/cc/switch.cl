// SPDX-License-Identifier: Apache-2.0
// A small machine: each work-item interprets the program.
// @def machine(i): return (((i + 5) * 3) ^ 12) % 7 + i
// @kernel machine
// @grid 64 @local 32
// @in code u32 [0x105, 0x203, 0x30c, 0x407, 0x500, 0]
// @out y i32 64
// @expect y = [machine(i) for i in range(64)]
kernel void
machine(global const uint *code, global int *y)
{
    int i = get_global_id(0), a = i, pc = 0;
    for (;;) {
        uint w = code[pc++];
        int x = w & 255;
        switch (w >> 8) {
        case 0:
            y[i] = a;
            return;
        case 1:
            a += x;
            break;
        case 2:
            a *= x;
            break;
        case 3:
            a ^= x;
            break;
        case 4:
            a %= x;
            break;
        case 5:
            a += i;
            break;
        default:
            a = -1;
            break;
        }
    }
}

// @kernel classify
// @grid 128 @local 64
// @in x u32 [i * 5 % 97 for i in range(128)]
// @out y u32 128
// @def class_(v): return {1: v + 1, 2: v * 3, 3: v ^ 85, 4: v >> 1, 5: 1000 - v, 9: v % 10}.get(v % 11, v)
// @expect y = [class_(v) for v in x]
kernel void
classify(global const uint *x, global uint *y)
{
    uint i = get_global_id(0), v = x[i];
    switch (v % 11) {
    case 1: v += 1; break;
    case 2: v *= 3; break;
    case 3: v ^= 85; break;
    case 4: v >>= 1; break;
    case 5: v = 1000 - v; break;
    case 9: v %= 10; break;
    }
    y[i] = v;
}
