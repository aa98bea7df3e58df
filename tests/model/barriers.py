#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a barrier orders, by its scope and flags (manual 4.2.4), is waited for,
and nothing else; at device scope other SMs see it with --coherence rcc.

usage: barriers.py VENTUS [--all]

--all: every immediate and every kind of access.
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

LATENCY = 300
LOCAL, GLOBAL, IMAGE = 1, 2, 4          # flags
ITEM, DEVICE = 8, 16                    # scopes; the workgroup's is 0
ALL_OF_THEM = '--all' in sys.argv
IMMEDIATES = (range(32) if ALL_OF_THEM else
              (0, 1, 2, 4, 7, 9, 10, 16, 17, 18, 20, 26))
ACCESSES = [('vlw12.v', GLOBAL | IMAGE), ('vsw12.v local', LOCAL)]
if ALL_OF_THEM:
    ACCESSES += [('vsw12.v', GLOBAL | IMAGE), ('vlw12.v local', LOCAL)]

# An access to eight lines, or to local memory, which is over before the loop is:
# it costs cycles only if the barrier waits for it.  The second time the code is
# in the L1I.
TIMES = '''
    .text
    .globl  times
times:
    lw      t0, 0(a0)
    lw      t1, 4(a0)
    vid.v   v1
    vsll.vi v2, v1, 7
    vadd.vx v2, v2, {base}
    li      t2, 1024
    li      t5, 2
2:  li      t3, 400
    .balign 8
    nop                             # whose pair has no register to wait for
    {access}
    {barrier}
1:  addi    t3, t3, -1
    bnez    t3, 1b
    vadd.vx v2, v2, t2
    addi    t5, t5, -1
    bnez    t5, 2b
    ret
'''

# Group 1 has the word in its L1D when it waits, with an atomic, for a flag that
# group 0 raises behind its store; both meet at a barrier in between.
SEEN = '''
    .text
    .globl  seen
seen:
    lw      t0, 0(a0)
    lw      t1, 4(a0)
    csrr    t2, gdx
    li      t3, 7
    vmv.v.i v1, 1
    vmv.v.i v4, 0
    addi    t5, t0, 1024
    vmv.v.x v2, t5
    lw      t4, 0(t0)               # a line of each L1D
    bnez    t2, waits
    li      t6, 400                 # until the other one has it, too
1:  addi    t6, t6, -1
    bnez    t6, 1b
    sw      t3, 0(t0)
    {barrier}
    amoswap.w v3, v1, (v2)
    ret
waits:
    amoadd.w v3, v4, (v2)
    vmv.x.s t4, v3
    beqz    t4, waits
    {barrier}
    lw      t4, 0(t0)
    sw      t4, 0(t1)
    ret
'''

# A warp stores, another one of its workgroup loads.
WITHIN = '''
    .text
    .globl  within
within:
    lw      t0, 0(a0)
    lw      t1, 4(a0)
    csrr    t2, wid
    li      t3, 7
    lw      t4, 0(t0)
    bnez    t2, loads
    sw      t3, 0(t0)
    barrier 2
    ret
loads:
    barrier 2
    lw      t4, 0(t0)
    sw      t4, 0(t1)
    ret
'''


def execute(source, folder, *options):
    """What the kernel leaves in its last buffer, and what was counted."""
    path = Path(folder) / 'kernel.s'
    path.write_text(source, encoding='ascii')
    out = Path(folder) / 'out'
    last = sum(o == '--arg' for o in options) - 1
    done = subprocess.run(
        [sys.argv[1], 'exec', path, '--model', 'chisel', '--coherence', 'none', *options, '--dump',
         f'{last}={out}', '--stats', '--json'], capture_output=True,
        text=True, check=True)
    value = int.from_bytes(out.read_bytes()[:4], 'little')
    return value, json.loads(done.stdout)


def time_of(folder, barrier, access, *options):
    base = 't0' if 'local' in access else 't1'
    word = access.split()[0]
    source = TIMES.format(base=base, access=word + ' v3, 0(v2)',
                          barrier=barrier)
    return execute(source, folder, '--grid', '8', '--local', '8', '--arg',
                   'local:2048', '--arg', 'zeros:1024', '--set',
                   f'memory_cycles={LATENCY}', '--set', 'local_cycles=32',
                   '--set', 'barrier_waits=yes', *options)[1]['cycles']


def check_times(folder):
    wrong = []
    for access, named in ACCESSES:
        least = time_of(folder, 'barrier 0', access)
        most = time_of(folder, 'barrier 7', access)
        if most < least + 30:
            wrong.append(f'{access}: barrier 7 waits for {most - least}')
        for imm in IMMEDIATES:
            scope = imm & ITEM | imm & DEVICE
            for name in ('barrier', 'barriersub'):
                waits = imm & named and (scope != ITEM or name != 'barrier')
                found = time_of(folder, f'{name} {imm}', access)
                if found != (most if waits else least):
                    wrong.append(f'{access}; {name} {imm}: {found} cycles, '
                                 f'expected {most if waits else least}')
        ported = {time_of(folder, f'barrier {imm}', access, '--set',
                          'barrier_waits=no') for imm in (1, 2, 31)}
        if len(ported) != 1:
            wrong.append(f'{access}: barrier_waits=no, but {ported} cycles')
    return wrong


def check_seen(folder):
    wrong = []
    rcc = ['--coherence', 'rcc', '--arg', 'zeros:1024', '--arg', 'zeros:1']
    two = ['--grid', '16', '--local', '8', *rcc]
    for imm in IMMEDIATES:
        device = imm & DEVICE and imm & (GLOBAL | IMAGE)
        found, result = execute(SEEN.format(barrier=f'barrier {imm}'), folder,
                                *two)
        flushes = result['counters']['cache_flushes']
        if found != (7 if device else 0) or flushes != (2 if device else 0):
            wrong.append(f'barrier {imm}: {found} seen, {flushes} flushes')
    found, result = execute(WITHIN, folder, '--grid', '16', '--local', '16',
                            *rcc)
    flushes = result['counters']['cache_flushes']
    if found != 7 or flushes:
        wrong.append(f'in a workgroup {found} seen, {flushes} flushes')
    return wrong


def main():
    with tempfile.TemporaryDirectory() as folder:
        wrong = check_times(folder) + check_seen(folder)
    print('\n'.join(wrong))
    return wrong != []


if __name__ == '__main__':
    sys.exit(main())
