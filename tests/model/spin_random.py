#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random programs that end, however late and in whatever order warps run, are
never called deadlocked.

usage: spin_random.py VENTUS [--programs N] [--seed N]

Events have an order.  Each is brought about by one warp, which first waits for
some earlier events, then takes its time, then sets the event's word; barriers of
workgroups are events, too.  So the first event that is missing can always come.
Warps wait and take time in ways that leave most of their registers alike.
A machine's fixed priorities may keep a warp away for ever: that it may say.
"""
import argparse
import random
import subprocess
import sys
import tempfile
from pathlib import Path

START = '''
    .text
    .globl  events
events:
    lw      s0, 0(a0)
    lw      s1, 4(a0)
    csrr    s2, gdx
    csrr    s3, wid
    li      s4, 1
    li      t0, {warps}
    mul     s5, s2, t0
    add     s5, s5, s3
    vid.v   v9
    vmv.v.i v8, 4
'''
END = '''
done:
    slli    t0, s5, 2
    add     t0, t0, s1
    sw      s4, 0(t0)
    ret
'''
WAITS = [
    '{l}: fence r, r; lw t1, 0(t6); beqz t1, {l}',
    'li t5, 0; {l}: fence r, r; addi t5, t5, 1; li t4, {n}; remu t5, t5, t4;'
    ' lw t1, 0(t6); beqz t1, {l}',
    '{l}: fence r, r; vlw12.v v2, 0(v1); vmv.x.s t1, v2; beqz t1, {l}',
    'vmv.v.i v3, 0; {l}: fence r, r; amoadd.w v2, v3, (v1); vmv.x.s t1, v2;'
    ' beqz t1, {l}',
    '{l}: fence r, r; vsw.v v9, 0(v8); lw t1, 0(t6); beqz t1, {l}',
]
TAKES = [
    'li t1, {n}; {l}: addi t1, t1, -1; bnez t1, {l}',
    'li t3, {n}; li t0, {own}; add t0, t0, s0; sw zero, 0(t0); {l}: lw t1, 0(t0);'
    ' addi t1, t1, 1; sw t1, 0(t0); sltu t1, t1, t3; {pad} bnez t1, {l}',
    'li t3, {n}; vmv.v.i v4, 0; vsw.v v4, 8(v8); {l}: vlw.v v4, 8(v8);'
    ' vadd.vi v4, v4, 1; vsw.v v4, 8(v8); vmv.x.s t1, v4; vmv.v.i v4, 0;'
    ' sltu t1, t1, t3; {pad} bnez t1, {l}',
    'csrr t1, instret; li t3, 4 * {n}; add t3, t3, t1; {l}: csrr t1, instret;'
    ' sltu t1, t1, t3; {pad} bnez t1, {l}',
    'vmv.v.i v5, 0; li t3, {n}; {l}: vadd.vi v5, v5, 1; vmv.x.s t1, v5;'
    ' sltu t1, t1, t3; {pad} bnez t1, {l}',
]
PORT = ('--model rtl-verilog --set one_group=no --set common_pds=no '
        '--set all_lanes=no --set num_vgpr=0 --set num_sgpr=0')
MACHINES = [PORT, '--model chisel --coherence none',
            '--model chisel --coherence none --threads 2',
            '--model chisel --set scheduler=lrr',
            '--model chisel',
            '--model chisel --set scheduler=two_level --set inner_warps=2']


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.warps = self.random.choice([2, 2, 3, 4])
        self.groups = self.random.choice([1, 2, 2, 3, 4])
        self.labels = 0
        self.code = [[] for _ in range(self.warps * self.groups)]
        events = 0
        for _ in range(self.random.randint(2, 8)):
            if self.random.random() < 0.35:
                self.barrier(self.random.randrange(self.groups))
                continue
            warp = self.random.randrange(len(self.code))
            for e in self.random.sample(range(events),
                                        min(events, self.random.randint(0, 2))):
                self.wait(warp, e)
            self.add(warp, self.random.choice(TAKES))
            self.code[warp].append(f'li t0, {4 * events}; add t0, t0, s0; '
                                   'sw s4, 0(t0); fence w, w')
            events += 1
        for warp in range(len(self.code)):
            if events and self.random.random() < 0.5:
                self.wait(warp, self.random.randrange(events))
        for group in range(self.groups):
            if self.random.random() < 0.7:
                self.barrier(group)

    def add(self, warp, text):
        self.labels += 1
        self.code[warp].append(text.format(
            l=f'l{self.labels}', own=2048 + 128 * warp,
            n=self.random.choice([3, 17, 100, 1000, 4000]),
            pad='nop; ' * self.random.randrange(6)))

    def wait(self, warp, event):
        self.code[warp].append(f'li t6, {4 * event}; add t6, t6, s0; '
                               'vmv.v.x v1, t6')
        self.add(warp, self.random.choice(WAITS))

    def barrier(self, group):
        for warp in range(self.warps):
            self.code[group * self.warps + warp].append('barrier')

    def text(self):
        lines = [START.format(warps=self.warps)]
        for i, code in enumerate(self.code):
            lines += [f'li t0, {i}; bne s5, t0, w{i}', *code, 'j done',
                      f'w{i}:']
        text = '\n'.join(lines).replace(';', '\n').replace(': ', ':\n')
        return text + END


def run(ventus, seed, folder):
    """What is wrong, or None."""
    program = Program(seed)
    source, out = Path(folder) / 'events.s', Path(folder) / 'out'
    source.write_text(program.text(), encoding='ascii')
    machine = MACHINES[seed % len(MACHINES)]
    command = [ventus, 'exec', source, '--lanes', '8',
               '--grid', str(8 * len(program.code)),
               '--local', str(8 * program.warps), '--set', 'private_size=32',
               '--set', 'deadlock=3000', '--set', 'max_instructions=3000000',
               '--arg', 'zeros:1024', '--arg', f'zeros:{len(program.code)}',
               '--dump', f'1={out}', *machine.split()]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if 'the others were not issued for' in done.stderr:
        return None
    if done.returncode:
        return f'seed {seed}: {machine}: {done.stderr}'
    wanted = b'\1\0\0\0' * len(program.code)
    return None if out.read_bytes() == wanted else f'seed {seed}: not all ended'


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('ventus')
    parser.add_argument('--programs', type=int, default=60)
    parser.add_argument('--seed', type=int, default=0)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        wrong = [w for i in range(args.programs)
                 if (w := run(args.ventus, args.seed + i, folder))]
    print('\n'.join(wrong + [f'{args.programs} programs, {len(wrong)} wrong']))
    return bool(wrong)


if __name__ == '__main__':
    sys.exit(main())
