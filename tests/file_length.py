#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Refuses source files that are longer than CONTRIBUTING permits: split by subject.

usage: file_length.py
"""
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PLACES = ('src', 'include', 'tools', 'tests', 'bench', 'examples', 'lib')
SUFFIXES = ('.c', '.h', '.py', '.cl', '.sh')
MOST = 600


def too_long(lines):
    return lines > MOST


def main():
    assert too_long(MOST + 1) and not too_long(MOST)
    wrong = n = 0
    for place in PLACES:
        for path in sorted((ROOT / place).rglob('*')):
            if path.suffix not in SUFFIXES or not path.is_file():
                continue
            name = path.relative_to(ROOT).as_posix()
            lines = path.read_text(encoding='utf-8').count('\n')
            n += 1
            if too_long(lines):
                print(f'{name}: {lines} lines, expected {MOST} at most')
                wrong += 1
    print(f'{n} files, {wrong} errors')
    return wrong != 0


if __name__ == '__main__':
    sys.exit(main())
