#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""GDB goes back from a launch of an OpenCL program to those before it, and on again.
What must be shown follows from the kernels and their arguments, by hand.

    launches.py VENTUS SCAN [--compiled] [NAME...]

SCAN is examples/opencl/scan.  --compiled: no session of a program in Python."""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PYTHON = '/usr/bin/python3'
HOST = '''
import sys
import numpy as np, pyopencl as cl
ctx = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(ctx)
one = cl.Program(ctx, """kernel void one(global int *x, int k) {
    int i = get_global_id(0);
    x[i] = x[i] * 2 + k;
    if (i == 7)
        printf("one %d\\\\n", k);
}""").build("-g -cl-opt-disable")
two = cl.Program(ctx, """kernel void two(global int *x) {

    int i = get_global_id(0);
    x[i] += 100 * i;
}""").build("-g -cl-opt-disable")
far = cl.Program(ctx, """kernel void far(global int *x) {
    x[get_global_id(0) + 1] = -1;
    if (get_global_id(0) == 9)
        x[1 << 24] = 1;
}""").build("-g -cl-opt-disable")
x = np.zeros(64, np.int32)
flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
d = cl.Buffer(ctx, flags, hostbuf=x)
y = np.zeros(64, np.int32)
for k in range(1, 4):
    one.one(queue, (64,), (32,), d, np.int32(k))
    if 'both' in sys.argv:
        two.two(queue, (64,), (32,), d)
        y = y * 2 + k + 100 * np.arange(64)
    else:
        y = y * 2 + k
cl.enqueue_copy(queue, x, d)
if 'fault' in sys.argv:
    try:
        far.far(queue, (32,), (32,), d)
        queue.finish()
        print('no fault')
    except cl.Error:
        pass
    for k in range(4, 6):
        one.one(queue, (64,), (32,), d, np.int32(k))
    queue.finish()
print('right' if (x == y).all() else x)
'''
# After launches with k = 1, 2, 3 each x is 1, 4, 11.
THIRD = ['break one if $gid_x == 3', 'ignore 1 2', 'continue', 'delete']
# After one, two, one, two, ...: x[5] is 1, 501, 1004, 1504.
FOURTH = ['set breakpoint pending on', 'break two if $gid_x == 3', 'continue', 'continue',
          'delete']
X3, X5 = 'p *(int *)0x9000000c', 'p *(int *)0x90000014'
WATCH = 'watch *(int *)0x9000000c'
# name: (words of the program, commands, patterns in order)
SESSIONS = {
    'goes_back_to_who_wrote_in_an_earlier_launch': (
        [], THIRD + ['p k', WATCH, 'reverse-continue', 'p k', 'info launches',
                     'reverse-continue', 'p k', X3, 'reverse-continue', 'info launches', X3],
        ['hit Breakpoint 1, one', r'\$1 = 3', 'Old value = 4', 'New value = 1', r'\$2 = 2',
         r'  0 +one\n\* 1 +one\n  2 +one, the present', 'Old value = 1', 'New value = 0',
         r'\$3 = 1', r'\$4 = 0', 'No more reverse-execution history',
         r'\* 0 +one\n', r'\$5 = 0']),
    'comes_forwards_to_the_present_launch': (
        [], THIRD + [WATCH, 'reverse-continue', 'reverse-continue', 'delete',
                     'break one if $gid_x == 3', 'continue', 'p k', X3, 'continue', 'p k', X3,
                     'info launches', 'continue'],
        ['hit Breakpoint 1, one', 'New value = 1', 'New value = 0',
         'hit Breakpoint 3, one', r'\$1 = 2', r'\$2 = 1', 'hit Breakpoint 3, one', r'\$3 = 3',
         r'\$4 = 4', r'\* 2 +one, the present', 'exited normally']),
    'steps_back_over_the_beginning': (
        [], THIRD + ['launch 2', X3, 'reverse-stepi', 'info launches', 'p $gid_x', X3,
                     'monitor dis', 'monitor time', 'stepi', 'info launches', 'p $pc',
                     X3, 'reverse-stepi', 'reverse-stepi', 'info launches', 'p $gid_x', 'stepi',
                     'stepi', 'stepi', 'info launches', 'p $pc'],
        # The last instruction is the endprg of the second work-group.
        ['hit Breakpoint 1, one', r'\$1 = 4', r'stopped\.', r'\* 1 +one', r'\$2 = 32',
         r'\$3 = 4', r'=> .* endprg', r'instruction (\d+) of ', r'stopped\.',
         r'\* 2 +one, the present', r'\$4 = .*0x80000000', r'\$5 = 4', r'\* 1 +one',
         r'\$6 = 32', r'\* 2 +one, the present', r'\$7 = .*0x80000004']),
    'goes_to_a_launch_by_its_number': (
        [], THIRD + ['launch 1', X3, 'info launches', 'launch 0', X3, 'launch 2', X3,
                     'info launches', 'launch 3', 'launch x', 'launch', 'launch 1',
                     'break one if $gid_x == 4', 'continue', 'p k', 'continue', 'p k'],
        ['hit Breakpoint 1, one', r'stopped\.', r'\$1 = 1', r'\* 1 +one', r'\$2 = 0', r'\$3 = 4',
         r'\* 2 +one, the present', "expected a launch .*'3'", "expected a launch .*'x'",
         "expected a launch .*''", 'hit Breakpoint 2, one', r'\$4 = 2',
         'hit Breakpoint 2, one', r'\$5 = 3']),
    'goes_to_a_launch_from_a_breakpoint': (
        [], ['break one if $gid_x == 3', 'continue', 'continue', 'continue', 'p k', 'launch 1',
             'info launches', X3, 'continue', 'p k', 'launch 0', 'continue', 'p k'],
        [r'\$1 = 3', r'stopped\.', r'\* 1 +one', r'\$2 = 1', 'hit Breakpoint 1, one',
         r'\$3 = 2', r'stopped\.', 'hit Breakpoint 1, one', r'\$4 = 1']),
    'knows_the_symbols_of_an_earlier_program': (
        ['both'], FOURTH + ['list 3,3', 'info launches', 'tbreak one if $gid_x == 5',
                            'reverse-continue', 'p k', 'p x[5]', 'bt', 'list 3,3',
                            'info launches', 'reverse-continue', 'info launches', 'break two if $gid_x == 5', 'continue',
                            'info launches', 'continue', 'info launches', X5, 'delete',
                            'continue'],
        # both programs are of a file input.cl
        ['hit Breakpoint 1, two .*\\n3\\t +int i', '\\n3\\t +int i = get_global_id',
         r'  2 +one\n\* 3 +two, the present', 'Temporary breakpoint 2, one', r'\$1 = 2',
         r'\$2 = 501', '#0 +one', r'\n3\t +x\[i\] = x\[i\] \* 2', r'\* 2 +one',
         'No more reverse-execution history', r'\* 0 +one',
         'hit Breakpoint 3, two', r'\* 1 +two', 'hit Breakpoint 3, two',
         r'\* 3 +two, the present', r'\$3 = 1004', 'exited normally']),
    'only_the_last_launches_are_kept': (
        ['VENTUS_GDB_LAUNCHES=0'], THIRD + ['info launches', WATCH, 'reverse-continue', X3],
        ['hit Breakpoint 1, one', 'launches before this one are not kept',
         'No more reverse-execution history', r'\$1 = 4']),
    'goes_back_to_a_fault': (
        ['fault'],
        ['set breakpoint pending on', 'continue', 'tbreak one if $gid_x == 3', 'continue',
         'info launches', 'launch 4', X5, 'reverse-stepi', 'info launches', 'p $gid_x',
         'info line *$pc', 'reverse-stepi', 'p $gid_x', 'stepi', 'stepi', 'stepi',
         'info launches', 'tbreak far', 'reverse-continue', X5, 'launch 4', X5, 'continue'],
        # 11 was there; launch 3 writes -1 and faults for work-item 9.
        ['SIGSEGV', 'Temporary breakpoint 1, one', r'  3 +far\n\* 4 +one, the present',
         r'\$1 = -1', r'\* 3 +far', r'\$2 = 9', 'Line 4 of', r'\$3 = 9', 'SIGSEGV',
         r'\* 4 +one, the present', 'Temporary breakpoint 2, far', r'\$4 = 11', r'\$5 = -1',
         'exited normally']),
    'ends_the_launch_from_an_earlier_one': (
        [], THIRD + ['launch 0', 'stepi', 'kill'], ['killed']),
    'leaves_from_an_earlier_launch': (
        [], THIRD + ['launch 0', 'p $pc', 'detach'], [r'\$1 = .*0x80000000', 'detached']),
    'goes_back_with_checks': (
        ['--check'], THIRD + ['launch 1', X3, 'tbreak one if $gid_x == 9', 'continue', 'p k',
                              'p *(int *)0x90000024', 'tbreak one if $gid_x == 9', 'continue',
                              'p k', 'continue'],
        [r'\$1 = 1', r'\$2 = 2', r'\$3 = 1', r'\$4 = 3', 'exited normally']),
    'of_version_2': (
        ['--device', 'ventus2'],
        ['break input.cl:3 if $gid_x == 3', *THIRD[1:], 'p k', 'watch -l x[3]', 'reverse-continue', 'p k', 'p x[3]', 'delete', 'continue'],
        ['hit Breakpoint 1, one', r'\$1 = 3', 'Old value = 4', 'New value = 1', r'\$2 = 2',
         r'\$3 = 1', 'exited normally']),
}


# Three launches of examples/opencl/scan: of blocks, of their totals, and the sums.
SUMS = ['break add_totals if $gid_x == 300', 'continue', 'delete']
COMPILED = {
    'scan_from_its_first_launch': (
        [], SUMS + ['info launches', 'launch 0', 'tbreak scan_blocks if $gid_x == 513',
                    'continue', 'info launches', 'reverse-continue', 'continue'],
        [r'\* 2 +add_totals, the present', r'stopped\.', 'Temporary breakpoint 2, ',
         r'\* 0 +scan_blocks', 'No more reverse-execution history', 'exited normally']),
    'scan_stepped_over_a_beginning_and_left': (
        [], SUMS + ['launch 1', 'reverse-stepi', 'info launches', 'stepi', 'info launches',
                    'detach'],
        [r'stopped\.', r'\* 0 +scan_blocks', r'\* 1 +scan_blocks', 'detached']),
    'scan_ended_from_an_earlier_launch': (
        [], SUMS + ['launch 0', 'kill'], ['killed']),
}


def play(folder, name):
    words, commands, _ = {**SESSIONS, **COMPILED}[name]
    options = words[:2] if words[:1] == ['--device'] else \
        [w for w in words if w.startswith('--')]
    env = {k: v for k, v in os.environ.items() if not k.startswith('VENTUS_')}
    env |= dict(w.split('=') for w in words if '=' in w)
    command = [VENTUS, 'debug', '--batch', *options]
    for each in commands:
        command += ['--ex', each]
    host = [PYTHON, str(folder / 'host.py'), *[w for w in words if w in ('both', 'fault')]]
    if name in COMPILED:
        host = [SCAN, '--n', '3000']
    return subprocess.run([*command, '--', *host], check=False, env=env, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)


def check(folder, name):
    p = play(folder, name)
    at, wrong = 0, []
    for pattern in {**SESSIONS, **COMPILED}[name][2]:
        found = re.compile(pattern).search(p.stdout, at)
        if not found:
            wrong.append(f'no {pattern!r}')
            break
        at = found.end()
    result = 'all right' if name in COMPILED else 'right'
    ends = 'exited normally' in p.stdout or 'detached' in p.stdout
    if ends and result not in p.stdout and name != 'goes_back_to_a_fault':
        wrong.append('the results are wrong')
    printed = [int(n) for n in re.findall(r'^one (\d)$', p.stdout, re.M)]
    if printed != sorted(set(printed)):
        wrong.append(f'printed {printed}, expected each once')
    if wrong:
        print(f'{name}: {", ".join(wrong)}\n{p.stdout}')
    return not wrong


def choose():
    names = [word for word in sys.argv[3:] if word != '--compiled']
    if names:
        return names
    if '--compiled' in sys.argv:
        return list(COMPILED)
    if subprocess.run([PYTHON, '-c', 'import pyopencl'], check=False,
                      capture_output=True).returncode:
        print('no python3-pyopencl: only compiled programs are tested')
        return list(COMPILED)
    return [*COMPILED, *SESSIONS]


def main():
    names = choose()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / 'host.py').write_text(HOST, encoding='utf-8')
        wrong = [each for each in names if not check(folder, each)]
    if wrong:
        sys.exit(f'{len(wrong)} of {len(names)} sessions differ: {" ".join(wrong)}')
    print(f'{len(names)} sessions')


VENTUS, SCAN = sys.argv[1:3]
if __name__ == '__main__':
    main()
