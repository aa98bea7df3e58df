// SPDX-License-Identifier: Apache-2.0
// Call and put options, cumulative normal by a polynomial.
// @def phi(x): return 0.5 * math.erfc(-x / math.sqrt(2))
// @def d1(s, k, t): return (math.log(s / k) + (0.02 + 0.045) * t) / (0.3 * math.sqrt(t))
// @def call_(s, k, t): return s * phi(d1(s, k, t)) - k * math.exp(-0.02 * t) * phi(d1(s, k, t) - 0.3 * math.sqrt(t))
// @kernel blackscholes
// @grid 64 @local 32
// @in s f32 [20.0 + i % 10 for i in range(64)]
// @in k f32 [15.0 + i % 12 for i in range(64)]
// @in t f32 [0.25 + i % 10 for i in range(64)]
// @out call f32 64
// @out put f32 64
// @f32 r 0.02
// @f32 v 0.3
// @tolerance 1e-4
// @expect call = [call_(*x) for x in zip(s, k, t)]
float
cnd(float d)
{
    float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
    float c = 0.39894228f * exp(-0.5f * d * d) * k *
              (0.31938153f + k * (-0.356563782f + k * (1.781477937f +
               k * (-1.821255978f + k * 1.330274429f))));
    return d > 0 ? 1.0f - c : c;
}

kernel void
blackscholes(global const float *s, global const float *k,
             global const float *t, global float *call, global float *put,
             float r, float v)
{
    int i = get_global_id(0);
    float q = sqrt(t[i]);
    float d1 = (log(s[i] / k[i]) + (r + 0.5f * v * v) * t[i]) / (v * q);
    float d2 = d1 - v * q;
    float n1 = cnd(d1), n2 = cnd(d2), e = exp(-r * t[i]);
    call[i] = s[i] * n1 - k[i] * e * n2;
    put[i] = k[i] * e * (1.0f - n2) - s[i] * (1.0f - n1);
}
