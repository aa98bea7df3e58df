#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kernels of run.py on two SMs of chisel, whose fetch has a fixed priority: warps that
wait for others once starved these.

    contended.py VENTUS FILE.cl... --compiler CC_COMPILE [--lanes N,...] [--model MODEL]
                 [--pause KIND]

With --setting v2 for version 2 of the instruction set, on another MODEL.  KIND is that of
-fpause; exec and the OpenCL runtime choose it for the machine.
"""
import argparse
import sys
import tempfile
from pathlib import Path

import run

LIMIT = 5_000_000  # instructions: a launch that makes no progress ends there


def check_file(options, file, extra, folder):
    """How many of its launches fail."""
    failed = 0
    elf, message = run.compile_file(options, file, options.setting, folder)
    if not elf:
        sys.exit(message)
    for lanes in options.lanes.split(','):
        for launch in run.parse(file):
            errors = run.run(options.ventus, elf, launch, int(lanes),
                             options.setting, folder, extra)
            errors = [e for e in errors if 'wrong' in e or 'error' in e]
            failed += bool(errors)
            for error in errors:
                print(f'{launch.kernel}, {lanes} lanes: {error}')
    return failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('ventus')
    parser.add_argument('files', type=Path, nargs='+')
    parser.add_argument('--compiler', required=True)
    parser.add_argument('--lanes', default='8')
    parser.add_argument('--pause')
    parser.add_argument('--model', default='chisel')
    parser.add_argument('--setting', default='default')
    options = parser.parse_args()
    if options.pause:
        run.SETTINGS[options.setting] += f' --pause {options.pause}'
    extra = ['--model', options.model, '--set', 'num_sm=2', '--limit', str(LIMIT)]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for file in options.files:
            failed += check_file(options, file, extra, Path(folder))
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
