#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A race is found, named by its lines, and is gone when the barrier is there.
cat >sum.cl <<'END'
kernel void sum(global const int *in, global int *out)
{
    local int part[16];
    int l = get_local_id(0);
    part[l] = in[get_global_id(0)];
    for (int n = 8; n > 0; n /= 2) {
        if (l < n)
            part[l] += part[l + n];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = part[0];
}
END
set -- --grid 16 --local 16 --arg iota:16 --arg zeros:1 --show 1
status=0
ventus exec --check --lanes 4 sum.cl "$@" >out 2>&1 || status=$?
cat out
[ "$status" = 1 ]
grep -q '(sum.cl:5): vsw' out
grep -q '(sum.cl:8)' out
sed '5s/$/ barrier(CLK_LOCAL_MEM_FENCE);/' sum.cl >right.cl
ventus exec --check --lanes 4 right.cl "$@" | grep '0: 120'
