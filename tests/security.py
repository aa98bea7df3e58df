#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each guarantee of docs/security.md names tests, and all of them exist.

usage: security.py CTEST BUILD
"""
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / 'docs' / 'security.md'


def known(ctest, build):
    """Tests of this build, and fuzzers, which other presets build."""
    listing = subprocess.run([ctest, '-N'], cwd=build, check=True, text=True,
                             stdout=subprocess.PIPE).stdout
    names = set(re.findall(r'^ *Test +#\d+: (\S+)', listing, re.M))
    for path in (ROOT / 'tests').rglob('CMakeLists.txt'):
        names |= {f'fuzz_{name}' for name in
                  re.findall(r'ventus_fuzz\((\w+)', path.read_text())}
    return names


def guarantees(text):
    """(line, guarantee, tests) of each row of the tables of guarantees."""
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith('## '):
            inside = line == '## Guarantees'
        cells = [c.strip() for c in line.strip('|').split('|')]
        if inside and line.startswith('|') and len(cells) == 2 and \
                cells[0] != 'guarantee' and not set(cells[0]) <= set('-'):
            yield number, cells[0], re.findall(r'`([^`]+)`', cells[1])


def main():
    names = known(sys.argv[1], sys.argv[2])
    errors, rows = [], list(guarantees(PAGE.read_text(encoding='utf-8')))
    for number, guarantee, tests in rows:
        if not tests:
            errors.append(f'{number}: no test holds "{guarantee}"')
        errors += [f'{number}: there is no test {t}' for t in tests
                   if t not in names]
    if len(rows) < 20:
        errors.append(f'found {len(rows)} guarantees, expected 20 and more')
    print('\n'.join([f'docs/security.md:{e}' for e in errors] +
                    [f'{len(rows)} guarantees, {len(errors)} errors']))
    return errors != []


if __name__ == '__main__':
    sys.exit(main())
