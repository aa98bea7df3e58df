#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kernels whose work-groups hand data to each other, on the cycle-level machine
with L1Ds that are not coherent.

usage: order.py VENTUS COMPILER FILE...

The files are written as those of tests/cc (run.py); each launch runs on several
numbers of SMs and with each setting of the compiler."""
import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / 'cc'))
import run as kernels  # the notation of what to launch and to expect

LANES = 8
MACHINES = {'chisel': '', 'four': '--set num_sm=4',
            'gto': '--set num_sm=2 --set scheduler=gto',
            'without': '--coherence none'}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('ventus')
    parser.add_argument('compiler')
    parser.add_argument('files', nargs='+')
    parser.add_argument('--settings', default='default,off')
    options = parser.parse_args()
    failed = runs = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for file in map(Path, options.files):
            for setting in options.settings.split(','):
                elf, message = kernels.compile_file(options, file, setting, folder)
                if not elf:
                    sys.exit(f'{file} [{setting}]: does not compile\n{message}')
                for launch in kernels.parse(file):
                    for name, words in MACHINES.items():
                        if name in launch.skip:
                            continue
                        runs += 1
                        errors = kernels.run(
                            options.ventus, elf, launch, LANES, setting, folder,
                            ['--model', 'chisel', '--coherence', 'rcc', '--set',
                             'max_instructions=2000000', *words.split()])
                        if not errors[0].startswith('exec:'):
                            errors = errors[1:]  # what it printed
                        failed += bool(errors)
                        for error in errors:
                            print(f'{file.name}: {launch.kernel} [{setting}, '
                                  f'{name}]: {error}')
    print(f'{runs} launches, {failed} failed')
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
