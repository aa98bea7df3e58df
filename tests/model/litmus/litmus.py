#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Litmus tests on the cycle-level machine with coherence = rcc.

    litmus.py RUN [--seeds N] [--first S] [--every K] [--beyond K] [--names A B..]
              [--weak N] [--write PAGE]
    litmus.py --show NAME

RUN is the program model_litmus_run.  Every K-th test of verdicts.txt is run (1:
all), and every K-th of those that cycle.py makes of two threads beyond it; or
those that are named.  Each runs in two forms and three placements (program.py,
run.c) under N seeds.  It fails

  * if RVWMO as rvwmo.py states it allows other final states than verdicts.txt
  * if a run ends in a state that RVWMO does not allow
  * if fewer than N tests (--weak) end in one that sequential consistency does
    not allow, though RVWMO does

--write puts the counts into a page like docs/results/memory-model.md.
"""
import argparse
import collections
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cycle
import program
import rvwmo

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, '..'), os.path.join(HERE, '../../../scripts')]
import results  # pylint: disable=wrong-import-position
import tables  # pylint: disable=wrong-import-position

PLACEMENTS = {'one': 'all threads on one SM',
              'across': 'an SM for each thread',
              'mixed': 'two SMs, two warps each'}
TWO_THREADS = ['LB', 'MP', 'S', 'R', 'SB', '2+2W']


def read_verdicts():
    """By name: whether its condition may hold, columns, states."""
    verdicts = {}
    with open(os.path.join(HERE, 'verdicts.txt'), encoding='ascii') as f:
        for line in f:
            if not line.startswith('#'):
                name, often, columns, *states = line.split()
                verdicts[name] = (often == 'Sometimes', columns.split(','),
                                  set(states))
    return verdicts


def digits(states):
    return {''.join(map(str, s)) for s in states}


class Judged:
    """A test and the states that it may end in."""

    def __init__(self, name):
        self.test = cycle.Test(name)
        self.columns = [f'{t}:{n}' for t, n in sorted(self.test.registers)] + \
            sorted(self.test.writes)
        self.allowed = digits(rvwmo.states(self.test))
        self.weak = self.allowed - digits(rvwmo.states(self.test, True))
        self.seen = collections.defaultdict(collections.Counter)

    def differs(self, verdict):
        """How rvwmo.py and the table differ; None: not."""
        may, columns, states = verdict
        at = [self.columns.index(c) for c in columns]
        mine = {''.join(s[i] for i in at) for s in self.allowed}
        if mine != states:
            return f'{sorted(mine)}, the table has {sorted(states)}'
        witness = {(f'{k[0]}:{k[1]}' if isinstance(k, tuple) else k): str(v)
                   for k, v in self.test.weak.items()}
        holds = any(all(s[self.columns.index(c)] == v
                        for c, v in witness.items()) for s in self.allowed)
        # Conditions of tests of coherence are about all states at once.
        if len(self.test.writes) > 1 and holds != may:
            return f'the cycle is {"allowed" if holds else "forbidden"}'
        return None

    def forbidden(self):
        return {(key, s): n for key, states in self.seen.items()
                for s, n in states.items() if s not in self.allowed}


def choose(args, verdicts):
    if args.names:
        return args.names
    names = sorted(verdicts)[::args.every] if args.every else []
    if args.beyond:
        more = [n for f in TWO_THREADS for amos in (False, True)
                for n in cycle.enumerate_names(f, amos) if n not in verdicts]
        names += more[::args.beyond]
    return names


def run_all(run, tests, seeds, first):
    """Counts what was seen, on all processors."""
    names = list(tests)
    parts = [names[i::32] for i in range(32)]

    def one(part):
        text = ''.join(program.write(tests[n].test, lanes)
                       for n in part for lanes in (False, True))
        done = subprocess.run([run, str(seeds), str(first)], input=text,
                              stdout=subprocess.PIPE, check=True, text=True)
        return done.stdout.splitlines()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for lines in pool.map(one, [p for p in parts if p]):
            for line in lines:
                name, form, placement, *states = line.split()
                for s in states:
                    state, count = s.split(':')
                    tests[name].seen[form, placement][state] += int(count)


def table(tests, verdicts, args):
    """What docs/results/memory-model.md shows."""
    def row(*cells):
        return '| ' + ' | '.join(str(c) for c in cells) + ' |'
    weak = [t for t in tests.values() if t.weak]
    lines = [row('form', 'placement', 'tests', 'seeds', 'final states counted',
                 'forbidden ones seen', 'tests that may be weak',
                 'of them seen weak'), row(*['---'] * 8)]
    for form in ('scalar', 'lanes'):
        for placement, words in PLACEMENTS.items():
            key = (form, placement)
            lines.append(row(
                form, words, len(tests), args.seeds,
                sum(sum(t.seen[key].values()) for t in tests.values()),
                sum(n for t in tests.values()
                    for (k, _), n in t.forbidden().items() if k == key),
                len(weak), sum(bool(t.weak & set(t.seen[key]))
                               for t in weak)))
    seen = {n for n, t in tests.items()
            if any(t.weak & set(s) for s in t.seen.values())}
    lines += ['', row('family', 'tests', 'may be weak', 'seen weak'),
              row(*['---'] * 4)]
    for family in cycle.FAMILIES:
        of = [n for n, t in tests.items() if t.test.family == family]
        if of:
            lines.append(row(family, len(of),
                             sum(bool(tests[n].weak) for n in of),
                             sum(n in seen for n in of)))
    lines.append(row('all', len(tests), len(weak), len(seen)))
    known = sum(n in verdicts for n in tests)
    lines += ['', f'{known} of the tests are in verdicts.txt, '
              f'{len(tests) - known} are not.']
    return lines, len(seen)


def show(name):
    test = Judged(name)
    print(program.write(test.test, False), end='')
    print('states of', ' '.join(test.columns))
    for s in sorted(test.allowed):
        print(s, 'weak' if s in test.weak else '')


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('run', nargs='?')
    parser.add_argument('--seeds', type=int, default=20)
    parser.add_argument('--first', type=int, default=0)
    parser.add_argument('--every', type=int, default=1)
    parser.add_argument('--beyond', type=int, default=0)
    parser.add_argument('--names', nargs='+')
    parser.add_argument('--weak', type=int, default=0)
    parser.add_argument('--write', metavar='PAGE')
    parser.add_argument('--show')
    args = parser.parse_args()
    if args.show:
        show(args.show)
        return 0
    if not args.run:
        parser.error('expected the program model_litmus_run')
    verdicts = read_verdicts()
    tests = {n: Judged(n) for n in choose(args, verdicts)}
    wrong = 0
    for n, t in tests.items():
        differs = t.differs(verdicts[n]) if n in verdicts else None
        if differs:
            print(f'{n}: rvwmo.py: {differs}', file=sys.stderr)
            wrong += 1
    run_all(args.run, tests, args.seeds, args.first)
    for n, t in tests.items():
        for ((form, placement), s), count in sorted(t.forbidden().items()):
            wrong += 1
            print(f'{n}: {form}, {PLACEMENTS[placement]}: '
                  f'{" ".join(map("=".join, zip(t.columns, s)))} is forbidden, '
                  f'seen {count} times', file=sys.stderr)
    lines, weak = table(tests, verdicts, args)
    print('\n'.join(lines))
    if args.write:
        run = results.of_this_run(Path(args.run).resolve().parents[2] / 'bin/ventus')
        tables.write('litmus', args.write, '\n'.join([', '.join(run) + ':', '', *lines]))
    if weak < args.weak:
        print(f'{weak} tests were seen weak, expected {args.weak}',
              file=sys.stderr)
    return 1 if wrong or weak < args.weak else 0


if __name__ == '__main__':
    sys.exit(main())
