#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kernels of run.py on two SMs of chisel, whose fetch has a fixed priority.

    contended.py VENTUS FILE.cl --compiler CC_COMPILE
"""
import argparse
import sys
import tempfile
from pathlib import Path

import run

LIMIT = 5_000_000  # instructions: a launch that makes no progress ends there


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('ventus')
    parser.add_argument('file', type=Path)
    parser.add_argument('--compiler', required=True)
    options = parser.parse_args()
    extra = ['--model', 'chisel', '--set', 'num_sm=2', '--limit', str(LIMIT)]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        elf, message = run.compile_file(options, options.file, 'default',
                                        Path(folder))
        if not elf:
            sys.exit(message)
        for launch in run.parse(options.file):
            errors = run.run(options.ventus, elf, launch, 8, 'default',
                             Path(folder), extra)
            errors = [e for e in errors if 'wrong' in e or 'error' in e]
            failed += bool(errors)
            for error in errors:
                print(f'{launch.kernel}: {error}')
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
