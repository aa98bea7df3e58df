// SPDX-License-Identifier: Apache-2.0
// More values at a time than there are registers, unless the order is right.

// 512 loads of one address for all threads, ready at once: a scheduler that
// starts them all first runs out of scalar registers, and of room for spills.
// @kernel uniform_loads
// @def row(a, i): return [a[2 * (32 * k + i)] for k in range(16)]
// @def sums(a, m, i, j): return sum(x * m[2 * (16 * k + j)] for k, x in enumerate(row(a, i)))
// @grid 32 @local 32
// @in a f64 [((i * 37) % 101) / 8 if i % 2 == 0 else 0.0 for i in range(1024)]
// @in m f64 [((i * 53) % 89) / 4 if i % 2 == 0 else 0.5 for i in range(512)]
// @out c f64 1024
// @expect c = [sums(a, m, i // 32, i // 2 % 16) if i % 2 == 0 else sum(row(a, i // 32)) * 0.5 for i in range(1024)]
// @tolerance 1e-13
kernel void
uniform_loads(global const double2 *a, global const double2 *m,
              global double2 *c)
{
    local double2 all[16 * 17];
    int i = get_local_id(0);
    for (int k = i; k < 256; k += 32)
        all[k / 16 * 17 + k % 16] = m[k];
    barrier(CLK_LOCAL_MEM_FENCE);
    double2 sum[16];
    for (int j = 0; j < 16; j++)
        sum[j] = 0;
#pragma unroll
    for (int k = 0; k < 16; k++) {
#pragma unroll
        for (int j = 0; j < 16; j++) {
            double2 x = a[32 * k + i], y = all[k * 17 + j];
            sum[j].x += x.x * y.x - x.y * y.y;
            sum[j].y += x.x * y.y + x.y * y.x;
        }
    }
    for (int j = 0; j < 16; j++)
        c[16 * i + j] = sum[j];
}
