// SPDX-License-Identifier: Apache-2.0
// Double: a polynomial, a root by Newton.
// @kernel poly
// @grid 64 @local 32
// @in x f64 [1.0 + i / 7 for i in range(64)]
// @in c f64 [3.0, -2.5, 0.75, 1.125, -0.5]
// @out y f64 64
// @i32 n 5
// @tolerance 1e-12
// @expect y = [sum_(c[4 - k] * v ** k for k in range(5)) + math.sqrt(v) for v in x]
kernel void
poly(global const double *x, constant double *c, global double *y, int n)
{
    uint i = get_global_id(0);
    double v = x[i], s = 0, r = v;
    for (int k = 0; k < n; k++)
        s = fma(s, v, c[k]);
    for (int k = 0; k < 8; k++)
        r = 0.5 * (r + v / r);
    y[i] = s + r;
}
