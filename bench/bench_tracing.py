#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The cost of trace points that are off in the cycle model.

usage: bench_tracing.py [--build DIR]

Compares bench_model, with tracing off, with the same machine built with
MODEL_UNTRACED, which has no trace points and no profiler.  They run alternately,
so that a busy host slows both down; model.tracing is the median of the ratios,
1 if trace points that are off cost nothing.
"""
import argparse
import os
import statistics
import subprocess

PAIRS = 7


def speed(program):
    out = subprocess.run([program, "alu"], text=True, check=True,
                         capture_output=True).stdout
    return float(out.split()[1])


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ap.add_argument("--build", default="build/release")
    folder = os.path.join(ap.parse_args().build, "bench")
    traced, without = (os.path.join(folder, name)
                       for name in ("bench_model", "model_untraced"))
    ratios = []
    for i in range(PAIRS):
        # The first of a pair alternates, too.
        pair = {p: speed(p) for p in (traced, without)[::(-1) ** i]}
        ratios.append(pair[traced] / pair[without])
    print(f"model.tracing {statistics.median(ratios):.3f} times")


if __name__ == "__main__":
    main()
