#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A program that goes on for ever ends at the limit that the user set, on one
host thread and on two.

usage: limits.py VENTUS
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = '''
    .text
    .globl  forever
forever:
    lw      t0, 0(a0)
again:
    lw      t1, 0(t0)
    beqz    t1, again
    ret
'''


def run(source, *settings):
    command = [sys.argv[1], 'exec', source, '--model', 'chisel', '--grid',
               '64', '--local', '32', '--arg', 'zeros:1']
    for setting in settings:
        command += ['--set', setting]
    return subprocess.run(command, capture_output=True, text=True,
                          check=False, timeout=50)


def main():
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / 'forever.s'
        source.write_text(SOURCE)
        runs = [run(source, f'host_threads={n}', 'max_instructions=3000')
                for n in (1, 2)]
        late = run(source, 'max_ms=100')
    wrong = [r for r in runs + [late] if r.returncode != 1]
    if runs[0].stderr != runs[1].stderr or wrong:
        sys.exit(f'{runs[0]}\n{runs[1]}\n{late}')
    for r, limit in (runs[0], 'max_instructions'), (late, 'max_ms'):
        if not re.search(rf"kernel 'forever': limit exceeded: {limit} at pc "
                         r'0x\w+ \(.*\), workgroup \d .*, warp \d; .*'
                         r'forever\.s:\d', r.stderr):
            sys.exit(r.stderr)


main()
