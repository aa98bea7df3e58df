#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Issues by cycle, and files for the viewers.
ventus exec --model rtl-verilog --issues issues --konata kernel.konata \
    --trace kernel.json --report report.html "$examples/vecadd.s" --grid 8 --local 8 \
    --arg fiota:8 --arg fiota:8 --arg zeros:8
[ "$(wc -l <issues)" -gt 20 ]
head -1 kernel.konata | grep Kanata
grep -q 'vfadd.vv' kernel.json
grep -q vecadd report.html
