// SPDX-License-Identifier: Apache-2.0
// Escape times.
// @def escape(cx, cy, n): x = y = 0.0; k = 0; exec("while k < n and x * x + y * y <= 4: x, y, k = x * x - y * y + cx, 2 * x * y + cy, k + 1", None, (e := dict(x=x, y=y, k=k, n=n, cx=cx, cy=cy))); return e['k']
// @kernel mandelbrot
// @grid 32,16 @local 16,4
// @out pixels u32 512
// @i32 w 32
// @i32 limit 50
// @f32 step 0.125
// @expect pixels = [escape(-2.5 + x * 0.125, -1 + y * 0.125, 50) for y in range(16) for x in range(32)]
kernel void
mandelbrot(global uint *pixels, int w, int limit, float step)
{
    int px = get_global_id(0), py = get_global_id(1);
    float cx = px * step - 2.5f, cy = py * step - 1.0f, x = 0, y = 0;
    int k = 0;
    while (k < limit && x * x + y * y <= 4.0f) {
        float next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
        k++;
    }
    pixels[py * w + px] = k;
}
