// SPDX-License-Identifier: Apache-2.0
// Half stored, float computed.
// @def h(i): return struct.unpack('<H', struct.pack('<e', i / 8))[0]
// @kernel halves
// @grid 64 @local 32
// @in a u16 [h(i % 40) for i in range(256)]
// @in b u16 [h(7 - i % 13) for i in range(256)]
// @out c u16 256
// @f32 alpha 2.0
// @expect c = [struct.unpack('<H', struct.pack('<e', 2 * (i % 40) / 8 + (7 - i % 13) / 8))[0] for i in range(256)]
kernel void
halves(global const half *a, global const half *b, global half *c, float alpha)
{
    uint i = get_global_id(0);
    vstore_half4(alpha * vload_half4(i, a) + vload_half4(i, b), i, c);
}
