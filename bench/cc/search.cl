// SPDX-License-Identifier: Apache-2.0
// Every place where the pattern begins.
// @kernel search
// @grid 256 @local 64
// @in text u8 [97 + i * i % 3 for i in range(256)]
// @in pattern u8 [97, 98, 98, 97]
// @out found u32 256
// @u32 n 256
// @u32 m 4
// @expect found = [int(text[i:i + 4] == pattern) for i in range(256)]
kernel void
search(global const char *text, constant char *pattern, global uint *found,
       uint n, uint m)
{
    uint i = get_global_id(0), k = 0;
    if (i + m > n) {
        found[i] = 0;
        return;
    }
    while (k < m && text[i + k] == pattern[k])
        k++;
    found[i] = k == m;
}
