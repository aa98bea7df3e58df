#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`ventus run --record` of OpenCL programs: the examples, whose launches leave the same
memory when they are run again, on either machine; kernels with mistakes, of which
--check finds the same in a replay.

usage: programs.py VENTUS EXAMPLES
       programs.py VENTUS HOST KERNELS RUN
       programs.py VENTUS --tests [DEVICE:PROGRAM...]
       programs.py VENTUS --low LISTS
"""
import ast
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

VENTUS = sys.argv[1]
# Sizes that the cycle-level machine runs in a second; --compare of all launches but few.
PROGRAMS = {
    'vector_add': ['--n', '2000'], 'reduce': ['--n', '5000'], 'scan': ['--n', '3000'],
    'histogram': ['--n', '5000'], 'nbody': ['--n', '96'], 'life': ['--width', '40', '--height', '30'],
    'align': ['--n', '64'], 'matrix_multiply': ['--n', '32'], 'bfs': ['--n', '300'],
    'black_scholes': ['--n', '600'], 'mandelbrot': ['--width', '32', '--height', '24', '--limit', '50'],
}
failures = 0


def check(condition, what):
    global failures
    if not condition:
        print(f'failed: {what}')
        failures += 1


def run(*args, cwd=None):
    env = {k: v for k, v in os.environ.items() if not k.startswith('VENTUS_')}
    r = subprocess.run([VENTUS, *map(str, args)], capture_output=True, text=True,
                       env=env, cwd=cwd, check=False)
    return r.returncode, r.stdout, r.stderr


def check_example(folder, name, more, device):
    rec = folder / f'{name}.rec'
    status, text, err = run('run', '--device', device, '--record', rec, '--record-results',
                            '--', EXAMPLES / name, *more, cwd=folder)
    check(status == 0, f'{name} on {device}: {text}{err}')
    rows = json.loads(run('replay', rec, '--list', '--json')[1])
    check(rows and all(row['outcome'] == 'ok' for row in rows), f'{name}: {rows}')
    status, text, err = run('replay', rec, '--deterministic')
    if 'host_memory' in device:
        # The pages of an malloc have other data of the program and of the runtime, too,
        # which change while the kernel runs: what the program found is compared.
        check(text.count('ok, as recorded') == len(rows), f'{name} again: {text}{err}')
        return
    check(status == 0 and text.count('memory is the same as recorded') == len(rows),
          f'{name} again: {text}{err}')
    if device != 'default':
        return
    status, text, err = run('replay', rec, '--compare', '--launch', len(rows) - 1)
    check(status == 0 and 'the same as on the cycle-level machine' in text,
          f'{name} --compare: {text}{err}')


def check_test(folder, device, program):
    """A test of the runtime: images, shared memory, kernels without private memory behind
    ones with some.  Some launches fail, and fail again; the others leave the same."""
    rec = folder / 'test.rec'
    status, text, err = run('run', '--ignore-faults', '--device', device, '--record', rec, '--record-results',
                            '--', program, cwd=folder)
    check(status == 0, f'{program}: {text}{err}')
    rows = json.loads(run('replay', rec, '--list', '--json')[1])
    _, text, err = run('replay', rec, '--deterministic')
    lines = [line for line in text.splitlines() if line.startswith('launch ')]
    check(rows and len(lines) == len(rows), f'{program}: {len(lines)} of {len(rows)}')
    for row, line in zip(rows, lines):
        wanted = 'ok, as recorded' if row['outcome'] == 'ok' else 'the recorded fault'
        check(wanted in line and 'memory is the same as recorded' in line,
              f'{program}: {line}\n{err}')


def check_extracted(folder):
    """A launch in a file of its own: smaller, and the same."""
    rec, one = folder / 'scan.rec', folder / 'one.rec'
    rows = json.loads(run('replay', rec, '--list', '--json')[1])
    status, _, err = run('replay', rec, '--launch', len(rows) - 1, '--save', one)
    check(status == 0, f'--save: {err}')
    row, = json.loads(run('replay', one, '--list', '--json')[1])
    check(row['kernel'] == rows[-1]['kernel'], f'--save: {row}')
    outputs = []
    for args in (rec, '--launch', len(rows) - 1), (one,):
        status, text, err = run('replay', *args, '--show', '0')
        check(status == 0, f'{args}: {err}')
        outputs.append([line for line in text.splitlines() if line[:1] == ' '])
    check(outputs[0] == outputs[1] and outputs[0], 'memory of a launch alone')


def check_low(folder, program):
    """A program without PIE has its heap below 0x70000000: a replay, which follows its
    pointers, has the pages there.  The rest of a page may change while the kernel runs."""
    rec, words = folder / 'low.rec', ['--n', '500', '--lookups', '900', '--memory', 'malloc']
    status, text, err = run('run', '--device', 'ventus2:host_memory=yes', '--record', rec,
                            '--', program, *words)
    check(status == 0, f'{program}: {text}{err}')
    for options in [], ['--check']:
        status, text, err = run('replay', rec, *options)
        check(status == 0 and 'launch 0: look_up: ok, as recorded' in text and
              ' made ' not in err.replace(' made 0 times', ''), f'{program} {options}: {text}{err}')


def table(name):
    """A list of run.py, which is no module."""
    tree = ast.parse(Path(RUN).read_text(encoding='utf-8'))
    return next(ast.literal_eval(node.value) for node in tree.body
                if isinstance(node, ast.Assign) and getattr(node.targets[0], 'id', '') == name)


def findings(path):
    return [(f['finding'], f['memory'], f['here'], f.get('other'), f['count'])
            for f in json.loads(path.read_text(encoding='utf-8'))['list']]


# Without -fcheck-race the check takes their atomics of local memory for plain accesses
# (docs/debugging.md, "Limits of the checks").
LOCAL_ATOMICS = 'relaxed_local_atomics', 'read_if_handed'


def check_mistakes(folder, file, rows, checked):
    """Checked when it is run again.  The compiler makes other code for --check, so mistakes
    are recorded with checks; the recording of most right kernels has none, and a limit of
    time, which the replay does not keep."""
    first, again, rec = folder / 'first.json', folder / 'again.json', folder / 'm.rec'
    for name, size, local, args, *_ in rows:
        program = ['--', HOST, Path(KERNELS) / file, name, size, local, *args]
        checks = '--threads', '1', '--check=memory,arith,init,race,sync', '--check-json', first
        if checked or name in LOCAL_ATOMICS:
            run('run', *checks, '--record', rec, *program)
        else:
            run('run', *checks, *program)
            run('run', '--threads', '1', '--time-limit', 1000, '--record', rec, *program)
        again.unlink(missing_ok=True)
        _, text, err = run('replay', rec, '--set', 'max_ms=100000', '--check', '--check-json',
                           again)
        check(again.exists() and findings(first) == findings(again),
              f'{name}: {findings(first)}\nagain {text}{err}')


def check_examples(folder):
    there = [name for name in PROGRAMS if (EXAMPLES / name).exists()]
    check({'vector_add', 'matrix_multiply', 'scan', 'bfs', 'align'} <= set(there),
          f'examples: {there}')  # with sanitizers no others are built
    for name in there:
        for device in 'default', 'ventus2':
            check_example(folder, name, PROGRAMS[name], device)
    lists = ['--n', '500', '--lookups', '900']
    check_example(folder, 'lists', lists, 'ventus2')
    # The pages of the program that it uses are in the recording.
    check_example(folder, 'lists', [*lists, '--memory', 'malloc'], 'ventus2:host_memory=yes')
    check_extracted(folder)


with tempfile.TemporaryDirectory() as directory:
    if sys.argv[2] == '--tests':
        for test_ in sys.argv[3:]:
            check_test(Path(directory), *test_.rsplit(':', 1))
    elif sys.argv[2] == '--low':
        check_low(Path(directory), sys.argv[3])
    elif len(sys.argv) == 3:
        EXAMPLES = Path(sys.argv[2])
        check_examples(Path(directory))
    else:
        HOST, KERNELS, RUN = sys.argv[2:]
        check_mistakes(Path(directory), 'mistakes.cl', table('MISTAKES'), True)
        check_mistakes(Path(directory), 'right.cl', table('RIGHT'), False)
sys.exit(failures != 0)
