#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A design that differs in one latency: the first difference is that instruction.
set -- "$examples/vecadd.s" --grid 16 --local 8 --arg fiota:16 --arg fiota:16 \
    --arg zeros:16
ventus exec --model rtl-verilog --events a.events "$@"
ventus exec --model rtl-verilog --set fpu_add_cycles=9 --events b.events "$@"
ventus compare a.events b.events >out || [ $? = 1 ]
cat out
grep -q '^>.*vfadd.vv' out
