// SPDX-License-Identifier: Apache-2.0
// The nearest centre of each point; then points by column, coalesced.
// @def dist(p, c, i, k, n, d): return sum_((p[j * n + i] - c[k * d + j]) ** 2 for j in range(d))
// @kernel kmeans
// @grid 128 @local 64
// @in p f32 [float(i * 31 % 53) for i in range(512)]
// @in c f32 [float(i * 17 % 47) for i in range(20)]
// @out which u32 128
// @i32 n 128
// @i32 k 5
// @i32 d 4
// @expect which = [min(range(5), key=lambda q: dist(p, c, i, q, 128, 4)) for i in range(128)]
kernel void
kmeans(global const float *p, constant float *c, global uint *which, int n,
       int k, int d)
{
    int i = get_global_id(0), best = 0;
    float least = FLT_MAX;
    for (int q = 0; q < k; q++) {
        float s = 0;
        for (int j = 0; j < d; j++) {
            float x = p[j * n + i] - c[q * d + j];
            s += x * x;
        }
        if (s < least) {
            least = s;
            best = q;
        }
    }
    which[i] = best;
}
