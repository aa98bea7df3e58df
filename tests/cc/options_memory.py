#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Words of build options take memory in proportion to their length.

options_memory.py VENTUS: 110 KB of -D options against none; each word took
room for all of the text behind it, 985 MB together.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

MOST_MB = 200  # more than without options; with a sanitizer it is some 60


def peak_MB(ventus, options, folder):
    source = folder / 'k.cl'
    source.write_text('kernel void k(global int *x) { x[0] = A1; }\n')
    p = subprocess.Popen([ventus, 'cc', '--options', options, str(source),
                          '-o', str(folder / 'k.elf')])
    _, status, usage = os.wait4(p.pid, 0)
    if status:
        sys.exit(f'ventus cc: status {status}')
    return usage.ru_maxrss / 1024


def main():
    words = ' '.join(f'-DA{i}={i}' for i in range(9000))
    assert 100_000 < len(words) < 120_000, len(words)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        few = peak_MB(sys.argv[1], '-DA1=1', folder)
        many = peak_MB(sys.argv[1], words, folder)
    print(f'{few:.0f} MB with one word, {many:.0f} MB with 9000')
    return many > few + MOST_MB


if __name__ == '__main__':
    sys.exit(main())
