#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# An instruction of one's own, as the tutorial of that name says, in a clone of $source.
[ "${source:-}" ] || {
    echo "no clone: set source to the folder of the source"
    exit 77
}
for program in git cmake ninja; do
    command -v "$program" || {
        echo "no $program"
        exit 77
    }
done
git clone -q "$source" ventus
cd ventus
sed -n '/^```diff$/,/^```$/{/^```/d;p}' docs/tutorials/add-an-instruction.md >change
git apply change
git status --short
cmake --preset release
cmake --build --preset release --target ventus
build/release/bin/ventus isa vabsd.vv | tee page
grep -q 'match 0x2000600b  mask 0xfc00707f' page
cat >try.s <<'END'
    .globl try
try:
    vid.v v0
    vmv.v.i v1, 3
    vabsd.vv v1, v0, v1
    lw t0, 0(a0)
    vsll.vi v2, v0, 2
    vadd.vx v2, v2, t0
    vsw12.v v1, 0(v2)
    endprg
END
for machine in default rtl-verilog; do
    build/release/bin/ventus exec --device "$machine" try.s --grid 8 --local 8 \
        --arg zeros:8 --show 0 | tee out
    grep -q ' 3 2 1 0 1 2 3 4' out
done
# With corner cases and masks, against Python.
python3 tests/sim/run.py build/release/bin/ventus tests/sim/vector_distance.s
# The row and the tables agree with what is written by hand.
build/release/bin/ventus as -o try.o try.s
build/release/bin/ventus dis try.o | tee out
grep -q 'vabsd.vv' out
