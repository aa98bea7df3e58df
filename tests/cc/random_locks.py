#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random kernels with locks, whose sums are known.

    random_locks.py VENTUS --compiler CC_COMPILE [--seed N] [--count N]
                    [--lanes N,...] [--settings S,...] [--oracle RUN_CL]

Each work-item adds to sums that locks protect: with one lock or two at once, a
lock of a table, under branches, in loops, before barriers, in all forms of taking a lock.
What is expected is computed here, for one work-item after the other; with an
oracle pocl must give the same.  A file that fails is kept as random-locks-SEED.cl.
"""
import argparse
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
LOCKS, ITEMS, KERNELS = 4, 64, 6
HEAD = '''// SPDX-License-Identifier: Apache-2.0
#define FENCE() mem_fence(CLK_GLOBAL_MEM_FENCE)
#define ADD(p, x) (*(volatile global int *)(p) = *(volatile global int *)(p) + (x))
void take(volatile global int *lock)
{
    while (atomic_cmpxchg(lock, 0, 1) != 0)
        ;
}
__attribute__((noinline)) void take_called(volatile global int *lock)
{
    while (atomic_xchg(lock, 1) != 0)
        ;
}
__attribute__((noinline)) void give_called(volatile global int *lock)
{
    FENCE();
    atomic_xchg(lock, 0);
}
'''
# How a lock is taken; how it is given back; both, around the critical section.
BEFORE = ['take({at});', 'take_called({at});',
          'while (atomic_cmpxchg({at}, 0, 1) != 0) ;',
          'again{n}: if (atomic_xchg({at}, 1) != 0) goto again{n};',
          'while (true) {{ if (atomic_cmpxchg({at}, 0, 1) == 0) break; '
          'tries++; }}',
          'do {{ while (*{at} != 0) ; }} while (atomic_xchg({at}, 1) != 0);']
GIVE = ['FENCE(); atomic_xchg({at}, 0);', 'FENCE(); *{at} = 0;',
        'give_called({at});', 'FENCE(); atomic_dec({at});']
AROUND = [('for (bool done = false; !done;) {{ '
           'if (atomic_cmpxchg({at}, 0, 1) == 0) {{', 'done = true; }} }}'),
          ('for (;;) {{ if (atomic_cmpxchg({at}, 0, 1) != 0) continue;',
           'break; }}'),
          ('for (;;) {{ if (atomic_xchg({at}, 1) == 0) {{',
           'break; }} }}')]


class Writer:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.number = 0

    def new(self):
        self.number += 1
        return self.number

    def section(self, first, depth):
        """A critical section of a lock from `first` on: text, and its work."""
        r, k = self.random, self.random.randrange(first, LOCKS)
        table = first == 0 and r.random() < 0.3
        a, b = r.randrange(1, 4), r.randrange(4)
        index = f'((i * {a} + {b}) % {LOCKS})' if table else str(k)
        amount = r.randrange(1, 9)
        texts, works = [f'ADD(sum + {index}, {amount});'], []
        if not table and depth and k + 1 < LOCKS and r.random() < 0.5:
            text, work = self.section(k + 1, depth - 1)
            texts.insert(r.randrange(2), text)
            works.append(work)
        at, n = f'(lock + {index})', self.new()
        give = r.choice(GIVE)
        if r.random() < 0.5:
            front, back = r.choice(BEFORE), ''
        else:
            front, back = r.choice(AROUND)
        text = ' '.join([front.format(at=at, n=n), *texts,
                         give.format(at=at), back.format(at=at)])

        def work(i, sums):
            sums[(i * a + b) % LOCKS if table else k] += amount
            for inner in works:
                inner(i, sums)
        return '{ ' + text + ' }', work

    def statement(self, depth, top):
        r, kind = self.random, self.random.random()
        if not depth or kind < 0.45:
            return self.section(0, 2)
        if top and kind < 0.55:
            return 'barrier(CLK_GLOBAL_MEM_FENCE);', lambda i, sums: None
        m, n = r.randrange(2, 6), self.new()
        text, work = self.block(depth - 1)
        if kind < 0.8:
            which, other = r.randrange(m), self.block(depth - 1)

            def branch(i, sums):
                (work if i % m == which else other[1])(i, sums)
            return f'if (i % {m} == {which}) {text} else {other[0]}', branch

        def loop(i, sums):
            for _ in range(i % m):
                work(i, sums)
        return f'for (int k{n} = 0; k{n} < i % {m}; k{n}++) {text}', loop

    def block(self, depth, top=False):
        made = [self.statement(depth, top)
                for _ in range(self.random.randrange(1, 4 if top else 3))]

        def work(i, sums):
            for _, one in made:
                one(i, sums)
        return '{ ' + '\n    '.join(text for text, _ in made) + ' }', work

    def kernel(self, name):
        text, work = self.block(2, True)
        sums = [0] * LOCKS
        for i in range(ITEMS):
            work(i, sums)
        return f'''
// @kernel {name}
// @grid {ITEMS} @local {ITEMS}
// @inout lock i32 [0] * {LOCKS}
// @inout sum i32 [0] * {LOCKS}
// @expect lock = [0] * {LOCKS}
// @expect sum = {sums}
kernel void
{name}(volatile global int *lock, global int *sum)
{{
    int i = get_global_id(0), tries = 0;
    {text}
}}
'''


def check(options, file):
    common = [options.ventus, file, '--compiler', options.compiler]
    commands = [[HERE / 'run.py', *common, '--lanes', options.lanes,
                 '--settings', options.settings]]
    if options.oracle:
        commands.append([HERE / 'run_pocl.py', *common,
                         '--oracle', options.oracle])
    for command in commands:
        done = subprocess.run([sys.executable, *command], capture_output=True,
                              text=True)
        if done.returncode:
            print(done.stdout + done.stderr)
            return False
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('ventus')
    parser.add_argument('--compiler', required=True)
    parser.add_argument('--oracle')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--count', type=int, default=10)
    parser.add_argument('--lanes', default='4,32,64')
    parser.add_argument('--settings', default='default,o0,v2')
    options = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.seed, options.seed + options.count):
            writer = Writer(seed)
            file = Path(folder) / f'random-locks-{seed}.cl'
            file.write_text(HEAD + ''.join(writer.kernel(f'k{n}')
                                           for n in range(KERNELS)))
            if not check(options, file):
                failed += 1
                shutil.copy(file, '.')
    print(f'{options.count} files of {KERNELS} kernels, {failed} failed')
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
