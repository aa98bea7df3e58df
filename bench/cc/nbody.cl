// SPDX-License-Identifier: Apache-2.0
// All pairs, positions and masses in local memory.
// @def force(p, i): return [sum_((p[4 * j + c] - p[4 * i + c]) * p[4 * j + 3] * (sum_((p[4 * j + k] - p[4 * i + k]) ** 2 for k in range(3)) + 0.01) ** -1.5 for j in range(len(p) // 4)) for c in range(3)]
// @kernel nbody
// @grid 128 @local 64
// @in p f32 [float((i * 37) % 101) / 10 if i % 4 < 3 else 1.0 + i % 3 for i in range(512)]
// @inout v f32 [float(i % 4) if i % 4 < 3 else 0.0 for i in range(512)]
// @out q f32 512
// @i32 n 128
// @f32 dt 0.01
// @localmem tile 1024
// @tolerance 2e-4
// @expect q = [x for i in range(128) for x in [p[4 * i + c] + 0.01 * (v[4 * i + c] + 0.01 * f) for c, f in enumerate(force(p, i))] + [p[4 * i + 3]]]
kernel void
nbody(global const float4 *p, global float4 *v, global float4 *q, int n,
      float dt, local float4 *tile)
{
    int i = get_global_id(0), l = get_local_id(0), size = get_local_size(0);
    float4 me = p[i], f = 0;
    for (int t = 0; t < n; t += size) {
        tile[l] = p[t + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < size; j++) {
            float4 d = tile[j] - me;
            float r = native_rsqrt(d.x * d.x + d.y * d.y + d.z * d.z + 0.01f);
            f += d * (tile[j].w * r * r * r);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    float4 w = v[i];
    w.xyz += dt * f.xyz;
    me.xyz += dt * w.xyz;
    v[i] = w;
    q[i] = me;
}
