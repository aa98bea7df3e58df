#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each row of docs/opencl-3.1.md that is not open names a test: a `TEST` of a file, or one
of ctest.  An open row names none.

    requirements.py CTEST BUILD
"""
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / 'docs/opencl-3.1.md'


def main():
    listed = subprocess.run([sys.argv[1], '--test-dir', sys.argv[2], '-N'], check=True,
                            capture_output=True, text=True).stdout
    tests = set(re.findall(r'Test +#\d+: (\S+)', listed))
    errors, count = [], 0
    for line in PAGE.read_text(encoding='utf-8').splitlines():
        cells = [c.strip() for c in line.strip('|').split('|')]
        if not line.startswith('| ') or cells[0] in ('requirement', 'change'):
            continue
        count += 1
        named = re.findall(r'`(\w+)`(?: in `([\w/.]+)`)?', cells[2])
        if bool(named) == (cells[1] == 'open'):
            errors.append(f'{cells[0]}: a test, or open')
        for name, file in named:
            found = f'TEST({name})' in (ROOT / file).read_text(encoding='utf-8') \
                if file else name in tests
            if not found:
                errors.append(f'{cells[0]}: there is no test {name} {file}')
    print(*errors, sep='\n')
    print(f'{count} rows, {len(errors)} errors')
    return bool(errors) or not count


if __name__ == '__main__':
    sys.exit(main())
