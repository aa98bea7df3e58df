#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Warnings of the back end: where they come, where not, how they look.

    diagnosed.py VENTUS_CC

In warnings.cl a comment says what is expected at its line, by the name of the
warning; nothing else may be reported.  -Wno-NAME turns one off, -w all.
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

NAMES = ['divergent-barrier', 'uncoalesced', 'private-memory']


def warnings(cc, source, options=()):
    """(line, name) of each; and all of the text."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([cc, *options, '-o', f'{folder}/k.elf', source],
                              capture_output=True, text=True, check=False)
    found = re.findall(r':(\d+)(?::\d+)?: warning: .* \[-W([\w-]+)\]$', done.stderr,
                       re.M)
    return done, [(int(line), name) for line, name in found]


def main():
    cc, source = sys.argv[1], Path(__file__).with_name('warnings.cl')
    lines = source.read_text(encoding='utf-8').splitlines()
    expected = [(k, name) for k, line in enumerate(lines, 1)
                for name in re.findall(r'// warning: (\S+)', line)]
    failed = 0

    def check(what, ok, shown):
        nonlocal failed
        if not ok:
            failed += 1
            print(f'FAIL {what}\n{shown}')
    done, found = warnings(cc, source)
    check('all', sorted(found) == sorted(expected) and not done.returncode,
          done.stderr)
    line, _ = expected[0]
    place = lines[line - 1].index('barrier') + 1
    check('place and caret', f'warnings.cl:{line}:{place}: warning' in
          done.stderr and f'{lines[line - 1]}\n      | {" " * (place - 1)}^\n'
          in done.stderr, done.stderr)
    for name in NAMES:
        done, found = warnings(cc, source, [f'-Wno-{name}'])
        check(f'-Wno-{name}', sorted(found) == sorted(
            x for x in expected if x[1] != name), done.stderr)
    done, _ = warnings(cc, source, ['-w'])
    check('-w', done.stderr == '', done.stderr)
    done, _ = warnings(cc, source, ['-Werror'])
    check('-Werror is for errors of the language', not done.returncode,
          done.stderr)
    print(f'{len(expected)} warnings, {failed} failed')
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
