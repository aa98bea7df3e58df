#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fuzzes for hours: spreads CPU time evenly over all targets.

    run.py BUILD --hours 4 [--jobs 2] [--only NAME...] [--findings FOLDER]

Each target runs in turns of a few minutes, on `jobs` processors at once, from
the corpus in the tree and from what earlier runs found (BUILD/corpus).  A line
is printed after each turn.  Inputs that break something go to the folder of
findings, with what the target said beside them; then the exit status is 1.  The
sums of all runs are in BUILD/fuzz.json: hours, executions, findings.
"""
import argparse
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path

HERE = Path(__file__).parent


def targets(build):
    """Name to the files it is meant for, as CMake wrote them."""
    rows = (build / "fuzz_targets.txt").read_text().splitlines()
    return {row.split(";")[0]: row.split(";")[1:] for row in rows}


class Run:
    def __init__(self, options):
        self.o = options
        self.lock = threading.Lock()
        self.sums_at = options.build / "fuzz.json"
        self.sums = {}
        if self.sums_at.exists():
            self.sums = json.loads(self.sums_at.read_text())
        self.found = 0

    def count(self, name, seconds, executions, findings):
        with self.lock:
            s = self.sums.setdefault(
                name, {"hours": 0, "executions": 0, "findings": 0})
            s["hours"] += seconds / 3600
            s["executions"] += executions
            s["findings"] += len(findings)
            self.found += len(findings)
            new = self.sums_at.with_suffix(".new")
            new.write_text(json.dumps(self.sums, indent=1, sort_keys=True))
            new.replace(self.sums_at)

    def turn(self, name, seconds):
        """One target for some seconds; returns the new findings."""
        corpus = self.o.build / "corpus" / name
        corpus.mkdir(parents=True, exist_ok=True)
        folder = self.o.findings
        folder.mkdir(parents=True, exist_ok=True)
        before = set(folder.iterdir())
        command = [
            str(self.o.build / "tests/fuzz" / f"fuzz_{name}"),
            f"-max_total_time={int(seconds)}", "-timeout=60",
            "-report_slow_units=600",
            "-rss_limit_mb=3000", "-error_exitcode=1", "-print_final_stats=1",
            "-max_len=20000", f"-artifact_prefix={folder}/{name}-",
            str(corpus)]
        if (HERE / name).is_dir():
            command.append(str(HERE / name))
        log = folder / f"{name}.log"
        with open(log, "w") as out:
            child = subprocess.Popen(
                ["nice", "-n", str(self.o.nice)] + command, stdout=out,
                stderr=out)
            status, usage = os.wait4(child.pid, 0)[1:]
        took = usage.ru_utime + usage.ru_stime
        text = log.read_text(errors="replace")
        done = re.findall(r"^stat::number_of_executed_units: (\d+)", text, re.M)
        if not done:  # it ended at a finding
            done = re.findall(r"^#(\d+)\t", text, re.M)
        new = [p for p in sorted(set(folder.iterdir()) - before)
               if p.name.startswith(name + "-")]
        if status and not new:  # it did not start, or something leaked
            new = [folder / f"{name}-ended"]
            new[0].write_text(f"exit status {os.waitstatus_to_exitcode(status)}\n")
        for path in new:
            shutil.copy(log, path.with_name(path.name + ".log"))
        log.unlink()
        executions = int(done[-1]) if done else 0
        self.count(name, took, executions, new)
        return took, executions, new


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("build", type=lambda s: Path(s).resolve())
    p.add_argument("--hours", type=float, default=1, help="of CPU, in all")
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--nice", type=int, default=10)
    p.add_argument("--turn", type=float, default=120, help="seconds of a turn")
    p.add_argument("--only", nargs="+", metavar="NAME", default=[])
    p.add_argument("--findings", type=lambda s: Path(s).resolve())
    o = p.parse_args()
    o.findings = o.findings or o.build / "findings"
    names = o.only or list(targets(o.build))
    each = o.hours * 3600 / len(names)
    rounds = max(1, round(each / o.turn))
    run = Run(o)
    turns = [(name, each / rounds) for _ in range(rounds) for name in names]
    print(f"{len(names)} targets, {each / 60:.1f} minutes each, in "
          f"{rounds} turns; findings: {o.findings}", flush=True)
    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        jobs = {pool.submit(run.turn, *t): t[0] for t in turns}
        for n, job in enumerate(concurrent.futures.as_completed(jobs), 1):
            took, executions, new = job.result()
            print(f"{n}/{len(turns)} {jobs[job]}: {executions} executions in "
                  f"{took:.0f} s of CPU" +
                  "".join(f", FOUND {path.name}" for path in new), flush=True)
    print(f"{run.found} findings")
    return 1 if run.found else 0


if __name__ == "__main__":
    sys.exit(main())
