#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random control flow with functions of sub-groups, against lanes that meet after each
statement.

    random_subgroups.py VENTUS [--count N] [--seed N]

Each work-item has a number h, which decides its way, and which each function changes: by a
value of all work-items of its sub-group that are there.  The expected numbers come from
the program as a tree: a statement is run by a set of work-items, and those that leave it by
`break`, `continue` or `return` come back at the end of the loop, its body or the function.
"""
import argparse
import random
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

GROUPS = 2
WORD = 2**32 - 1


def mix(h, value):
    return (h * 31 + value) & WORD


# name: OpenCL C of the value, and the value for each of the lanes that are there, in order
FUNCTIONS = [
    ('sub_group_ballot_bit_count(sub_group_ballot(h >> {c} & 1))',
     lambda h, c: [sum(x >> c & 1 for x in h)] * len(h)),
    ('sub_group_non_uniform_reduce_add(h >> {c})',
     lambda h, c: [sum(x >> c for x in h) & WORD] * len(h)),
    ('sub_group_non_uniform_scan_exclusive_add(h >> {c})',
     lambda h, c: [sum(x >> c for x in h[:i]) & WORD for i in range(len(h))]),
    ('sub_group_broadcast_first(h >> {c})', lambda h, c: [h[0] >> c] * len(h)),
    ('((uint)!!sub_group_elect() << {c})',
     lambda h, c: [1 << c] + [0] * (len(h) - 1)),
    ('(uint)!!sub_group_non_uniform_any(h >> {c} & 4)',
     lambda h, c: [int(any(x >> c & 4 for x in h))] * len(h)),
]


class Left:
    """Work-items that left a loop, its body or a function."""

    def __init__(self):
        self.by = {'break': set(), 'continue': set(), 'return': set()}


class Generator:
    """Statements as pairs: text, and a function that runs it for a set of work-items and
    returns those that go on; it takes their numbers and a Left."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.functions = []
        self.names = 0

    def call(self):
        text, values = self.random.choice(FUNCTIONS)
        c = self.random.randrange(20)

        def work(lanes, h, _):
            order = sorted(lanes)
            for lane, value in zip(order, values([h[i] for i in order], c)):
                h[lane] = mix(h[lane], value)
            return lanes
        return 'h = h * 31 + ' + text.format(c=c) + ';', work

    def condition(self):
        c, n = self.random.randrange(2**16), self.random.choice([1, 2, 3, 7])
        return f'((h ^ {c}u) >> 3) % 8 < {n}', lambda h: ((h ^ c) >> 3) % 8 < n

    def branch(self, depth, ways):
        text, holds = self.condition()
        yes, no = self.block(depth, ways), self.block(depth, ways)

        def work(lanes, h, left):
            taken = {i for i in lanes if holds(h[i])}
            return yes[1](taken, h, left) | no[1](lanes - taken, h, left)
        return f'if ({text}) {yes[0]} else {no[0]}', work

    def exit(self, ways):
        text, holds = self.condition()
        way = self.random.choice(ways)

        def work(lanes, h, left):
            gone = {i for i in lanes if holds(h[i])}
            left.by[way] |= gone
            return lanes - gone
        return f'if ({text}) {"return h" if way == "return" else way};', work

    def loop(self, depth, ways):
        most, fixed = self.random.randrange(1, 6), self.random.random() < 0.5
        self.names += 1
        i, n = f'i{self.names}', f'n{self.names}'
        inner = [way for way in ways if way == 'return'] + ['break', 'continue']
        text, body = self.block(depth, inner)
        trips = str(most) if fixed else f'(h >> 9) % {most} + 1'

        def work(lanes, h, left):
            count = {k: most if fixed else (h[k] >> 9) % most + 1 for k in lanes}
            done, at = set(), 0
            while lanes:
                done |= {k for k in lanes if at == count[k]}
                here = Left()
                lanes = body({k for k in lanes if at < count[k]}, h, here)
                lanes |= here.by['continue']
                done |= here.by['break']
                left.by['return'] |= here.by['return']
                at += 1
            return done
        return f'for (uint {i} = 0, {n} = {trips}; {i} < {n}; {i}++) {text}', work

    def switch(self, depth, ways):
        r = self.random
        n = r.randrange(2, 5)
        inner = [way for way in ways if way != 'break']
        cases = [(self.block(depth, inner), r.random() < 0.7)
                 for _ in range(r.randrange(1, n + 1))]
        text = ''.join(f'case {i}: {body[0]} {"break;" if ends else ""}\n'
                       for i, (body, ends) in enumerate(cases))

        def work(lanes, h, left):
            label = {i: (h[i] >> 5) % n for i in lanes}
            done, falls = set(), set()
            for k, (body, ends) in enumerate(cases):
                falls |= {i for i in lanes if label[i] == k}
                falls = body[1](falls, h, left)
                if ends:
                    done, falls = done | falls, set()
            falls |= {i for i in lanes if label[i] >= len(cases)}
            for i in falls:
                h[i] = mix(h[i], 5)
            return done | falls
        return f'switch ((h >> 5) % {n}) {{\n{text}default: h = h * 31 + 5; }}', work

    def function(self, depth):
        text, body = self.block(depth, ['return'])
        name = f'f{len(self.functions)}'
        self.functions.append(
            f'__attribute__((noinline)) uint {name}(uint h) {{ {text} return h; }}')

        def work(lanes, h, _):
            left = Left()
            return body(lanes, h, left) | left.by['return']
        return f'h = {name}(h);', work

    def statement(self, depth, ways):
        x = self.random.random()
        if ways and x < 0.15:
            return self.exit(ways)
        if depth == 0 or x < 0.5:
            return self.call()
        if x < 0.7:
            return self.branch(depth - 1, ways)
        if x < 0.85:
            return self.loop(depth - 1, ways)
        if x < 0.95:
            return self.switch(depth - 1, ways)
        return self.function(depth - 1)

    def block(self, depth, ways):
        made = [self.statement(depth, ways)
                for _ in range(self.random.randrange(1, 4))]

        def work(lanes, h, left):
            for _, one in made:
                lanes = one(lanes, h, left) if lanes else lanes
            return lanes
        return '{\n' + '\n'.join(text for text, _ in made) + '\n}', work

    def program(self):
        made = [self.statement(3, []) for _ in range(4)]
        text = '\n'.join(text for text, _ in made)
        kernel = ('kernel void k(global uint *out)\n{\n'
                  'uint h = get_global_id(0) * 2654435761u;\n'
                  f'{text}\nout[get_global_id(0)] = h;\n}}\n')

        def work(lanes, h):
            for _, one in made:
                one(lanes, h, Left())
        return '\n'.join([*self.functions, kernel]), work


