#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`ventus exec FILE.cl` compiles for the version of the device, and runs.

    sources.py VENTUS
"""
import subprocess
import sys
import tempfile
from pathlib import Path

VENTUS = sys.argv[1]
ADD = """kernel void add(global int *x, global const int *y)
{
    size_t i = get_global_id(0);
    x[i] += y[i] * (int)sizeof(size_t);
}
"""


def run(folder, *args):
    return subprocess.run([VENTUS, 'exec', *args], cwd=folder, check=False,
                          capture_output=True, text=True, timeout=100)


def expect(done, status, out, words=''):
    if done.returncode != status or done.stdout.strip() != out or \
            words not in done.stderr:
        sys.exit(f'{done.args}: status {done.returncode}\n{done.stdout}'
                 f'{done.stderr}expected {status}, {out!r}, {words!r}')


def main():
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / 'add.cl').write_text(ADD)
        (Path(folder) / 'wrong.cl').write_text('kernel void f(void) { y; }\n')
        launch = ['--grid', '4', '--arg', 'zeros:4', '--arg', 'iota:4',
                  '--show', '0']
        narrow, wide = '0: 0 4 8 12', '0: 0 8 16 24'
        expect(run(folder, 'add.cl', *launch), 0, narrow)
        expect(run(folder, 'add.cl', 'add', *launch, '--device', 'ventus2'), 0,
               wide)
        expect(run(folder, 'add.cl', *launch, '-march=ventus2'), 0, wide)
        expect(run(folder, 'add.cl', *launch, '--model', 'chisel'), 0, narrow)
        # zeros:N is memory that the host wrote: no finding.
        expect(run(folder, 'add.cl', *launch, '--check'), 0, narrow)
        expect(run(folder, 'wrong.cl', *launch), 1, '',
               'wrong.cl:1:23: error: use of undeclared')
        expect(run(folder, 'none.cl', *launch), 1, '',
               'none.cl: error: cannot read')
        expect(run(folder, 'add.cl', *launch, '--device', 'defualt'), 1, '',
               "did you mean 'default'?")


if __name__ == '__main__':
    main()
