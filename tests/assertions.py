#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts the assertions of each module for a thousand lines that are not blank, and
refuses a module of GOAL with fewer than that.

usage: assertions.py
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
ASSERTION = re.compile(r'(?<![\w])(?:debug_)?assert(?:_held)?\(')
GOAL = dict.fromkeys(['asm', 'cc', 'cl', 'dev', 'gdb', 'ir', 'model', 'obj', 'recording',
                      'sim', 'sweep', 'tile'], 10)


def count(text):
    """(lines that are not blank, assertions)"""
    return (sum(1 for line in text.splitlines() if line.strip()),
            len(ASSERTION.findall(text)))


def of_module(folder):
    counts = [count(p.read_text(encoding='utf-8'))
              for p in folder.rglob('*') if p.suffix in ('.c', '.h')]
    return sum(n for n, _ in counts), sum(a for _, a in counts)


def is_thin(lines, assertions, goal):
    return assertions * 1000 < goal * lines


def check_itself():
    text = '\nassert(a);\n  debug_assert(b); assert_held(&c);\n_Static_assert(1, "");\n'
    assert count(text) == (3, 3)
    assert is_thin(1000, 9, 10) and not is_thin(1000, 10, 10)


def main():
    check_itself()
    wrong = 0
    for folder in sorted((ROOT / 'src').iterdir()):
        if not folder.is_dir():
            continue
        lines, assertions = of_module(folder)
        goal = GOAL.get(folder.name, 0)
        row = f'{folder.name}: {assertions} in {lines} lines, ' \
              f'{1000 * assertions / max(lines, 1):.1f} in a thousand'
        if is_thin(lines, assertions, goal):
            row += f'; expected {goal}'
            wrong += 1
        print(row)
    print(f'{len(GOAL)} modules with a goal, {wrong} errors')
    return wrong != 0


if __name__ == '__main__':
    sys.exit(main())
