// SPDX-License-Identifier: Apache-2.0
// A fluid on a lattice with nine directions (D2Q9): stream, collide, bounce at
// obstacles.  The kernel of a hundred lines that compile time is measured on.
// @def cx(): return [0, 1, 0, -1, 0, 1, -1, -1, 1]
// @def cy(): return [0, 0, 1, 0, -1, 1, 1, -1, -1]
// @def wt(): return [4 / 9] + [1 / 9] * 4 + [1 / 36] * 4
// @def back(): return [0, 3, 4, 1, 2, 7, 8, 5, 6]
// @def pulled(f, i): return [f[k * 256 + (i // 16 - cy()[k]) % 16 * 16 + (i % 16 - cx()[k]) % 16] for k in range(9)]
// @def mean(g, c): return sum_(a * b for a, b in zip(g, c)) / sum_(g)
// @def eq(g, k): u, v = mean(g, cx()), mean(g, cy()); e = cx()[k] * u + cy()[k] * v; return wt()[k] * sum_(g) * (1 + 3 * e + 4.5 * e * e - 1.5 * (u * u + v * v))
// @def cell(g, wall): return [g[back()[k]] if wall else g[k] + 1.25 * (eq(g, k) - g[k]) for k in range(9)]
// @def flow(f, wall): cells = [cell(pulled(f, i), wall[i]) for i in range(256)]; return [cells[i][k] for k in range(9) for i in range(256)]
// @kernel lbm
// @grid 16,16 @local 16,4
// @in was f32 [1 + (i * 7 % 13) / 50 for i in range(2304)]
// @in wall u8 [int(i % 37 == 0) for i in range(256)]
// @out to f32 2304
// @out speed f32 256
// @i32 w 16
// @i32 h 16
// @f32 omega 1.25
// @tolerance 1e-5
// @expect to = flow(was, wall)
kernel void
lbm(global const float *from, global const uchar *wall, global float *to,
    global float *speed, int w, int h, float omega)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h)
        return;

    // The neighbours, around the edges.
    int left = x > 0 ? x - 1 : w - 1;
    int right = x < w - 1 ? x + 1 : 0;
    int down = y > 0 ? y - 1 : h - 1;
    int up = y < h - 1 ? y + 1 : 0;
    int n = w * h, here = y * w + x;

    // What streams in.
    float f0 = from[here];
    float f1 = from[n + y * w + left];
    float f2 = from[2 * n + down * w + x];
    float f3 = from[3 * n + y * w + right];
    float f4 = from[4 * n + up * w + x];
    float f5 = from[5 * n + down * w + left];
    float f6 = from[6 * n + down * w + right];
    float f7 = from[7 * n + up * w + right];
    float f8 = from[8 * n + up * w + left];

    global float *out = to + here;
    if (wall[here]) {
        // Back to where it came from.
        out[0] = f0;
        out[n] = f3;
        out[2 * n] = f4;
        out[3 * n] = f1;
        out[4 * n] = f2;
        out[5 * n] = f7;
        out[6 * n] = f8;
        out[7 * n] = f5;
        out[8 * n] = f6;
        speed[here] = 0;
        return;
    }

    // Density and velocity.
    float rho = f0 + f1 + f2 + f3 + f4 + f5 + f6 + f7 + f8;
    float u = (f1 + f5 + f8 - f3 - f6 - f7) / rho;
    float v = (f2 + f5 + f6 - f4 - f7 - f8) / rho;
    float rest = 1.0f - 1.5f * (u * u + v * v);

    // Towards equilibrium.
    float w0 = 4.0f / 9 * rho, w1 = 1.0f / 9 * rho, w5 = 1.0f / 36 * rho;
    float e1 = u, e2 = v, e5 = u + v, e6 = v - u;
    float q1 = 4.5f * e1 * e1 + rest, q2 = 4.5f * e2 * e2 + rest;
    float q5 = 4.5f * e5 * e5 + rest, q6 = 4.5f * e6 * e6 + rest;
    f0 += omega * (w0 * rest - f0);
    f1 += omega * (w1 * (q1 + 3 * e1) - f1);
    f2 += omega * (w1 * (q2 + 3 * e2) - f2);
    f3 += omega * (w1 * (q1 - 3 * e1) - f3);
    f4 += omega * (w1 * (q2 - 3 * e2) - f4);
    f5 += omega * (w5 * (q5 + 3 * e5) - f5);
    f6 += omega * (w5 * (q6 + 3 * e6) - f6);
    f7 += omega * (w5 * (q5 - 3 * e5) - f7);
    f8 += omega * (w5 * (q6 - 3 * e6) - f8);

    out[0] = f0;
    out[n] = f1;
    out[2 * n] = f2;
    out[3 * n] = f3;
    out[4 * n] = f4;
    out[5 * n] = f5;
    out[6 * n] = f6;
    out[7 * n] = f7;
    out[8 * n] = f8;
    speed[here] = sqrt(u * u + v * v);
}
