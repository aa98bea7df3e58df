#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the cache hints of version 2 do: one access pattern for each hint.

    bench_hints.py [--build DIR]

A warp on each of the two SMs of `chisel2` reads two tables in turn, line by line,
ROUNDS times.  The loads of one table have each hint in turn, those of the other
none.  Printed are cycles, hits of the L1Ds and of the L2, lines read from memory,
and which hint is the fastest.  The exit status is 1 if that is not the hint
that the pattern is for."""
import argparse
import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
HINTS = ['default', 'stream', 'keep', 'bypass']
ROUNDS, LINE, SMS, WARPS = 6, 128, 2, 4

# name of the hint: bytes and kind of the table that has it, of the other one.
# once: each round reads other lines; own: each SM has its own; shared.
PATTERNS = {
    'stream': ((48 << 10, 'once'), (48 << 10, 'own')),
    'keep': ((32 << 10, 'own'), (64 << 10, 'once')),
    'bypass': ((96 << 10, 'shared'), (48 << 10, 'own')),
}

KERNEL = '''
    .ventus_kernel tables, sgpr=32, vgpr=16
    .text
    .globl  tables
tables:
    lw      a1, 0(a0)           # the table with the hint,
    lw      a2, 8(a0)           # and the other one
    csrr    t0, wgid
    li      t2, {hinted_group}
    mul     t2, t2, t0
    add     a1, a1, t2
    li      t2, {other_group}
    mul     t2, t2, t0
    add     a2, a2, t2
    csrr    t0, tid
    vid.v   v1
    vadd.vx v1, v1, t0
    vsll.vi v1, v1, 2
    vadd.vx v2, v1, a1
    vadd.vx v3, v1, a2
    li      a3, {rounds}
    li      s0, {hinted_step}   # of a round, for an index
    li      s1, {other_step}
round:
    vmv.v.v v4, v2
    vmv.v.v v5, v3
    li      a4, {steps}
    li      a5, 0
    li      t2, {step}          # what the warps of an SM read at once
line:
    .rept {hinted_rate}
    pre_m_32 0, hint={hint}
    vlw12.v v6, 0(v4)
    vadd.vx v4, v4, t2
    .endr
    .rept {other_rate}
    vlw12.v v7, 0(v5)
    vadd.vx v5, v5, t2
    .endr
    addi    a4, a4, -1
    bnez    a4, line
    vadd.vx v2, v2, s0
    vadd.vx v3, v3, s1
    addi    a3, a3, -1
    bnez    a3, round
    ret
'''


def layout(size, kind):
    """Bytes from one SM's table to the next, from a round to the next, in all."""
    if kind == 'once':
        return ROUNDS * size, size, SMS * ROUNDS * size
    return (size, 0, SMS * size) if kind == 'own' else (0, 0, size)


def run(ventus, pattern, hint):
    (size, kind), (other, other_kind) = PATTERNS[pattern]
    steps = min(size, other) // (WARPS * LINE)
    group, step, total = layout(size, kind)
    other_group, other_step, other_total = layout(other, other_kind)
    source = KERNEL.format(
        hint=hint, rounds=ROUNDS, step=WARPS * LINE, steps=steps,
        hinted_group=group, hinted_step=step, other_group=other_group,
        other_step=other_step, hinted_rate=size // (WARPS * LINE) // steps,
        other_rate=other // (WARPS * LINE) // steps)
    done = subprocess.run(
        [ventus, 'exec', '-', '-x', 's', '-march=ventus2', '--model',
         'chisel2', '--set', 'memory_size=1G', '--set', 'memory_cycles=100', '--json', '--stats',
         '--grid', str(32 * WARPS * SMS), '--local', str(32 * WARPS),
         '--arg', f'zeros:{total // 4}', '--arg', f'zeros:{other_total // 4}'],
        input=source, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    result = json.loads(done.stdout)
    return result['cycles'], result['counters']


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--build', type=Path,
                        default=HERE.parent / 'build/release')
    ventus = parser.parse_args().build / 'bin/ventus'
    missed = False
    print('pattern  hint       cycles  L1D hits  L2 hits  memory reads')
    for pattern in PATTERNS:
        cycles = {}
        for hint, name in enumerate(HINTS):
            cycles[name], counters = run(ventus, pattern, hint)
            print(f'{pattern:8} {name:8} {cycles[name]:8} '
                  f'{counters["read_hits"]:9} {counters["l2_hits"]:8} '
                  f'{counters["memory_reads"]:13}')
        best = min(cycles, key=cycles.get)
        print(f'{pattern:8} fastest: {best}, '
              f'{cycles[best] / cycles["default"]:.2f} of default')
        missed |= best != pattern
    sys.exit(missed)


if __name__ == '__main__':
    main()
