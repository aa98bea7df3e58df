#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Four of examples/opencl on the simulated GPU and on pocl, which runs them on
the processor itself: how many times slower is the simulation?

    bench_pocl.py [--build DIR] [--device PRESET]

Both run in turns and count the shortest of several rounds, without building.
Prints nothing but a note if pocl is not installed."""
import argparse
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
POCL = "/etc/OpenCL/vendors/pocl.icd"
TURNS, REPEAT = 2, 5
PROGRAMS = {
    "matmul": "matrix_multiply --n 256",
    "mandelbrot": "mandelbrot --width 512 --height 512",
    "bfs": "bfs --n 200000",
    "blackscholes": "black_scholes --n 10000",
}


def shortest_ms(command, **env):
    out = subprocess.run(command, env={**os.environ, **env}, text=True,
                         check=True, capture_output=True).stdout
    return float(re.search(r"; ([\d.]+) ms on ", out)[1])


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ap.add_argument("--build", default=os.path.join(HERE, "../build/release"))
    ap.add_argument("--device", default="default")
    args = ap.parse_args()
    if not os.path.exists(POCL):
        print("bench_pocl.py: no pocl; package pocl-opencl-icd",
              file=sys.stderr)
        return
    ventus = os.path.join(args.build, "bin/ventus")
    for name, words in PROGRAMS.items():
        path, *rest = words.split()
        program = [os.path.join(args.build, "examples/opencl", path), *rest,
                   "--repeat", str(REPEAT)]
        ours, theirs = [], []
        for _ in range(TURNS):
            ours.append(shortest_ms([ventus, "run", "--device", args.device,
                                     "--", *program]))
            theirs.append(shortest_ms(program, OCL_ICD_VENDORS=POCL))
        print(f"pocl.{name} {min(ours) / min(theirs):.2f} times")


if __name__ == "__main__":
    main()
