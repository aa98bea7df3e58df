// SPDX-License-Identifier: Apache-2.0
// Game of life on a torus.
// @def alive(c, x, y): return sum_(c[(y + b) % 32 * 32 + (x + a) % 32] for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b)
// @kernel life
// @grid 32,32 @local 32,4
// @in now u8 [int(i * i % 7 < 3) for i in range(1024)]
// @out then u8 1024
// @i32 w 32
// @i32 h 32
// @expect then = [int(alive(now, i % 32, i // 32) == 3 or (now[i] and alive(now, i % 32, i // 32) == 2)) for i in range(1024)]
kernel void
life(global const uchar *now, global uchar *then, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1), n = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            n += now[(y + dy + h) % h * w + (x + dx + w) % w];
    int me = now[y * w + x];
    then[y * w + x] = n - me == 3 || (me && n - me == 2);
}
