#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What version 2 of the instruction set costs and saves.

    bench_versions.py [--build DIR] [FILE.cl...]

Runs each kernel of bench/cc, compiled for both versions, on the functional
machine with 32 lanes and prints its warp-instructions on version 1, on version 2,
their ratio, and at the end the geometric mean.  Both must give right results.
A prefix counts with the instruction behind it.  A ratio beyond its gate is marked
and the exit status is 1."""
import argparse
import math
import re
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / 'tests/cc'))
import run as kernels  # the notation of what to launch and to expect

LANES = 32
GATE, GATES = 1.15, {'long': 0.8, 'double': 0.8, 'vectors': 0.8}


def count(options, file, launch, setting, folder):
    """Warp-instructions of a launch."""
    elf, message = kernels.compile_file(options, file, setting, folder)
    if not elf:
        sys.exit(f'{file} [{setting}]: {message}')
    said = kernels.run(options.ventus, elf, launch, LANES, setting, folder,
                       ['--stats'])
    found = re.search(r'warp-instructions +(\d+)', said[0])
    if len(said) > 1 or not found:
        sys.exit(f'{file}: {launch.kernel} [{setting}]: {said}')
    return int(found[1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', type=Path, default='build/release')
    parser.add_argument('files', nargs='*', type=Path)
    options = parser.parse_args()
    options.compiler = options.build / 'bin/cc_compile'
    options.ventus = options.build / 'bin/ventus'
    ratios, missed = [], False
    with tempfile.TemporaryDirectory() as folder:
        for file in options.files or sorted((HERE / 'cc').glob('*.cl')):
            for launch in kernels.parse(file):
                n = [count(options, file, launch, setting, Path(folder))
                     for setting in ('default', 'v2')]
                ratios.append(n[1] / n[0])
                gate = GATES.get(file.stem, GATE)
                mark = f'  beyond {gate}' if ratios[-1] > gate else ''
                missed |= bool(mark)
                print(f'{file.stem}.{launch.kernel:20} {n[0]:8} {n[1]:8} '
                      f'{ratios[-1]:6.3f}{mark}')
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    print(f'geometric mean {mean:.3f}')
    sys.exit(missed)


if __name__ == '__main__':
    main()
