#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`ventus exec` shows what kernels print, on both machines: numbers, literal
strings, strings in memory, more than the print buffer holds; beside --json on
standard error.

    prints.py VENTUS
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

VENTUS = sys.argv[1]
KERNEL = r'''
constant char inside[] = "constant";
kernel void say(global const char *given)
{
    int i = get_global_id(0);
    printf("%d %s %v2d %.2f %s %s\n", i, "literal", (int2)(i, -i), i * 0.5,
           inside, given);
}
'''
ITEMS = 2048  # at 40 bytes a record, more than 64 KiB


def main():
    failures = []
    with tempfile.TemporaryDirectory() as tmp:
        source, program = Path(tmp) / 'say.cl', Path(tmp) / 'say.elf'
        source.write_text(KERNEL)
        given = Path(tmp) / 'given'
        given.write_bytes(b'memory\0')
        subprocess.run([VENTUS, 'cc', source, '-o', program], check=True)
        wanted = sorted(f'{i} literal {i},{-i} {i * 0.5:.2f} constant memory'
                        for i in range(ITEMS))
        base = [VENTUS, 'exec', program, '--grid', str(ITEMS), '--local', '64',
                '--arg', f'buf:{given}']
        for more in [], ['--model', 'chisel'], ['--json']:
            done = subprocess.run(base + more, text=True, check=False,
                                  capture_output=True)
            shown = done.stderr if '--json' in more else done.stdout
            lines = sorted(s for s in shown.splitlines() if 'literal' in s)
            if done.returncode or lines != wanted:
                failures.append(f'{more}: status {done.returncode}, '
                                f'{len(lines)} lines, {lines[:3]} '
                                f'{done.stderr[-300:]}')
            if '--json' in more:
                json.loads(done.stdout)
    print('\n'.join(failures + [f'{len(failures)} failed']))
    sys.exit(bool(failures))


main()
