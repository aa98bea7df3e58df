#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random kernels under checks of the functional machine: the compiler's code has no
finding.

    random_check.py KINDS VENTUS --compiler CC_COMPILE --device RANDOM_DEV
                    [--seed N] [--count N] [--batch N] [--v2] [--calls]
                    [--structs]

The kernels are those of random_kernels.py, with its settings and widths.  Without
--calls every other program has functions that are called.  KINDS is a list for
--check: kernels race and read what nobody wrote, so not all kinds are for them."""
import argparse
import sys
import tempfile
from pathlib import Path

from random_kernels import ROTATION, SETTINGS, Batch, run


def find(options, seed, folder):
    """What is found in the kernels of a seed; ''."""
    batch = Batch(seed, options.batch, options)
    if batch.setting == 'upstream':  # other machines run all lanes
        batch.setting = 'default'
    code, elf = folder / 'k.o', folder / 'k.elf'
    (folder / 'k.cl').write_text(batch.source(batch.kernels))
    (folder / 'job').write_bytes(batch.job(len(batch.kernels)))
    call = options.calls or seed // len(ROTATION) % 2
    isa = ['isa=v2'] if options.v2 else []
    for command in ([options.compiler, *SETTINGS[batch.setting],
                     *['--call'] * bool(call), '-w', '-o', code,
                     folder / 'k.cl'],
                    [options.ventus, 'link', '-o', elf, code],
                    [options.device, batch.lanes, elf, folder / 'job',
                     folder / 'got', *isa, 'check=' + options.kinds]):
        done = run(command)
        if done.returncode:
            return f'seed {seed}: {command[0]}: {done.stderr[-4000:]}'
    return ''


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('kinds')
    parser.add_argument('ventus')
    for name in 'compiler', 'device':
        parser.add_argument(f'--{name}', required=True)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--count', type=int, default=100)
    parser.add_argument('--batch', type=int, default=20)
    for name in 'v2', 'halves', 'structs', 'calls':
        parser.add_argument(f'--{name}', action='store_true')
    options = parser.parse_args()
    options.setting = options.lanes = None
    found = 0
    for seed in range(options.seed,
                      options.seed + options.count // options.batch):
        with tempfile.TemporaryDirectory() as folder:
            text = find(options, seed, Path(folder))
        if text:
            print(text)
            found += 1
    print(f'{options.count} kernels, findings in {found} programs')
    return found != 0


if __name__ == '__main__':
    sys.exit(main())
