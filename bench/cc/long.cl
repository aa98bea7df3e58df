// SPDX-License-Identifier: Apache-2.0
// 64 bits: multiply, divide, shift, compare.
// @def step(x): return (x * 6364136223846793005 + 1442695040888963407) % 2 ** 64
// @def mix(x): x = step(step(step(x))); x = x ^ x >> 33; return (x // 1000003 + x % 97 + (x << x % 64 & 0xffffffff00000000) + (5 if x > 1 << 63 else 0)) % 2 ** 64
// @kernel mix64
// @grid 64 @local 32
// @inout x u64 [i * 0x123456789abcdef % 2 ** 64 for i in range(64)]
// @i32 n 3
// @expect x = [mix(v) for v in x]
kernel void
mix64(global ulong *x, int n)
{
    uint i = get_global_id(0);
    ulong v = x[i];
    for (int k = 0; k < n; k++)
        v = v * 6364136223846793005UL + 1442695040888963407UL;
    v ^= v >> 33;
    ulong r = v / 1000003 + v % 97 + (v << (v % 64) & 0xffffffff00000000UL);
    x[i] = v > 1UL << 63 ? r + 5 : r;
}

// @kernel sum64
// @grid 64 @local 32
// @in a i64 [(i - 30) * 0x1234567890ab for i in range(64)]
// @in b i64 [(i % 5 + 1) * 10 ** (i % 10) for i in range(64)]
// @out c i64 64
// @expect c = [p + q - (p - q) if p < q else p - q for p, q in zip(a, b)]
kernel void
sum64(global const long *a, global const long *b, global long *c)
{
    uint i = get_global_id(0);
    long p = a[i], q = b[i];
    c[i] = p < q ? 2 * q : p - q;
}
