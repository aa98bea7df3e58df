#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Four of examples/opencl on the simulated GPU and on pocl, which runs them on
the processor itself: how many times slower is the simulation?

    bench_pocl.py [--build DIR] [--device PRESET]

Both run in turns and count the least processor time of the kernels alone, as
bench_native.py measures it.  Prints nothing but a note if pocl is not installed."""
import argparse
import os
import tempfile
from pathlib import Path

import bench_native as native

TURNS = 2
PROGRAMS = {
    "matmul": ("matrix_multiply", "--n 256"),
    "mandelbrot": ("mandelbrot", "--width 512 --height 512"),
    "bfs": ("bfs", "--n 200000"),
    "blackscholes": ("black_scholes", "--n 10000"),
}


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    ap.add_argument("--build", type=Path, default=native.HERE.parent / "build/release")
    ap.add_argument("--device", default="default")
    ap.set_defaults(minutes=0, core=max(os.sched_getaffinity(0)))
    args = ap.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = native.Bench(args, Path(folder))
        if not native.POCL.exists():
            bench.note("no pocl: package pocl-opencl-icd")
            return
        for name, (example, words) in PROGRAMS.items():
            program = bench.example(example, words)
            pairs = [(bench.run(program, bench.on(args.device), 0)[0].cpu,
                      bench.on_pocl(program).cpu) for _ in range(TURNS)]
            ours, theirs = map(min, zip(*pairs))
            print(f"pocl.{name} {ours / theirs:.2f} times")


if __name__ == "__main__":
    main()
