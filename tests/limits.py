#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The table of docs/limits.md against the source and the tests.

limits.py BUILD: each row names a variable that the source reads, or a key of
devices, with the key's own default, and tests that exist; and each variable
or key that is a limit is in the table.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / 'docs' / 'limits.md'
# Numbers that choose something.
NO_LIMITS = {'VENTUS_TRACE_SM', 'VENTUS_FAULT_STATUS', 'VENTUS_WARM_COMPILER'}
KEY = re.compile(r'CONFIG_KEY\(\w+,\s*(\w+),((?:[^"()]|"[^"]*")*)\)', re.S)


def rows():
    for line in PAGE.read_text().splitlines():
        cells = [c.strip() for c in line.strip('|').split('|')]
        if line.startswith('|') and len(cells) == 5:
            yield cells
    # The head and the line below it are rows, too; they name nothing.


def source():
    return ''.join(p.read_text() for p in sorted(ROOT.glob('src/**/*.[ch]')))


def main():
    text = source()
    keys = dict(KEY.findall(text))
    listed = subprocess.run(['ctest', '--test-dir', sys.argv[1], '-N'],
                            capture_output=True, text=True, check=True).stdout
    tests = set(re.findall(r'Test +#\d+: (\S+)', listed))
    wrong, named = [], set()
    for setting, default, _, said, held in list(rows())[2:]:
        names = re.findall(r'`(\w+)`', setting)
        named.update(names)
        for name in names:
            known = f'"{name}"' in text if name.isupper() else name in keys
            if not known:
                wrong.append(f'{name}: nothing reads it')
        found = re.findall(r'`(\w+)`', held)
        if not found or not said or not default:
            wrong.append(f'{setting}: a cell is empty')
        # Presets without a compiler have no tests of programs.
        wrong += [f'{setting}: no test {t}' for t in found
                  if t not in tests and 'cl_program' in tests]
    numbers = set(re.findall(r'cl_env_(?:has_)?number\(\s*"(\w+)"', text))
    more = {k for k, rest in keys.items()
            if re.search(r'more (is|are|fails)', rest)}
    wrong += [f'{name}: a limit that docs/limits.md does not have'
              for name in sorted((numbers | more) - named - NO_LIMITS)]
    for line in wrong:
        print(f'docs/limits.md: {line}')
    return bool(wrong)


if __name__ == '__main__':
    sys.exit(main())
