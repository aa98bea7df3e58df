#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Debug information is well formed and changes no code.

    debug_text.py VENTUS FILE.cl... [--random N]

Compiles each file, and N random kernels, with and without -g: with -O1 and -O2
the code must be the same; llvm-dwarfdump-19 --verify must find nothing in the
object and in the program."""
import argparse
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import random_program

LEVELS = [['-O0'], ['-O1'], ['-O2'], ['-O2', '-march=ventus2']]


def run(*command):
    return subprocess.run(list(map(str, command)), capture_output=True,
                          text=True)


def code(ventus, path):
    """Machine words without addresses of constants, which lie behind them."""
    text = run(ventus, 'dis', path).stdout
    return re.findall(r'^/\* [0-9a-f]+ (.*?) \*/', text, re.M)


def check(ventus, source, level, folder):
    """What is wrong, or None; not all is for version 2."""
    plain, debug = folder / 'plain.o', folder / 'debug.o'
    program = folder / 'debug.elf'
    build = [ventus, 'cc', '-w', '-cl-std=CL3.0', *level, source, '-o']
    r = run(*build, plain, '--emit', 'o')
    if r.returncode:
        return None if 'ventus2' in str(level) else r.stderr
    for path, more in (debug, ['--emit', 'o']), (program, []):
        r = run(*build, path, '-g', *more)
        if r.returncode:
            return r.stderr
        r = run('llvm-dwarfdump-19', '--verify', path)
        if r.returncode or 'warning:' in r.stdout + r.stderr:
            return r.stdout + r.stderr
    if level != ['-O0'] and code(ventus, plain) != code(ventus, debug):
        return 'the code is not the same'
    return None


def main():
    p = argparse.ArgumentParser()
    p.add_argument('ventus')
    p.add_argument('files', nargs='*', type=Path)
    p.add_argument('--random', type=int, default=0)
    a = p.parse_intermixed_args()
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for seed in range(a.random):
            kernel = random_program.Kernel(random.Random(seed), 'k0')
            path = folder / f'random-{seed}.cl'
            path.write_text(random_program.PRELUDE
                            % (random_program.OUT, 48) +
                            random_program.indent(kernel.text()))
            a.files.append(path)
        for path in a.files:
            for level in LEVELS:
                wrong = check(a.ventus, path, level, folder)
                if wrong:
                    print(f'{path} {" ".join(level)}: {wrong[:1000]}')
                    bad += 1
    print(f'{len(a.files)} files, {len(LEVELS)} levels, {bad} wrong')
    sys.exit(bad != 0)


main()
