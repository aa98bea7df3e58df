#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A machine of one's own, and what a wrong key says.
cat >wide.ini <<'END'
[machine]
engine = model
num_thread = 16
num_warp = 4
num_sgpr = 1024
num_vgpr = 1024
END
set -- "$examples/vecadd.s" --grid 64 --arg fiota:64 --arg fiota:64 --arg zeros:64
# With --json, standard output is JSON alone; what --show prints goes to standard error.
ventus exec --device wide.ini --json "$@" --show 2:f32 >out 2>values
cat out values
grep -q '"num_thread":16' out
grep -q '112 114 116 118 120 122 124 126' values
! ventus exec --device wide.ini --set num_wrap=8 "$@" 2>err
cat err
grep -q "did you mean 'num_warp'?" err
