// SPDX-License-Identifier: Apache-2.0
// Radix 2, decimation in frequency, one transform a workgroup; the result is
// in bit-reversed order.
// @def dft(z, k): return sum_(v * complex(math.cos(-2 * math.pi * j * k / len(z)), math.sin(-2 * math.pi * j * k / len(z))) for j, v in enumerate(z))
// @def rev(i): return int(format(i, '06b')[::-1], 2)
// @def flat(z): return [x for c in z for x in (c.real + 40, c.imag + 40)]
// @kernel fft
// @grid 64 @local 32
// @inout x f32 [float(i * 11 % 17) / 8 for i in range(256)]
// @localmem t 512
// @tolerance 1e-4
// @expect x[:128] = flat([dft([complex(x[2 * i], x[2 * i + 1]) for i in range(64)], rev(k)) for k in range(64)])
kernel void
fft(global float2 *x, local float2 *t)
{
    uint l = get_local_id(0), n = 2 * get_local_size(0);
    global float2 *mine = x + get_group_id(0) * n;
    t[l] = mine[l];
    t[l + n / 2] = mine[l + n / 2];
    for (uint h = n / 2; h > 0; h >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint k = l & (h - 1), a = 2 * l - k;
        float angle = -M_PI_F * k / h;
        float c = native_cos(angle), s = native_sin(angle);
        float2 p = t[a], q = t[a + h], d = p - q;
        t[a] = p + q;
        t[a + h] = (float2)(d.x * c - d.y * s, d.x * s + d.y * c);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    mine[l] = t[l] + 40;
    mine[l + n / 2] = t[l + n / 2] + 40;
}
