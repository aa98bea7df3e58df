#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each guarantee of docs/security.md names tests, and all of them exist: rows of
tables of guarantees, and paragraphs of the parts that promise something.

usage: security.py CTEST BUILD
"""
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / 'docs' / 'security.md'
PROMISING = ('## Guarantees', '## The sandbox, and what it needs of the kernel')


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


def paragraphs(text):
    """(line, paragraph) of the prose of the parts that promise something."""
    inside, begin, words = False, 0, []
    for number, line in enumerate([*text.splitlines(), ''], 1):
        if line.startswith('#'):
            inside = line in PROMISING or (inside and line.startswith('### ')
                                           and line != '### Its cost')
        elif line and line[0] not in '|' and inside:
            begin, words = begin if words else number, [*words, line]
        elif words:
            yield begin, ' '.join(words)
            words = []


def errors_of(text, names):
    found = []
    for number, guarantee, tests in guarantees(text):
        if not tests:
            found.append(f'{number}: no test holds "{guarantee}"')
        found += [f'{number}: there is no test {t}' for t in tests
                  if t not in names]
    for number, words in paragraphs(text):
        if not any(t in names for t in re.findall(r'`([^`]+)`', words)):
            found.append(f'{number}: no test holds "{words}"')
    return found


def main():
    names = known(sys.argv[1], sys.argv[2])
    text = PAGE.read_text(encoding='utf-8')
    errors, rows = errors_of(text, names), list(guarantees(text))
    n_words = len(list(paragraphs(text)))
    if len(rows) < 20:
        errors.append(f'found {len(rows)} guarantees, expected 20 and more')
    if n_words < 3:
        errors.append(f'found {n_words} paragraphs, expected 3 and more')
    print('\n'.join([f'docs/security.md:{e}' for e in errors] +
                    [f'{len(rows)} guarantees, {n_words} paragraphs, '
                     f'{len(errors)} errors']))
    return errors != []


if __name__ == '__main__':
    sys.exit(main())
