#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Two programs of a host program, in turns, under `ventus debug`: breakpoints in
the code of one do not stop the other, at whose addresses it lies, and are set
again when it is back.

    programs.py VENTUS"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PYTHON = '/usr/bin/python3'
HOST = '''
import numpy as np, pyopencl as cl
ctx = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(ctx)
one = cl.Program(ctx, """kernel void one(global int *x) {
    int i = get_global_id(0);
    x[i] = i;
}""").build()
two = cl.Program(ctx, """kernel void two(global int *x) {

    int i = get_global_id(0);
    x[i] += 2 * i;
}""").build()
x = np.zeros(64, np.int32)
d = cl.Buffer(ctx, cl.mem_flags.READ_WRITE, x.nbytes)
for k in range(3):
    one.one(queue, (64,), (32,), d)
    two.two(queue, (64,), (32,), d)
cl.enqueue_copy(queue, x, d)
print('right' if (x == 3 * np.arange(64)).all() else x)
'''


def main():
    if subprocess.run([PYTHON, '-c', 'import pyopencl'], check=False,
                      capture_output=True).returncode:
        print('no python3-pyopencl: nothing is tested')
        return
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / 'host.py'
        script.write_text(HOST, encoding='utf-8')
        command = [sys.argv[1], 'debug', '--batch']
        for each in ['set breakpoint pending on', 'break two if $gid_x == 0',
                     'continue', 'continue', 'continue', 'continue']:
            command += ['--ex', each]
        p = subprocess.run([*command, '--', PYTHON, str(script)], check=False,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                           text=True, env={**os.environ, 'PYOPENCL_NO_CACHE': '1'})
    hits = len(re.findall(r'hit Breakpoint 1, (?:.* in )?two \(', p.stdout))
    if hits != 3 or 'right' not in p.stdout or \
            'exited normally' not in p.stdout:
        sys.exit(f'{hits} stops, expected 3\n{p.stdout}')


if __name__ == '__main__':
    main()
