#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What each fuzzer reaches of the files it is meant for.

    cmake --preset fuzz-coverage && cmake --build --preset fuzz-coverage
    coverage.py build/fuzz-coverage [CORPUS] [--update README.md]

Runs each target once over the corpus in the tree, and over CORPUS/NAME if a
folder is given (build/fuzz/corpus, which `make fuzz HOURS=n` fills), and prints
lines and branches by llvm-cov as a table; --update writes it into a page,
between the lines "<!-- coverage -->".
"""
import argparse
import glob
import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
MARK = "<!-- coverage -->"


def measure(build, name, patterns, corpora):
    """Lines and branches, each (covered, all)."""
    program = build / "tests/fuzz" / f"fuzz_{name}"
    raw = build / f"{name}.profraw"
    data = build / f"{name}.profdata"
    inputs = [str(p) for folder in corpora if folder.is_dir()
              for p in sorted(folder.iterdir())]
    for begin in range(0, len(inputs), 2000):
        subprocess.run([program] + inputs[begin:begin + 2000],
                       env={"LLVM_PROFILE_FILE": f"{raw}.{begin}",
                            "PATH": "/usr/bin:/bin"},
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       check=True)
    parts = glob.glob(f"{raw}.*")
    if not parts:
        return 0, (0, 1), (0, 1)
    subprocess.run(["llvm-profdata-19", "merge", "-o", data] + parts,
                   check=True)
    for part in parts:
        Path(part).unlink()
    files = [f for p in patterns for f in glob.glob(str(ROOT / "src" / p))]
    out = subprocess.run(
        ["llvm-cov-19", "export", "-summary-only", f"-instr-profile={data}",
         program] + files, check=True, capture_output=True, text=True).stdout
    totals = json.loads(out)["data"][0]["totals"]
    return len(inputs), *((totals[k]["covered"], totals[k]["count"])
                          for k in ("lines", "branches"))


def percent(part):
    return f"{100 * part[0] / max(1, part[1]):.0f} % of {part[1]}"


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("build", type=lambda s: Path(s).resolve())
    p.add_argument("corpus", nargs="?", type=lambda s: Path(s).resolve())
    p.add_argument("--update", type=Path)
    o = p.parse_args()
    rows = ["| target | files below `src/` | inputs | lines | branches |",
            "|---|---|---|---|---|"]
    for row in (o.build / "fuzz_targets.txt").read_text().splitlines():
        name, *patterns = row.split(";")
        corpora = [HERE / name] + ([o.corpus / name] if o.corpus else [])
        inputs, lines, branches = measure(o.build, name, patterns, corpora)
        files = " ".join(f"`{f}`" for f in patterns)
        rows.append(f"| `{name}` | {files} | {inputs} | {percent(lines)} | "
                    f"{percent(branches)} |")
        print(rows[-1], flush=True)
    if o.update:
        before, _, after = o.update.read_text().split(MARK)
        table = "\n" + "\n".join(rows) + "\n"
        o.update.write_text(before + MARK + table + MARK + after)
    return 0


if __name__ == "__main__":
    sys.exit(main())
