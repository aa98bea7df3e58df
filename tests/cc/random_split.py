#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One kernel that is wrong in a program of many: is it named?

    random_split.py RANDOM_KERNELS VENTUS --compiler CC_COMPILE ...

Runs random_kernels.py with a compiler that fails on some kernels: those and no
others must be named and kept, one in a file.  Then with one that compiles
kernels wrong that are not alone: each must be kept with one other."""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

WORD = 'goto out;'  # some kernels have it
FAILS = f"""#!/bin/sh
for last; do :; done
if grep -q '{WORD}' "$last"; then
    echo 'k.cl:1:1: error: made to fail' >&2
    exit 1
fi
exec {{}} "$@"
"""
# Wrong code, but for a kernel that is alone.
DIFFERS = """#!/bin/sh
for last; do :; done
grep -q 'kernel void k1' "$last" && sed -i 's/OUT + 0] = /&~/' "$last"
exec {} "$@"
"""


def run(words, compiler):
    """What it says, and the files that it keeps; None if it cannot run."""
    at = words.index('--compiler') + 1
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, 'compiler')
        script.write_text(compiler.format(words[at]))
        script.chmod(0o755)
        words = words[:at] + [str(script)] + words[at + 1:]
        done = subprocess.run([sys.executable, *words], cwd=folder,
                              capture_output=True, text=True)
        if done.returncode == 77:
            sys.exit(77)
        print(done.stdout, done.stderr)
        return done.stdout, [path.read_text() for path in
                             Path(folder).glob('random-*.cl')]


def main():
    words = sys.argv[1:]
    said, kept = run(words + ['--count', '4', '--batch', '4'], FAILS)
    named = re.findall(r'kernel (\d+): .*made to fail', said)
    right = len(named) == len(kept) == 1 and 'all are kept' not in said and \
        WORD in kept[0] and kept[0].count('kernel void') == 1
    said, kept = run(words + ['--count', '3', '--batch', '3'], DIFFERS)
    named = re.findall(r'kernel (\d+): only with 1 others: ', said)
    right = right and len(named) == len(kept) == 3 and \
        all(text.count('kernel void') == 2 for text in kept)
    return 0 if right else 1


if __name__ == '__main__':
    sys.exit(main())
