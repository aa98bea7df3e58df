#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `ventus debug --replay` writes: all of the debugger, then the replay's summary.

    order.py VENTUS EXAMPLES

The debugger is GDB in a script that writes a line after GDB has ended."""
import subprocess
import sys
import tempfile
from pathlib import Path

VENTUS, EXAMPLES = sys.argv[1:]
DEBUGGER = '#!/bin/sh\ngdb-multiarch "$@"\nsleep 0.5\necho the last line of the debugger\n'


def main():
    with tempfile.TemporaryDirectory() as folder:
        record, debugger = Path(folder) / 'a.rec', Path(folder) / 'debugger'
        debugger.write_text(DEBUGGER, encoding='utf-8')
        debugger.chmod(0o755)
        subprocess.run([VENTUS, 'exec', f'{EXAMPLES}/vecadd.s', '--grid', '64',
                        '--arg', 'fiota:64', '--arg', 'fiota:64', '--arg', 'zeros:64',
                        '--record', record], check=True, capture_output=True)
        p = subprocess.run([VENTUS, 'debug', '--batch', '--debugger', debugger,
                            '--ex', 'continue', '--replay', record],
                           capture_output=True, text=True, check=False)
        lines = p.stdout.splitlines()
        said = [i for i, line in enumerate(lines) if line.startswith('launch 0: ')]
        last = 'the last line of the debugger'
        if p.returncode or not said or lines.index(last) != said[0] - 1:
            sys.exit(f'status {p.returncode}\n{p.stdout}{p.stderr}')


if __name__ == '__main__':
    main()
