#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What it costs that the cycle model could be watched: nothing.

usage: bench_tracing.py [--build DIR]

bench_model, with nobody watching, against the same machine built with
MODEL_UNTRACED, which has no trace, no profile and no test for them.  Both run
in turns, so that a busy machine slows both down; model.tracing is the median of
their ratios, 1 if tracing that is off costs nothing.
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
    watched, without = (os.path.join(folder, name)
                        for name in ("bench_model", "model_unwatched"))
    ratios = []
    for i in range(PAIRS):
        # Who goes first changes, too.
        pair = {p: speed(p) for p in (watched, without)[::(-1) ** i]}
        ratios.append(pair[watched] / pair[without])
    print(f"model.tracing {statistics.median(ratios):.3f} times")


if __name__ == "__main__":
    main()
