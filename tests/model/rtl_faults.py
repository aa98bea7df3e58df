#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A valid kernel ends on the presets for OpenCL, with the values of the functional
machine; with the faults of the RTL its L1D waits for itself, and the message says so.

usage: rtl_faults.py VENTUS
"""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = (('spread_sums', '4096'), ('transpose', '4096'))
ENDS = ('chisel', 'chisel2', 'chisel-2sm:faults=mended', 'chisel:num_sm=4',
        'chisel:num_thread=32')
WAITS = ('chisel:num_thread=32:faults=rtl', 'chisel-2sm', 'chisel-05b6735')
NAMED = 'waits for itself', 'a fault of the RTL; faults=mended lets them pass'


def run(ventus, kernel, grid, machine, out):
    preset, *settings = machine.split(':')
    command = [ventus, 'exec', os.path.join(HERE, 'rtl_faults.cl'), kernel,
               '--device', preset, '--grid', grid, '--local', '32',
               '--arg', 'iota:65536', '--arg', 'iota:65536', '--dump', f'0={out}']
    for s in ('deadlock=20000', *settings):
        command += ['--set', s]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def main():
    wrong = []
    ventus = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, 'out')
        for kernel, grid in KERNELS:
            found = []
            for machine in ('default', *ENDS):
                done = run(ventus, kernel, grid, machine, out)
                if done.returncode:
                    wrong.append(f'{kernel} on {machine}: {done.stderr[:400]}')
                    continue
                with open(out, 'rb') as f:
                    found.append(f.read())
                if found[-1] != found[0]:
                    wrong.append(f'{kernel} on {machine}: other values')
        for machine in WAITS:
            done = run(ventus, *KERNELS[0], machine, out)
            if done.returncode != 1 or not all(n in done.stderr for n in NAMED):
                wrong.append(f'{machine}: {done.returncode}, {done.stderr[:400]}')
    print('\n'.join(wrong), f'{len(wrong)} wrong')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