def expected(work, local, warp):
    h = {i: i * 2654435761 & WORD for i in range(GROUPS * local)}
    for group in range(0, GROUPS * local, local):
        for first in range(group, group + local, warp):
            work(set(range(first, min(first + warp, group + local))), h)
    return tuple(h.values())


def run(ventus, source, device, warp, options, local, folder):
    """The numbers, or what went wrong."""
    file, out = folder / 'k.cl', folder / 'out'
    file.write_text(source)
    grid = GROUPS * local
    done = subprocess.run(
        [ventus, 'exec', '--device', device, '--set', f'num_thread={warp}', '-cl-std=CL3.0', *options, file,
         '--grid', str(grid), '--local', str(local), '--arg', f'zeros:{grid}',
         '--dump', f'0={out}'], capture_output=True, text=True)
    if done.returncode:
        return done.stderr or f'exit status {done.returncode}'
    return struct.unpack(f'{grid}I', out.read_bytes())


def check(ventus, seed, folder):
    source, work = Generator(seed).program()
    choose = random.Random(f'machine {seed}')
    warp = choose.choice([4, 8, 32, 64])
    local = choose.choice([1, 3, 16, 20, 33, 64, 70])
    version = choose.choice(['default', 'ventus2'])
    options = choose.choice([[], [], ['-O0'], ['-O1'], ['--check']])
    options += ['-march=ventus2'] if version == 'ventus2' else []
    got = run(ventus, source, version, warp, options, local, folder)
    want = expected(work, local, warp)
    if got == want:
        return True
    print(f'--seed {seed}: {version}, {warp} lanes, workgroups of {local}, {options}')
    if isinstance(got, str):
        print(got)
    else:
        wrong = [i for i in range(len(want)) if got[i] != want[i]]
        print(f'{len(wrong)} of {len(want)} numbers differ, first that of work-item '
              f'{wrong[0]}: {got[wrong[0]]:#x}, expected {want[wrong[0]]:#x}')
    print(source)
    return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('ventus')
    parser.add_argument('--count', type=int, default=40)
    parser.add_argument('--seed', type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        passed = sum(check(options.ventus, seed, Path(folder))
                     for seed in range(options.seed, options.seed + options.count))
    print(f'{passed} of {options.count} programs compute what is expected')
    return passed != options.count


if __name__ == '__main__':
    sys.exit(main())
