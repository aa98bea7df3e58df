// SPDX-License-Identifier: Apache-2.0
// Rounds of a block cipher: bytes through a table, rotations, a field's
// multiply.
// @def sub(b): return (b * 7 + 99) & 255
// @def times2(w): return ((w & 0x7f7f7f7f) << 1) ^ ((w >> 7 & 0x01010101) * 27)
// @def rot(w, n): return (w << n | w >> (32 - n)) & 0xffffffff
// @def round_(w, k): w = sum_(sub(w >> s & 255) << s for s in (0, 8, 16, 24)); t = times2(w); return (t ^ rot(w ^ t, 8) ^ rot(w, 16) ^ rot(w, 24) ^ k) & 0xffffffff
// @def rounds(w): w = round_(round_(round_(round_(w, 1), 0x80000002), 3), 4); return w
// @kernel cipher
// @grid 64 @local 32
// @inout x u32 [i * 2654435761 % 4294967296 for i in range(64)]
// @in keys u32 [1, 0x80000002, 3, 4]
// @in table u8 [sub(i) for i in range(256)]
// @i32 n 4
// @expect x = [rounds(w) for w in x]
kernel void
cipher(global uint *x, constant uint *keys, constant uchar *table, int n)
{
    uint i = get_global_id(0), w = x[i];
    for (int r = 0; r < n; r++) {
        w = table[w & 255] | table[w >> 8 & 255] << 8 |
            table[w >> 16 & 255] << 16 | (uint)table[w >> 24] << 24;
        uint t = (w & 0x7f7f7f7f) << 1 ^ (w >> 7 & 0x01010101) * 27;
        w = t ^ rotate(w ^ t, 8u) ^ rotate(w, 16u) ^ rotate(w, 24u) ^ keys[r];
    }
    x[i] = w;
}
