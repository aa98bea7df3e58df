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


def other_text(cc):
    """What is said of k.cl, in a source whose name ends as k.cl does, and of
    the source by its own name."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / 'a_k.cl'
        text = 'kernel void %s(local int *p) {\n' \
            '    if (get_local_id(0) & 1)\n        barrier(%d); }\n'
        path.write_text(text % ('f', 1) + '#line 1 "k.cl"\n' +
                        text % ('g', 2))
        done = subprocess.run([cc, '-o', f'{folder}/k.elf', path],
                              capture_output=True, text=True, check=False)
    return done.stderr


def too_large(cc, options):
    """What is said of a private array that no machine has room for."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / 'k.cl'
        path.write_text('kernel void k(global int *o, int n) {\n'
                        '    int i = get_global_id(0), huge[300000];\n\n'
                        '    for (int k = 0; k < n; k++)\n'
                        '        huge[k * n % 300000] = k;\n'
                        '    o[i] = huge[i];\n}\n')
        done = subprocess.run([cc, *options, '-o', f'{folder}/k.elf', path],
                              capture_output=True, text=True, check=False)
    return done.stderr


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
    said = other_text(cc)
    check('text of another file', re.search(
        r'a_k\.cl:3:9: warning: .*\n +3 \| +barrier\(1\); }\n', said) and
        re.search(r'^k\.cl:3:9: warning: .*', said, re.M) and
        len(said.splitlines()) == 4, said)
    for name in NAMES:
        done, found = warnings(cc, source, [f'-Wno-{name}'])
        check(f'-Wno-{name}', sorted(found) == sorted(
            x for x in expected if x[1] != name), done.stderr)
    for options in ([], ['-g'], ['-O0'], ['-march=ventus2']):
        said = too_large(cc, options)
        check(f'too large {options}', re.search(
            r"k\.cl:[25]:\d+: error: kernel 'k': a private variable has 1200000 "
            r'bytes, expected 1048576 at most; ', said), said)
    done, _ = warnings(cc, source, ['-w'])
    check('-w', done.stderr == '', done.stderr)
    done, _ = warnings(cc, source, ['-Werror'])
    check('-Werror is for errors of the language', not done.returncode,
          done.stderr)
    print(f'{len(expected)} warnings, {failed} failed')
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
