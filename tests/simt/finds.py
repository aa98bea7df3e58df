#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Machines that are wrong on purpose are found, by programs made small.

    finds.py SIMT ENGINE LINES PATTERN

Runs random programs on ENGINE until one differs; the program that is printed
must have at most LINES instructions of its own, and one that PATTERN matches.
"""

import re
import subprocess
import sys


def main():
    simt, engine, most, pattern = sys.argv[1:]
    r = subprocess.run(
        [simt, "--engines", engine, "--programs", "400"],
        stdout=subprocess.PIPE, text=True)
    if r.returncode != 1:
        sys.exit(f"{engine}: exit status {r.returncode}, expected 1")
    if not re.match(rf"seed \d+ differs on {engine}: ", r.stdout):
        sys.exit(f"{engine}: no seed is named:\n{r.stdout[:200]}")
    own = r.stdout.split("# ---- begin\n")[1].split("# ---- end\n")[0]
    lines = [l for l in own.splitlines() if l.startswith("    ")]
    if len(lines) > int(most):
        sys.exit(f"{engine}: {len(lines)} lines are left, expected at most "
                 f"{most}:\n{own}")
    if not re.search(pattern, r.stdout):
        sys.exit(f"{engine}: nothing matches '{pattern}':\n{r.stdout}")


main()
