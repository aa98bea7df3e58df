#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One kernel that does not compile in a program of many: is it named?

    random_split.py RANDOM_KERNELS VENTUS --compiler CC_COMPILE ...

Runs random_kernels.py with a compiler that fails on some kernels.  Those and
no others must be named and kept, one in a file."""
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


def main():
    script, *words = sys.argv[1:]
    at = words.index('--compiler') + 1
    with tempfile.TemporaryDirectory() as folder:
        compiler = Path(folder, 'compiler')
        compiler.write_text(FAILS.format(words[at]))
        compiler.chmod(0o755)
        words[at] = str(compiler)
        done = subprocess.run([sys.executable, script, *words], cwd=folder,
                              capture_output=True, text=True)
        if done.returncode == 77:
            return 77
        named = re.findall(r'kernel (\d+): .*made to fail', done.stdout)
        kept = {path.name: path.read_text()
                for path in Path(folder).glob('random-*.cl')}
    right = done.returncode == 1 and named and len(kept) == len(named) and \
        'all are kept' not in done.stdout
    for text in kept.values():
        right = right and text.count('kernel void') == 1 and WORD in text
    print(done.stdout, done.stderr)
    return 0 if right else 1


if __name__ == '__main__':
    sys.exit(main())
