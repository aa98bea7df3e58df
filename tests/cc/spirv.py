#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""SPIR-V computes what its source does.

    spirv.py VENTUS CLANG FILE.cl... [--lanes N,N] [--isa 1,2]

Each file, in the notation of run.py, is compiled by clang 15 to SPIR-V and that by
`ventus cc`; launches then give what the file expects of the source.  Physical32 for
version 1, Physical64 for version 2.  Says so and ends with 77 if a program that makes
SPIR-V is missing.
"""
import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import run

SKIPPED = 77


def words_of(file):
    """The options of the source for clang; without -fno-... of `ventus cc`."""
    words = []
    for more in re.findall(r'^// @options (.*)', file.read_text(), re.M):
        words += [w for w in more.split() if w.startswith(('-D', '-cl-std'))]
    return words


def make_module(file, bits, folder, std='CL2.0'):
    """SPIR-V of a source; or None and what the programs said."""
    bitcode, module = folder / 'k.bc', folder / 'k.spv'
    target = 'spir64' if bits == 64 else 'spir'
    for command in (['clang-15', '-target', target, f'-cl-std={std}', '-O1',
                     '-Xclang', '-disable-llvm-passes', '-emit-llvm', '-c',
                     '-Xclang', '-finclude-default-header', '-Xclang',
                     '-no-opaque-pointers', '-w', *words_of(file), file,
                     '-o', bitcode],
                    ['llvm-spirv-15', '--spirv-ext=+all', bitcode, '-o',
                     module]):
        done = subprocess.run(command, capture_output=True, text=True,
                              errors='replace')
        if done.returncode:
            return None, done.stderr
    return module, ''


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('ventus')
    parser.add_argument('files', nargs='+', type=Path)
    parser.add_argument('--lanes', default='8')
    parser.add_argument('--isa', default='1,2')
    options = parser.parse_args()
    for program in 'clang-15', 'llvm-spirv-15', 'spirv-val':
        if not shutil.which(program):
            print(f'skipped: no {program}')
            return SKIPPED
    failed = runs = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for file in options.files:
            for isa in options.isa.split(','):
                module, said = make_module(file, 32 * int(isa), folder)
                if not module:
                    failed += 1
                    print(f'{file}: no SPIR-V\n{said}')
                    continue
                elf = folder / 'k.elf'
                done = subprocess.run(
                    [options.ventus, 'cc', f'-march=ventus{isa}', module, '-o',
                     elf], capture_output=True, text=True)
                if done.returncode:
                    failed += 1
                    print(f'{file}, version {isa}:\n{done.stderr}')
                    continue
                setting = 'v2' if isa == '2' else 'default'
                for launch in run.parse(file):
                    if setting in launch.skip:
                        continue
                    for lanes in options.lanes.split(','):
                        runs += 1
                        errors = run.run(options.ventus, elf, launch, lanes,
                                         setting, folder)
                        failed += bool(errors)
                        for error in errors:
                            print(f'{file}: {launch.kernel} [version {isa}, '
                                  f'{lanes} lanes]: {error}')
    print(f'{runs} launches, {failed} failed')
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
