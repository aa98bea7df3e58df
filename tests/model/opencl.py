#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""OpenCL programs on the cycle-level machine: they check their own results, with
the caches of chisel as they are, which are not coherent, on its two SMs and on
four, and with more work-groups in an SM; and on chisel-2sm.  What they cost is the same
in each run, on one and two host threads, also where caches are coherent and work-groups
race with plain loads and stores: those run more often.
A report has each kernel's launches, all of what a page shows of them, and the
text of the kernels' hot lines, which are compiled from strings.

usage: opencl.py VENTUS PROGRAM...
"""
import json
import os
import re
import subprocess
import sys
import tempfile

CLOCK_MHZ = 500
EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                        '../../examples/opencl')
SIZES = {'vector_add': ['--n', '1001'], 'bfs': ['--n', '500'],
         'nbody': ['--n', '96', '--steps', '2'],
         'life': ['--width', '64', '--height', '48', '--generations', '4'],
         # Groups of these are made as small as the machine's, 64 work-items.
         'reduce': ['--n', '3000'], 'scan': ['--n', '5000'],
         'histogram': ['--n', '3000'], 'matrix_multiply': ['--n', '20'],
         'mandelbrot': ['--width', '32', '--height', '24'],
         'black_scholes': ['--n', '100']}
RACES = {'bfs': 6}
# Room for four work-groups of 64 work-items in an SM, and the design's CTA scheduler.
RESIDENT = ':num_warp=32:num_vgpr=0:num_sgpr=0:wg_buffer=8'


def run(ventus, program, threads, settings='coherence=none', model='chisel'):
    size = SIZES[os.path.basename(program)]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'stats.json')
        done = subprocess.run(
            [ventus, 'run', '--model', f'{model}:clock_mhz={CLOCK_MHZ}:{settings}',
             '--threads', str(threads), '--json', path, '--', program, *size],
            capture_output=True, text=True, check=False)
        if done.returncode or 'all right' not in done.stdout:
            sys.exit(f'{program}: {done.stdout}{done.stderr}')
        with open(path, encoding='ascii') as f:
            return f.read()


def report(ventus, program, kernels):
    """What the page of a program lacks."""
    size = SIZES[os.path.basename(program)]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'report.html')
        subprocess.run([ventus, 'run', '--model', 'chisel', '--report', path,
                        '--', program, *size], capture_output=True, check=True)
        with open(path, encoding='utf-8') as f:
            page = f.read()
    with open(os.path.join(EXAMPLES, os.path.basename(program) + '.c'),
              encoding='ascii') as f:
        text = f.read()
    shown = re.findall(r'"source":("(?:[^"\\]|\\.)*"),"file":"[^"]*\.cl"', page)
    lost = [s for s in shown if not json.loads(s) or json.loads(s) not in text]
    if not shown or lost:
        return [f'source lines as in the program: {lost or "none"}']
    parts = [*(f'"name":"{k}"' for k in kernels), '"timeline":', '"sms":', '"lines":',
             '"instructions":', '"machine":', 'id="roofline"']
    return [p for p in parts if p not in page]


def main():
    wrong = 0
    for program in sys.argv[2:]:
        # Of more than one SM, so caches matter; and many work-groups in each.
        for model, sms, many in (('chisel', 2, ''), ('chisel', 4, ''),
                                 ('chisel', 2, RESIDENT), ('chisel-2sm', 2, '')):
            settings = f'num_sm={sms}{many}'
            if run(sys.argv[1], program, 1, settings, model) != run(
                    sys.argv[1], program, 2, settings, model):
                print(f'{program}: two runs on {model} with {settings} differ')
                wrong += 1
        one = run(sys.argv[1], program, 1)
        for _ in range(RACES.get(os.path.basename(program), 2)):
            if run(sys.argv[1], program, 2) != one:
                print(f'{program}: two threads differ from one')
                wrong += 1
        kernels = json.loads(one)['kernels']
        for k in kernels:
            if not k['cycles'] or k['time_ns'] * CLOCK_MHZ != k['cycles'] * 1000:
                print(f'{program}: {k["cycles"]} cycles, {k["time_ns"]} ns')
                wrong += 1
        lacks = report(sys.argv[1], program, [k['name'] for k in kernels])
        if lacks:
            print(f'{program}: the report lacks {lacks}')
            wrong += 1
    print(f'{len(sys.argv) - 2} programs, {wrong} errors')
    return wrong != 0


if __name__ == '__main__':
    sys.exit(main())
