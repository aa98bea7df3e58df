#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A program whose workgroups race gives the same on any number of host threads
with --deterministic, and on the cycle-level machine anyway.

usage: deterministic.py VENTUS
"""
import subprocess
import sys
import tempfile
from pathlib import Path

# Every workgroup adds to one word without an atomic, takes a ticket with one,
# and stores both at the end: what is lost, and who comes when, is order.
RACY = '''
    .text
    .globl  racy
racy:
    lw      t0, 0(a0)
    csrr    t1, gdx
    addi    t2, t1, 2
    slli    t2, t2, 3
    add     t2, t2, t0
    li      t3, ROUNDS
    vmv.v.x v2, t0
    vmv.v.i v1, 1
    vadd.vi v2, v2, 4
again:
    lw      t4, 0(t0)
    addi    t4, t4, 1
    sw      t4, 0(t0)
    amoadd.w v3, v1, (v2)
    vmv.x.s t5, v3
    addi    t3, t3, -1
    bnez    t3, again
    sw      t4, 0(t2)
    sw      t5, 4(t2)
    ret
'''
GROUPS, THREADS = 64, (1, 2, 4)


def run(folder, rounds, *options):
    source, out = Path(folder) / 'racy.s', Path(folder) / 'out'
    source.write_text(RACY.replace('ROUNDS', str(rounds)), encoding='ascii')
    subprocess.run([sys.argv[1], 'exec', source, '--grid', str(8 * GROUPS),
                    '--local', '8', '--lanes', '8', '--arg',
                    f'zeros:{2 * (GROUPS + 2)}', '--dump', f'0={out}',
                    *options], check=True)
    return out.read_bytes()


def devices(*options):
    """What a program is told; None: built without the OpenCL runtime."""
    r = subprocess.run([sys.argv[1], 'run', *options, '--', 'printenv',
                        'VENTUS_DEVICES'], capture_output=True, text=True,
                       check=False)
    missing = 'it is built if the OpenCL headers are there' in r.stderr
    return None if missing else r.stdout.strip()


def main():
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for name, rounds, options in (
                ('--deterministic', 40000, ['--deterministic']),
                ('key', 10000, ['--set', 'deterministic=yes']),
                ('--model', 20, ['--model', 'chisel'])):
            found = {run(folder, rounds, *options, '--threads', str(n))
                     for n in THREADS for _ in range(2)}
            if len(found) != 1:
                wrong.append(f'{name}: {len(found)} results')
        one = run(folder, 10000, '--threads', '1')
        if one != run(folder, 10000, '--deterministic', '--threads', '4'):
            wrong.append('it is not the order of one thread')
    for options, expected in (
            (['--deterministic'], 'default:deterministic=yes'),
            (['--deterministic', '--threads', '4', '--device', 'lanes8'],
             'lanes8:host_threads=4:deterministic=yes')):
        found = devices(*options)
        if found not in (None, expected):
            wrong.append(f'run {options}: {found}, expected {expected}')
    print('\n'.join(wrong))
    return wrong != []


if __name__ == '__main__':
    sys.exit(main())
