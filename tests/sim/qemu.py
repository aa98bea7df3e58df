#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random programs, the same on `ventus exec` and on qemu-riscv32.

    qemu.py VENTUS [--programs N] [--length ITEMS] [--seed FIRST] [--keep DIR]

Both run a program from the same registers and memory; afterwards all scalar
registers, vector registers, scratch memory, fflags, frm and vcsr must be equal, bit
for bit.  QEMU has vectors of 1024 bits, 32 lanes of 32 bits.  Where Ventus
differs from RISC-V on purpose: qemu_program.py.

Of the batches of 40 programs, every second renames its registers for Ventus
to any of v1..v255 and x1..x63, which needs prefixes; every third runs the
portable lane loops, every fourth atomics on x registers (scalar_amo), every
fifth version 2 with its own prefixes.  A program that differs is cut down
to the items that it takes, and printed; --seed S --programs 1 repeats it.

Exit status: 0 equal, 1 different, 77 without qemu-riscv32, llvm-mc-19 and
ld.lld-19.
"""
import argparse
import concurrent.futures
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile

from qemu_program import HALF, LANES, Program, STATE_V, STATE_X

CPU = 'rv32,v=true,vext_spec=v1.0,vlen=1024,elen=64'
TOOLS = ('qemu-riscv32', 'llvm-mc-19', 'ld.lld-19')
BATCH = 40
FLAGS, FRM, VCSR = 1, 2, 3               # their places among the scalar registers
REGISTERS = 128 + 32 * 4 * LANES
BLOCK = REGISTERS + 2 * HALF    # bytes of one program's state


class Failed(Exception):
    """A tool said no."""


def run(*command):
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode:
        raise Failed(f'{command[0]}: exit status {done.returncode}: ' +
                     done.stderr.decode(errors='replace')[-2000:])
    return done.stdout


# ---- the two spellings of a program -----------------------------------------
def around(program, body):
    """Loads the state, runs the body, stores the state.  x8: the block."""
    lines = ['addi x9, x8, 128']
    for v in STATE_V:
        lines += [f'vle32.v v{v}, (x9)', 'addi x9, x9, 128']
    lines += [f'lw x{x}, {4 * x}(x8)' for x in STATE_X]
    lines += [f'li x9, {REGISTERS}', 'add x8, x8, x9', 'csrw fflags, x0',
              f'csrwi frm, {program.frm}', f'csrwi vcsr, {program.vcsr}',
              *body, f'li x9, -{REGISTERS}',
              'add x9, x8, x9', 'csrr x1, fflags', f'sw x1, {4 * FLAGS}(x9)',
              'csrr x1, frm', f'sw x1, {4 * FRM}(x9)',
              'csrr x1, vcsr', f'sw x1, {4 * VCSR}(x9)']
    lines += [f'sw x{x}, {4 * x}(x9)' for x in STATE_X]
    for v in STATE_V:
        lines += ['addi x9, x9, 128', f'vse32.v v{v}, (x9)']
    return lines


def renaming(seed):
    """Other registers for Ventus.

    v0 governs masked forms and stays; pairs become pairs; x1 and x9 hold pcs,
    which prefixes would change.
    """
    r = random.Random(seed)
    v = [0, 1] + [2 * n + half for n in r.sample(range(1, 128), 15)
                  for half in (0, 1)]
    x = r.sample([n for n in range(64) if n not in (0, 1, 9)], 32)
    for n in (0, 1, 9):
        x[n] = n

    def rename(line):
        return re.sub(r'\b([vx])(\d+)\b(?!\.t)', lambda m: m[1] + str(
            (v if m[1] == 'v' else x)[int(m[2])]), line)
    return rename


def ventus_text(programs, rename):
    lines = []
    for i, p in enumerate(programs):
        body = sum((item[0] for item in p.items), [])
        lines += ['csrr x8, knl', 'lw x8, 4(x8)', 'lw x8, 0(x8)',
                  f'li x9, {i * BLOCK}', 'add x8, x8, x9', *around(p, body)]
    return '\n'.join(['    .text', '    .globl random', 'random:',
                      *map(rename, lines), 'endprg', ''])


def qemu_text(programs, state):
    lines = ['.globl _start', '_start:', f'li x9, {LANES}',
             'vsetvli x0, x9, e32, m1, tu, mu']
    for i, p in enumerate(programs):
        body = sum((item[1] for item in p.items), [])
        lines += ['la x8, state', f'li x9, {i * BLOCK}', 'add x8, x8, x9',
                  *around(p, body)]
    lines += ['la s0, state', f'li s1, {len(programs) * BLOCK}',
              '1: li a0, 1', 'mv a1, s0', 'mv a2, s1', 'li a7, 64', 'ecall',
              'blez a0, 2f', 'add s0, s0, a0', 'sub s1, s1, a0', 'bnez s1, 1b',
              '2: mv a0, s1', 'li a7, 93', 'ecall', '.data', '.balign 128',
              'lanes: .space 384', f'state: .incbin "{state}"', '']
    return '\n'.join(lines)


# ---- running them -----------------------------------------------------------
def write(path, data):
    with open(path, 'wb' if isinstance(data, bytes) else 'w') as f:
        f.write(data)
    return path


class Batch:
    """Programs that share one start of each machine."""

    def __init__(self, ventus, folder, number, programs):
        self.ventus, self.programs = ventus, programs
        self.folder = os.path.join(folder, str(number))
        os.makedirs(self.folder, exist_ok=True)
        self.options = (
            ['--set', 'portable=yes'] * (number % 3 == 2) +
            ['--set', 'scalar_amo=yes'] * (number % 4 == 3) +
            ['-march=ventus2'] * (number % 5 == 4))
        self.rename = renaming(number) if number % 2 else str

    def path(self, name):
        return os.path.join(self.folder, name)

    def states(self, programs):
        """The state after each program: from Ventus, from QEMU."""
        before = b''.join(struct.pack(f'<{len(p.words)}I', *p.words)
                          for p in programs)
        state = write(self.path('state'), before)
        write(self.path('v.s'), ventus_text(programs, self.rename))
        write(self.path('q.s'), qemu_text(programs, state))
        run(self.ventus, 'exec', self.path('v.s'), '--grid', str(LANES),
            '--local', str(LANES), '--lanes', str(LANES), '--arg',
            'buf:' + state, '--dump', '0=' + self.path('after'),
            '--limit', '10000000', *self.options)
        run('llvm-mc-19', '-triple=riscv32', '-mattr=+m,+a,+f,+d,+v',
            '-filetype=obj', '-o', self.path('q.o'), self.path('q.s'))
        run('ld.lld-19', '-o', self.path('q'), self.path('q.o'))
        theirs = run('qemu-riscv32', '-cpu', CPU, self.path('q'))
        with open(self.path('after'), 'rb') as f:
            ours = f.read(len(before))
        return [[s[i:i + BLOCK] for i in range(0, len(before), BLOCK)]
                for s in (ours, theirs)]

    def differs(self, program):
        try:
            ours, theirs = self.states([program])
        except Failed as e:
            return str(e)
        return difference(ours[0], theirs[0])

    def check(self):
        """Descriptions of the programs that differ."""
        try:
            ours, theirs = self.states(self.programs)
            bad = [p for p, a, b in zip(self.programs, ours, theirs)
                   if difference(a, b)]
        except Failed:
            bad = [p for p in self.programs if self.differs(p)]
        return [self.describe(p) for p in bad[:3]]

    def describe(self, program):
        what = self.differs(program)
        if not what:
            return f'seed {program.seed}: differs only behind other programs'
        i = 0
        while i < len(program.items):
            item = program.items.pop(i)
            still = self.differs(program)
            if still:
                what = still
            else:
                program.items.insert(i, item)
                i += 1
        lines = [line for item in program.items for line in item[0]]
        text = '\n'.join('    ' + self.rename(line) for line in lines)
        return (f'seed {program.seed}, frm {program.frm}: {what}\n{text}\n'
                f'  before: {self.operands(program, lines, what)}')

    def operands(self, program, lines, what):
        """The state before: of scalars, and of vectors in the lane."""
        lane = re.match(r'v\d+ lane (\d+)', what)
        shown = []
        for kind, n in sorted(set(re.findall(r'\b([vx])(\d+)\b',
                                             ' '.join(lines)))):
            if kind == 'x' and int(n) in STATE_X:
                at, where = int(n), ''
            elif kind == 'v' and lane and int(n) in STATE_V:
                at = 32 + LANES * int(n) + int(lane[1])
                where = f'[{lane[1]}]'
            else:
                continue
            shown.append(f'{self.rename(kind + n)}{where}='
                         f'{program.words[at]:#x}')
        return ' '.join(shown)


def place(offset):
    if offset >= REGISTERS:
        return f'scratch+{offset - REGISTERS}'
    if offset >= 128:
        return f'v{(offset - 128) // 128} lane {offset % 128 // 4}'
    return {FLAGS: 'fflags', FRM: 'frm', VCSR: 'vcsr'}.get(offset // 4, f'x{offset // 4}')


def difference(ours, theirs):
    """The first one in words, or None."""
    compared = {FLAGS, FRM, VCSR, *STATE_X}
    for i in range(0, BLOCK, 4):
        if i < 128 and i // 4 not in compared:
            continue
        a, b = (struct.unpack_from('<I', s, i)[0] for s in (ours, theirs))
        if a != b:
            return f'{place(i)} is {a:#010x}, qemu has {b:#010x}'
    return None


def count(programs):
    return sum(1 for p in programs for i in p.items for line in i[0]
               if not line.endswith(':'))


def main():
    options = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    options.add_argument('ventus')
    options.add_argument('--programs', type=int, default=240)
    options.add_argument('--length', type=int, default=60)
    options.add_argument('--seed', type=int, default=0)
    options.add_argument('--keep', help='a folder for the files')
    o = options.parse_args()
    missing = [t for t in TOOLS if not shutil.which(t)]
    if missing:
        print('not there:', *missing)
        return 77
    with tempfile.TemporaryDirectory() as temporary:
        batches = {}
        for seed in range(o.seed, o.seed + o.programs):
            number = seed // BATCH
            batches.setdefault(number, []).append(
                Program(seed, o.length, number % 4 == 3))
        total = count(sum(batches.values(), []))
        jobs = [Batch(os.path.abspath(o.ventus), o.keep or temporary, n, p)
                for n, p in batches.items()]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            failures = sum(pool.map(Batch.check, jobs), [])
    print('\n'.join(failures + [f'{o.programs} programs, {total} '
                                f'instructions, {len(failures)} differ']))
    return failures != []


if __name__ == '__main__':
    sys.exit(main())
