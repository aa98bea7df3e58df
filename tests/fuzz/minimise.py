#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Takes what hours of fuzzing found into the tree, in minimised form.

    minimise.py build/fuzz [NAME...]

Of BUILD/corpus/NAME libFuzzer chooses a set that reaches all edges together
(-set_cover_merge without counters); of those the smallest go to tests/fuzz/NAME,
up to a limit of files and bytes.  What has a name there, an input that broke
something, stays; what has a hash is replaced.
"""
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
FILES, BYTES, SAMPLE = 40, 16 << 10, 400
HASH = re.compile(r"[0-9a-f]{40}")


def minimise(build, name):
    found = sorted((build / "corpus" / name).iterdir())
    found = random.Random(1).sample(found, min(SAMPLE, len(found)))
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        (folder / "all").mkdir()
        (folder / "few").mkdir()
        for path in found:
            shutil.copy(path, folder / "all")
        subprocess.run(
            [build / "tests/fuzz" / f"fuzz_{name}", "-set_cover_merge=1",
             "-use_counters=0", "-timeout=60", "-max_len=20000",
             folder / "few", folder / "all"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        few = sorted((folder / "few").iterdir(),
                     key=lambda p: (p.stat().st_size, p.name))
        to = HERE / name
        to.mkdir(exist_ok=True)
        for path in to.iterdir():
            if HASH.fullmatch(path.name):
                path.unlink()
        total = n = 0
        for path in few[:FILES]:
            total += path.stat().st_size
            if total > BYTES and n:
                break
            shutil.copy(path, to / path.name)
            n += 1
    print(f"{name}: {n} of {len(few)} inputs of {len(found)}", flush=True)


def main():
    build = Path(sys.argv[1]).resolve()
    rows = (build / "fuzz_targets.txt").read_text().splitlines()
    for name in sys.argv[2:] or [row.split(";")[0] for row in rows]:
        minimise(build, name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
