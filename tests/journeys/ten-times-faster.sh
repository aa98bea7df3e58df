#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# One work-item, then one for each row: at least ten times fewer cycles.
cat >serial.cl <<'END'
kernel void rows(global const int *m, global int *out)
{
    for (int row = 0; row < 64; row++) {
        int sum = 0;
        for (int i = 0; i < 64; i++)
            sum += m[row * 64 + i];
        out[row] = sum;
    }
}
END
cat >columns.cl <<'END'
kernel void rows(global const int *m, global int *out)
{
    int row = get_global_id(0), sum = 0;
    for (int i = 0; i < 64; i++)
        sum += m[i * 64 + row];
    out[row] = sum;
}
END
cycles() {
    ventus exec --model chisel --json "$@" --arg iota:4096 --arg zeros:64 |
        sed -n 's/.*"cycles":\([0-9]*\).*/\1/p'
}
slow=$(cycles serial.cl --grid 1)
fast=$(cycles columns.cl --grid 64 --local 64)
echo "$slow and $fast cycles"
[ "$slow" -gt $((10 * fast)) ]
