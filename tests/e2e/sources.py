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
# By a generic pointer to a variable of its own, which no atomic instruction reaches.
PRIVATE = """kernel void k(global int *o)
{
    atomic_int mine;
    atomic_init(&mine, 3);
    volatile atomic_int *at = o[0] ? (volatile atomic_int *)o : &mine;
    o[1] = atomic_fetch_add(at, 1);
}
"""
# Four work-items add 3 * 10: an atomic type of version 2, a macro and a folder.
OPTIONS = """#ifndef N
#error no N
#endif
#include "by.h"
kernel void k(global atomic_int *x) { atomic_fetch_add(x, N * BY); }
"""


def run(folder, *args):
    return subprocess.run([VENTUS, 'exec', *args], cwd=folder, check=False,
                          capture_output=True, text=True)


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
        (Path(folder) / 'options.cl').write_text(OPTIONS)
        (Path(folder) / 'inc').mkdir()
        (Path(folder) / 'inc' / 'by.h').write_text('#define BY 10\n')
        one = ['--grid', '4', '--arg', 'zeros:1', '--show', '0']
        expect(run(folder, 'options.cl', *one, '-cl-std=CL3.0', '-D', 'N=3',
                   '-Iinc', '-O0'), 0, '0: 120')
        expect(run(folder, 'options.cl', *one), 1, '', "no N")
        expect(run(folder, 'options.cl', *one, '-cl-std=CL9'), 1, '',
               "found '-cl-std=CL9'")
        expect(run(folder, 'add.s', *one, '-DN=3'), 2, '',
               'are for OpenCL C')
        (Path(folder) / 'private.cl').write_text(PRIVATE)
        expect(run(folder, 'private.cl', '--grid', '1', '--arg', 'zeros:2',
                   '--show', '0', '-cl-std=CL2.0'), 1, '0: 0 0',
               'private memory, by a generic pointer: atomics have no such')
        expect(run(folder, 'wrong.cl', *launch), 1, '',
               'wrong.cl:1:23: error: use of undeclared')
        expect(run(folder, 'none.cl', *launch), 1, '',
               'none.cl: error: cannot read')
        expect(run(folder, 'add.cl', *launch, '--device', 'defualt'), 1, '',
               "did you mean 'default'?")


if __name__ == '__main__':
    main()
