#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A program that goes on for ever ends at the limit that the user set, and one
that is deadlocked in time, on one host thread and on two.

usage: limits.py VENTUS FILE.s

FILE.s: a workgroup of which many warps look for what others, that never come to
be fetched, would do (tests/sim/fault_barrier.s).
"""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = '''
    .text
    .globl  forever
forever:
    lw      t0, 0(a0)
again:
    lw      t1, 0(t0)
    beqz    t1, again
    ret
'''

# Workgroups that poll a word that is never written while one warp waits.
STUCK = '''
    .text
    .globl  stuck
stuck:
    lw      t0, 0(a0)
    csrr    t1, wid
    beqz    t1, meet
    li      t2, ROUNDS
again:
    addi    t2, t2, -1
    bnez    t2, again
    li      t2, ROUNDS
    lw      t1, 0(t0)
    beqz    t1, again
meet:
    barrier
    ret
'''
START = 1000                            # cycles, and more than it takes


def run(source, *settings, options=()):
    command = [sys.argv[1], 'exec', source, '--model', 'chisel', '--coherence',
               'none', '--grid', '64', '--local', '32', '--arg', 'zeros:1', *options]
    for setting in settings:
        command += ['--set', setting]
    return subprocess.run(command, capture_output=True, text=True,
                          check=False)


def check_deadlock(source, rounds, interval):
    """Found as docs/model.md says; the same on two threads, and when watched."""
    source.write_text(STUCK.replace('ROUNDS', str(rounds)))
    runs = [run(source, f'deadlock={interval}', f'host_threads={threads}',
                options=['--json', *more])
            for threads, more in ((1, []), (2, []), (1, ['--hot']))]
    one, two, hot = (json.loads(r.stdout) for r in runs)
    # A round is two instructions of three warps; branches take a few cycles.
    bound = START + 3 * (interval + 40 * rounds)
    if (one != two or hot['message'] != one['message'] or
            'deadlock (some warps repeat themselves' not in one['message'] or
            not interval < one['cycles'] <= bound):
        sys.exit(f'{rounds} rounds, every {interval} cycles: expected a '
                 f'deadlock within {bound}\n{one}\n{two}\n{hot}')


def check_longest(source):
    """An interval to which no cycle can be added in 64 bits: the launch ends."""
    source.write_text('    .globl  done\ndone:\n    ret\n')
    one, two = (run(source, f'deadlock={2 ** 64 - 1}', f'host_threads={n}',
                    options=['--json']).stdout for n in (1, 2))
    if one != two or not json.loads(one)['ok']:
        sys.exit(f'an interval of 2^64 - 1 cycles:\n{one}\n{two}')


def check_named(source):
    """The workgroup that waits, of a grid that has ended but for it."""
    source.write_text(STUCK.replace('    csrr    t1, wid', """
    csrr    t1, wgid
    li      t2, 1
    bne     t1, t2, done
    csrr    t1, wid""").replace('ROUNDS', '10').replace(
        '    barrier', '    barrier\ndone:'))
    text = run(source, 'deadlock=1000').stderr
    if ', workgroup 1 (1,0,0), warp ' not in text:
        sys.exit(f'expected workgroup 1 (1,0,0), found: {text}')


def check_starved(source):
    """Eight warps on chisel: the last two slots are never fetched."""
    command = [sys.argv[1], 'exec', source, '--model', 'chisel', '--grid', '128',
               '--local', '64', '--arg', 'zeros:1', '--set', 'deadlock=5000']
    text = subprocess.run(command, capture_output=True, text=True, check=False).stderr
    for words in ('the others were not issued for 5000 cycles) at pc 0x',
                  '; wait', 'sm 0, workgroup 0: warp 0 at 0x',
                  'barrier, warp 1', 'repeats itself, warp', '7 at 0x80000000: fetch',
                  'sm 1, workgroup 1: warp 0 at 0x'):
        if words not in text:
            sys.exit(f'expected "{words}", found: {text}')


def main():
    check_starved(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / 'forever.s'
        source.write_text(SOURCE)
        runs = [run(source, f'host_threads={n}', 'max_instructions=3000')
                for n in (1, 2)]
        late = run(source, 'max_ms=100')
        check_named(Path(folder) / 'named.s')
        check_longest(Path(folder) / 'done.s')
        for rounds, interval in (10, 1000), (10, 30000), (3000, 1000):
            check_deadlock(Path(folder) / 'stuck.s', rounds, interval)
    wrong = [r for r in runs + [late] if r.returncode != 1]
    if runs[0].stderr != runs[1].stderr or wrong:
        sys.exit(f'{runs[0]}\n{runs[1]}\n{late}')
    for r, limit in (runs[0], 'max_instructions'), (late, 'max_ms'):
        if not re.search(rf"kernel 'forever': limit exceeded: {limit} at pc "
                         r'0x\w+ \(.*\), workgroup \d .*, warp \d; .*'
                         r'forever\.s:\d', r.stderr):
            sys.exit(r.stderr)


main()
