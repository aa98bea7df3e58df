#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs some examples and says what happened; `make demo`.  Where the examples are
# installed it needs a C compiler and uses the `ventus` in PATH.
set -eu
cd "$(dirname "$0")/.."
programs="vector_add matrix_multiply reduce scan histogram nbody bfs black_scholes life"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
if [ -f CMakeLists.txt ]; then
    ventus=build/release/bin/ventus
    built=build/release/examples/opencl
    picture=build/mandelbrot.png
else
    ventus=ventus
    built=$out
    picture=$out/mandelbrot.png
    command -v ventus >/dev/null || {
        echo "$0: no ventus in PATH" >&2
        exit 1
    }
    for program in $programs mandelbrot; do
        library=
        [ $program != mandelbrot ] || library=-lpng
        ${CC:-cc} -O2 -o "$built/$program" examples/opencl/$program.c -lOpenCL -lm \
            $library || {
            echo "$0: needs a C compiler, OpenCL's headers and loader, and libpng" >&2
            exit 1
        }
    done
fi

echo "OpenCL programs on the simulated GPU, each checked against the host"
echo "(examples/opencl; times are of the simulation):"
echo
for program in $programs; do
    $ventus run -- "$built/$program"
done
$ventus run -- "$built/mandelbrot" --width 640 --height 480 --preview 64 \
    --png "$picture"
echo
echo "What the device did in one of them (ventus run --stats):"
echo
$ventus run --stats -- "$built/bfs" 2>&1
echo

echo "Its work-items race, with the same result; --check names both sides of the first:"
echo
$ventus run --check=race -- "$built/bfs" 2>&1 | sed -n 1,8p
echo
if command -v gdb-multiarch >/dev/null; then
    echo "One of its kernels in GDB: to work-item 37, and a step back (ventus debug):"
    echo
    # The sizes and the stop; the dollars are of GDB.
    # shellcheck disable=SC2016
    $ventus debug --batch --ex 'tbreak input.cl:6 if $gid_x == 37' \
        --ex continue --ex 'print $pc' --ex reverse-stepi --ex 'print $pc' \
        --ex 'print $gid_x' --ex delete --ex continue -- "$built/bfs" 2>/dev/null
    echo
fi
echo "c = a + b, one thread for each element (examples/vecadd.s):"
echo
$ventus exec examples/vecadd.s --grid 12 --local 12 \
    --arg fiota:12 --arg fiota:12 --arg zeros:12 --show 2:f32
echo
echo "What one line of it is, as an object and back:"
echo
$ventus as -o "$out/demo.o" examples/vecadd.s
$ventus dis "$out/demo.o" | grep -m 1 vfadd
echo
echo "Collatz steps of 1 to 32: threads leave the loop at different times"
echo "(examples/divergent.s), so vectors are rarely full:"
echo
$ventus exec examples/divergent.s --grid 32 --local 32 --arg zeros:32 \
    --show 0:u32 --stats | sed -n '1,4p;/efficiency/p;/branches/p;/deepest/p'
echo
echo "OpenCL C that calls assembly, which calls OpenCL C (examples/linked):"
echo
$ventus cc -o "$out/linked.elf" examples/linked/image.cl \
    examples/linked/sharpen.s
$ventus exec "$out/linked.elf" filter --grid 12 --local 12 \
    --arg iota:12 --arg fiota:12 --arg f32:3 --show 1:f32
echo
echo "A kernel that reads behind its buffer:"
echo
$ventus exec examples/vecadd.s --grid 2000 --local 32 \
    --arg iota:8 --arg iota:8 --arg zeros:8 2>&1 | fold -s -w 76 || true
echo
if [ -f tests/sim/run.py ]; then
    echo "All examples, with warps of 4 to 64 threads, against their expectations:"
    echo
    python3 tests/sim/run.py $ventus examples/*.s
    echo
fi
echo "The tile extension: a matrix multiply in C (examples/tile/gemm.c):"
echo
sh examples/tile/demo.sh $ventus
echo
if [ $ventus = ventus ]; then
    echo "What to do next:"
else
    echo "What to do next, with build/release/bin in PATH:"
fi
echo
echo "  a first kernel             docs/tutorials/first-kernel.md"
echo "  an OpenCL program of yours ventus run -- ./program    (docs/opencl.md)"
echo "  its time and its mistakes  ventus run --model chisel --report r.html -- ./program"
echo "                             ventus run --check -- ./program"
if [ $ventus = ventus ]; then
    echo "  a command                  its manual page (man ventus-exec), --help"
else
    echo "  the manual as pages        make docs; every command has --help"
fi
