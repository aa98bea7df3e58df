#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The compiler with clang inside gives what it gives with clang as a program: the same
bytes, messages and exit status for every kernel of the tree, in both versions.

usage: inside.py VENTUS_CC ROOT OUT [STEP]

STEP: every STEPth kernel only.
"""
import os
import subprocess
import sys
from pathlib import Path

CC, ROOT, OUT = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
STEP = int(sys.argv[4]) if len(sys.argv) > 4 else 1


def compiled(source, words, **env):
    """The exit status and messages of `ventus cc`, and the bytes that it writes."""
    out = OUT / 'output'
    out.unlink(missing_ok=True)
    done = subprocess.run([CC, *words, '-o', str(out), source], cwd=ROOT,
                          env=os.environ | env, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    return done.returncode, done.stdout, out.read_bytes() if out.exists() else b''


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    kernels = sorted(str(path.relative_to(ROOT)) for folder in
                     ('tests/cc', 'lib', 'bench', 'examples')
                     for path in (ROOT / folder).rglob('*.cl'))[::STEP]
    wrong, good = 0, 0
    for kernel in kernels:
        for words in (['-march=ventus1', '-g'], ['-march=ventus2', '--emit', 'bc']):
            inside = compiled(kernel, words)
            program = compiled(kernel, words, VENTUS_CLANG='clang-19')
            good += inside[0] == 0
            if inside != program:
                print(f'{kernel} {words}: differs: {inside[:2]}, {program[:2]}')
                wrong += 1
    print(f'{len(kernels)} kernels, {good} compilations succeeded, {wrong} differ')
    return wrong != 0 or not good


sys.exit(main())
