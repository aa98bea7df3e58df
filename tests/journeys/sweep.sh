#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Two machines, two settings; nothing is run twice.
cp "$examples/vecadd.s" .
cat >plan.ini <<'END'
[sweep]
model = rtl-verilog chisel
[keys]
num_warp = 4 8
[program vecadd]
exec = vecadd.s --grid 64 --arg fiota:64 --arg fiota:64 --arg zeros:64
END
ventus sweep plan.ini
[ "$(wc -l <plan.sweep/table.csv)" = 5 ]
[ -s plan.sweep/index.html ]
cp plan.sweep/table.csv before.csv
ventus sweep plan.ini
cmp before.csv plan.sweep/table.csv
