#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Writes a kernel, runs it, and sees what it costs.
cat >square.cl <<'END'
kernel void square(global const int *in, global int *out)
{
    int i = get_global_id(0);
    out[i] = in[i] * in[i];
}
END
ventus exec square.cl --grid 8 --arg iota:8 --arg zeros:8 --show 1 | tee out
grep -q '0: 0 1 4 9 16 25 36 49' out
ventus exec --model chisel --hot square.cl --grid 64 --local 64 --arg iota:64 \
    --arg zeros:64 | tee out
grep -q 'out\[i\] = in\[i\] \* in\[i\];' out
