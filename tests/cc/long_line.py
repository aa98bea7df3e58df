#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""200,000 statements in one line compile within the processor time that the
setting gives them, of which work that grows with the square takes many times
as much, and the kernel counts to 200,000.

    long_line.py VENTUS [STATEMENTS]
"""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

VENTUS = sys.argv[1]
STATEMENTS = int(sys.argv[2]) if len(sys.argv) > 2 else 200000
LIMIT_MS = '60000'


def main():
    with tempfile.TemporaryDirectory() as name:
        source, program = Path(name) / 'k.cl', Path(name) / 'k.elf'
        source.write_text('kernel void k(volatile global int *a) { '
                          + '*a+=1;' * STATEMENTS + ' }\n')
        subprocess.run([VENTUS, 'cc', '-o', program, source], check=True,
                       env=os.environ | {'VENTUS_COMPILE_LIMIT_MS': LIMIT_MS})
        done = subprocess.run(
            [VENTUS, 'exec', program, '--grid', '1', '--local', '1', '--arg',
             'zeros:1', '--show', '0'], check=True, text=True,
            stdout=subprocess.PIPE)
    print(done.stdout.strip())
    return str(STATEMENTS) not in done.stdout.split()


sys.exit(main())
