#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the benchmarks and compares them with the gates.

    run.py [--build DIR] [--json FILE] [--write PAGE] [NAME...]

Each program in DIR/bench and each script bench_*.py here but those of TABLES prints
`name value unit` lines; bench/gates.txt says `name gate goal`, the least values, or with
`<` before them the largest.  A figure is the median of three runs.  --write puts the figures into
a page like docs/results/performance.md, with version, date and host.  The exit status says
only whether everything ran: machines differ, so speed is read, not asserted."""
import argparse
import glob
import json
import os
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../scripts"))
import results  # pylint: disable=wrong-import-position

RUNS = 3
# Scripts that print tables to be read, not figures: they are run by themselves.
TABLES = ("check", "fixed", "hints", "native", "versions")
COLUMNS = ("figure", "measured", "unit", "gate", "goal", *results.RUN)


def gates():
    found = {}
    with open(os.path.join(HERE, "gates.txt"), encoding="utf-8") as f:
        for line in f:
            words = line.split("#")[0].split()
            if words:
                found[words[0]] = (words[1], words[2])
    return found


def meets(value, gate):
    if gate.startswith("<"):
        return value <= float(gate[1:])
    return value >= float(gate)


def programs(build):
    found = sorted(glob.glob(os.path.join(build, "bench/bench_*")))
    scripts = sorted(glob.glob(os.path.join(HERE, "bench_*.py")))
    return ([(os.path.basename(p)[6:], [p]) for p in found] +
            [(os.path.basename(s)[6:-3], [sys.executable, s, "--build", build])
             for s in scripts if os.path.basename(s)[6:-3] not in TABLES])


def measure(program):
    values, units = {}, {}
    for _ in range(RUNS):
        out = subprocess.run(program, text=True, check=True,
                             capture_output=True).stdout
        for line in out.splitlines():
            name, value, unit = line.split()
            values.setdefault(name, []).append(float(value))
            units[name] = unit
    return [(n, statistics.median(v), units[n]) for n, v in values.items()]


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ap.add_argument("--build", default=os.path.join(HERE, "../build/release"))
    ap.add_argument("--json", help="also write the figures to this file")
    ap.add_argument("--write", metavar="PAGE", help="put the figures into this page")
    ap.add_argument("name", nargs="*", help="only these programs")
    args = ap.parse_args()
    if args.write:  # before a run of hours
        results.lines_of(args.write, COLUMNS)
    limits, rows = gates(), []
    print(f"{'what':28} {'measured':>10} {'gate':>8} {'goal':>8}  unit")
    for short, program in programs(args.build):
        if args.name and short not in args.name:
            continue
        for name, value, unit in measure(program):
            gate, goal = limits.get(name, ("0", "0"))
            mark = "" if meets(value, gate) else "  misses the gate"
            print(f"{name:28} {value:10.2f} {gate:>8} {goal:>8}  {unit}{mark}")
            rows.append({"name": name, "value": value, "unit": unit,
                         "gate": gate, "goal": goal})
    if args.json:
        with open(args.json, "w", encoding="utf-8") as f:
            json.dump(rows, f, indent=1)
    if args.write:
        run = results.of_this_run(os.path.join(args.build, "bin/ventus"))
        results.update(args.write, COLUMNS, 1, [
            (r["name"], f'{r["value"]:.4g}', r["unit"], r["gate"], r["goal"], *run)
            for r in rows])
    sys.exit(0 if rows else 1)


if __name__ == "__main__":
    main()
