#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C ends a launch, and what was done is written; standard input of exec;
files that cannot be written are refused before anything runs.

    interrupt.py VENTUS KERNELS.elf [MANDELBROT]   an example program"""
import json
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from process import computes  # noqa: E402

ventus, kernels = sys.argv[1], sys.argv[2]
NO_DEADLOCK = ['--model', 'chisel', '--set', 'deadlock=1000000000000']
failed = 0


def check(ok, what):
    global failed
    failed += not ok
    if not ok:
        print('failed:', what)


def interrupt(command, ready=None):
    """Starts it, waits for a line on standard error that has `ready`, or for a launch
    that takes long, and sends SIGINT."""
    with subprocess.Popen(command, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as process:
        told = ''
        while ready and ready not in told:
            line = process.stderr.readline()
            if not line:
                break
            told += line
        if not ready:
            check(computes(process.pid), (command, 'no launch'))
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
        return process.returncode, out, told + err


def try_replay(folder):
    """An interrupt ends both runs of a comparison, and all launches that follow."""
    record = str(folder / 'spin.rec')
    interrupt([ventus, 'exec', kernels, 'spin', '--grid', '64', '--local', '32', '--threads',
               '1', '--arg', 'zeros:4', '--arg', 'u32:1', '--record', record])
    status, out, err = interrupt([ventus, 'replay', record, '--compare'])
    check(status == 130 and err.count('stopped at pc') == 1 and 'memory' not in out,
          ('replay --compare', status, out, err))


def try_exec(folder):
    # Warps of a loop of one instruction starve the others of an SM: without the
    # setting that is a deadlock after a million cycles.
    for how in (['--threads', '1'], NO_DEADLOCK + ['--hot'],
                ['--check=memory', '--threads', '1']):
        status, out, err = interrupt(
            [ventus, 'exec', kernels, 'spin', '--grid', '64', '--local', '32',
             '--arg', 'zeros:4', '--arg', 'u32:1', '--stats', *how])
        check(status == 130, (how, status, err))
        check("kernel 'spin': stopped at pc 0x8" in err and 'workgroup 0' in err,
              (how, err))
        check('warp-instructions' in out, (how, out))
    report = folder / 'r.html'
    status, out, err = interrupt(
        [ventus, 'exec', kernels, 'spin', '--grid', '8', '--arg', 'zeros:4',
         '--arg', 'u32:1', '--json', '--stats', *NO_DEADLOCK, '--report', report])
    result = json.loads(out)
    check(status == 130 and not result['ok'], (status, out))
    check(result['fault']['kind'] == 'stopped', result.get('fault'))
    check(result['cycles'] > 100, result['cycles'])
    check('stopped' in report.read_text(), 'the report does not say it')


def try_run(folder, program):
    report, table = folder / 'run.html', folder / 'run.json'
    status, _, err = interrupt(
        [ventus, 'run', '--model', 'chisel', '--stats', '--json', table,
         '--report', report, '--log-api', '--', program, '--width', '4096',
         '--height', '4096'])
    check(status == 130, (status, err))
    check(': stopped' in err and 'warp' in err, err)
    check('mandelbrot ' in err and 'launches' in err, 'no table: ' + err)
    check(json.loads(table.read_text()), 'no JSON')
    check(report.is_file(), 'no report')
    # A program that runs no kernel ends all the same, and one that handles the
    # signal is left alone.
    code = ('import os, signal, sys, time\n'
            'signal.signal(signal.SIGINT, lambda *_: sys.exit(7))\n'
            'print("x", file=sys.stderr, flush=True)\ntime.sleep(60)')
    status, _, err = interrupt([ventus, 'run', '--', sys.executable, '-c', code],
                               'x')
    check(status == 7, (status, err))


def try_input():
    def run(text, *arguments):
        return subprocess.run([ventus, 'exec', '-', *arguments], input=text,
                              capture_output=True, check=False)
    r = run(Path(kernels).read_bytes(), 'put', '--grid', '2', '--arg', 'zeros:2',
            '--arg', 'u32:5', '--show', '0')
    check(r.stdout == b'    0: 5 5\n', r)
    r = run(b'.ventus_kernel k, sgpr=16, vgpr=4\nk: lw t0, 0(a0)\n li t1, 9\n'
            b' sw t1, 0(t0)\n ret\n', '-x', 's', '--grid', '1', '--arg',
            'zeros:1', '--show', '0')
    check(r.stdout == b'    0: 9\n', r)
    r = run(b'foo\n', '-x', 's', '--grid', '1')
    check(r.returncode == 1 and b'<stdin>:1:1: error: ' in r.stderr, r)
    r = run(b'', '-x', 'c', '--grid', '1')
    check(r.returncode == 2 and b"exec: -x: expected cl or s, found 'c'" in r.stderr, r)


def try_files():
    for option in ('--log', '--dump 0=', '--check-json', '--issues', '--trace',
                   '--report', '--konata', '--events'):
        words = (option + '/no/where').split() if '=' in option else [
            option, '/no/where']
        r = subprocess.run(
            [ventus, 'exec', '/there/is/no/such.cl', '--grid', '1', '--arg',
             'zeros:1', '--model', 'chisel', *words], capture_output=True,
            text=True, check=False)
        check(r.returncode == 1 and r.stderr == 'exec: error: /no/where: cannot '
              'write: No such file or directory\n', (option, r))


def main():
    with tempfile.TemporaryDirectory() as folder:
        try_exec(Path(folder))
        try_replay(Path(folder))
        if len(sys.argv) > 3:
            try_run(Path(folder), sys.argv[3])
        try_input()
        try_files()
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
