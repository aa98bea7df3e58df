#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Functions of sub-groups against what the specification says in words.

    subgroups.py VENTUS --compiler CC_COMPILE [--types T,...] [--lanes N,...]
                 [--settings S,...] [--local SIZE] [--more OPTIONS]
                 [--required SIZE]

A kernel for each type calls every function, and those of workgroups: where all work-items are, then where some
have left a branch, or are in either side of it.  The last sub-group of a workgroup is
partial, and the last workgroup is smaller.  With --required the kernel requires a size of
sub-groups, which are parts of a warp of as many or more lanes.  Expected values are computed here with loops
over the members of a sub-group; what the specification leaves undefined is not compared.
"""
import argparse
import math
import random
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

from run import SETTINGS

FORMATS = {'char': 'b', 'uchar': 'B', 'short': 'h', 'ushort': 'H', 'int': 'i',
           'uint': 'I', 'long': 'q', 'ulong': 'Q', 'float': 'f', 'double': 'd',
           'half': 'e'}
REALS = 'half', 'float', 'double'
GRID = 150
SENTINEL = 77


def wrap(kind, x):
    if kind in REALS:
        return float(x)
    bits = 8 * struct.calcsize(FORMATS[kind])
    x &= (1 << bits) - 1
    return x - (1 << bits) if kind[0] != 'u' and x >> (bits - 1) else x


def limits(kind):
    """The identities of max and min."""
    if kind in REALS:
        return -math.inf, math.inf
    bits = 8 * struct.calcsize(FORMATS[kind])
    return (0, 2**bits - 1) if kind[0] == 'u' else (-2**(bits - 1),
                                                    2**(bits - 1) - 1)


def operations(kind):
    """name: function of two values, identity."""
    least, most = limits(kind)
    both = {'add': (lambda a, b: a + b, 0), 'mul': (lambda a, b: a * b, 1),
            'min': (min, most), 'max': (max, least)}
    if kind not in REALS:
        both.update({'and': (lambda a, b: a & b, -1), 'or': (lambda a, b: a | b, 0),
                     'xor': (lambda a, b: a ^ b, 0)})
    return both


def fold(kind, name, values):
    function, result = operations(kind)[name]
    for value in values:
        result = function(result, value)
    return wrap(kind, result)


def fold_truth(name, values):
    truths = [bool(x) for x in values]
    return int(all(truths) if name == 'and' else any(truths) if name == 'or'
               else sum(truths) % 2)


class Group:
    """A sub-group at a call: numbers of its work-items by lane, the active ones."""

    def __init__(self, first, size, width, active):
        self.first, self.size, self.width = first, size, width
        self.active = [k for k in range(size) if active(first + k)]

    def at(self, values, lane):
        """The value of a lane; None: undefined."""
        return values[self.first + lane] if lane in self.active else None

    def of(self, values, lanes):
        return [values[self.first + k] for k in lanes]

    def bits(self, lanes):
        mask = sum(1 << k for k in lanes)
        return [mask >> 32 * k & 0xffffffff for k in range(4)]


def groups(width, local, active):
    for start in range(0, GRID, local):
        items = min(local, GRID - start)
        for first in range(0, items, width):
            yield Group(start + first, min(width, items - first), width, active)


class Case:
    """`text` gives `count` results of type `kind`; expect(group, lane) the same."""

    def __init__(self, text, kind, expect, count=1):
        self.text, self.kind, self.expect, self.count = text, kind, expect, count


def shuffles(kind, x, index, delta):
    """What need not be met by all."""
    def case(call, expect):
        return Case(f'sub_group_{call}', kind, expect)
    yield case('shuffle(x[i], at[i])',
               lambda g, k: g.at(x, index[g.first + k] % g.width))
    yield case('shuffle(x[i], 2)', lambda g, k: g.at(x, 2))
    yield case('shuffle_xor(x[i], at[i])',
               lambda g, k: g.at(x, k ^ (index[g.first + k] % g.width)))
    yield case('shuffle_xor(x[i], 1)', lambda g, k: g.at(x, k ^ 1))
    yield case('shuffle_up(x[i], at[i])',
               lambda g, k: g.at(x, k - index[g.first + k] % g.width))
    yield case('shuffle_down(x[i], at[i])',
               lambda g, k: g.at(x, k + index[g.first + k] % g.width))
    yield case('rotate(x[i], delta)', lambda g, k: g.at(x, (k + delta) % g.width))
    for size in 1, 2, 4:
        yield case(f'clustered_rotate(x[i], delta, {size})',
                   lambda g, k, s=size: g.at(x, k // s * s + (k + delta) % s))
    yield case('non_uniform_broadcast(x[i], 3)', lambda g, k: g.at(x, 3))
    yield case('broadcast_first(x[i])', lambda g, k: g.at(x, g.active[0]))


def wide(kind, x):
    """Vectors, of each width, and in both functions."""
    for n in 2, 3, 4, 8, 16:
        for name in 'broadcast', 'non_uniform_broadcast':
            values = ', '.join(f'x[(i + {j}) % {GRID}]' for j in range(n))
            yield Case(f'sub_group_{name}(({kind}{n})({values}), 1)', kind,
                       lambda g, k, n=n: [
                           None if 1 not in g.active else
                           x[(g.first + 1 + j) % GRID] for j in range(n)], n)


def reductions(kind, x, y, prefix=''):
    """Of the active ones; y is for products."""
    for name in operations(kind):
        v, w = ('y[i]', y) if name == 'mul' else ('x[i]', x)
        if not prefix and name not in ('add', 'min', 'max'):
            continue
        def case(call, choose, v=v, w=w, name=name):
            return Case(f'sub_group_{prefix}{call}_{name}({v})', kind,
                        lambda g, k: fold(kind, name, g.of(w, [
                            j for j in g.active if choose(j, k)])))
        yield case('reduce', lambda j, k: True)
        yield case('scan_inclusive', lambda j, k: j <= k)
        yield case('scan_exclusive', lambda j, k: j < k)
        for size in (1, 2, 4) if prefix else ():
            yield Case(f'sub_group_clustered_reduce_{name}({v}, {size})', kind,
                       lambda g, k, s=size, w=w, name=name: fold(kind, name, g.of(
                           w, [j for j in g.active if j // s == k // s])))


def logical(index):
    odd = [v & 1 for v in index]
    for name in 'and', 'or', 'xor':
        def case(call, choose, more='', name=name):
            return Case(f'sub_group_{call}_logical_{name}((at[i] & 1) * 6{more})',
                        'int', lambda g, k: fold_truth(name, g.of(odd, [
                            j for j in g.active if choose(j, k)])))
        yield case('non_uniform_reduce', lambda j, k: True)
        yield case('non_uniform_scan_inclusive', lambda j, k: j <= k)
        yield case('non_uniform_scan_exclusive', lambda j, k: j < k)
        yield case('clustered_reduce', lambda j, k: j // 4 == k // 4, ', 4')


def ballots(index):
    """Votes and ballots; bits are those of 128 numbers."""
    def odd(g):
        return [k for k in g.active if index[g.first + k] & 1]

    def all_ones(g):
        return range(g.width)
    ballot = 'sub_group_ballot(at[i] & 1)'
    yield Case(ballot, 'uint', lambda g, k: g.bits(odd(g)), 4)
    yield Case('sub_group_elect()', 'bool', lambda g, k: k == g.active[0])
    yield Case('sub_group_non_uniform_any(wide[i] % 16 == 3)', 'bool', lambda g, k: any(
        index[g.first + j] % 16 == 3 for j in g.active))
    yield Case('sub_group_non_uniform_all(wide[i] % 16 != 3)', 'bool', lambda g, k: all(
        index[g.first + j] % 16 != 3 for j in g.active))
    for name, holds in (('eq', lambda j, k: j == k), ('ge', lambda j, k: j >= k),
                        ('gt', lambda j, k: j > k), ('le', lambda j, k: j <= k),
                        ('lt', lambda j, k: j < k)):
        yield Case(f'get_sub_group_{name}_mask()', 'uint', lambda g, k, h=holds:
                   g.bits([j for j in all_ones(g) if h(j, k)]), 4)
    yield Case(f'sub_group_inverse_ballot({ballot})', 'bool',
               lambda g, k: k in odd(g))
    yield Case(f'sub_group_ballot_bit_extract({ballot}, 2)', 'bool',
               lambda g, k: 2 in odd(g) if g.size > 2 else None)
    yield Case(f'sub_group_ballot_bit_count({ballot})', 'uint',
               lambda g, k: len(odd(g)))
    yield Case('sub_group_ballot_bit_count((uint4)(~0))', 'uint',
               lambda g, k: g.width)
    yield Case(f'sub_group_ballot_inclusive_scan({ballot})', 'uint',
               lambda g, k: sum(j <= k for j in odd(g)))
    yield Case(f'sub_group_ballot_exclusive_scan({ballot})', 'uint',
               lambda g, k: sum(j < k for j in odd(g)))
    yield Case(f'sub_group_ballot_find_lsb({ballot})', 'uint',
               lambda g, k: min(odd(g), default=None))
    yield Case(f'sub_group_ballot_find_msb({ballot})', 'uint',
               lambda g, k: max(odd(g), default=None))
    yield Case('sub_group_ballot_find_msb((uint4)(~0))', 'uint',
               lambda g, k: g.width - 1)


def numbers(local, index):
    """Numbers of sub-groups and lanes, and blocks of words that a sub-group reads."""
    def items(g):
        return min(local, GRID - g.first // local * local)
    for name, expect in (
            ('max_sub_group_size', lambda g, k: g.width),
            ('sub_group_size', lambda g, k: g.size),
            ('sub_group_local_id', lambda g, k: k),
            ('sub_group_id', lambda g, k: g.first % local // g.width),
            ('num_sub_groups', lambda g, k: -(-items(g) // g.width)),
            ('enqueued_num_sub_groups', lambda g, k: -(-local // g.width))):
        yield Case(f'get_{name}()', 'uint', expect)
    yield Case('lane_by_call()', 'uint', lambda g, k: k)
    yield Case('intel_sub_group_block_read2(wide)', 'uint',
               lambda g, k: [index[k], index[k + g.width]], 2)


def work_groups(kind, x, y, local):
    """Reductions and scans of whole workgroups, by the numbers of their work-items."""
    if kind not in (*REALS, 'int', 'uint', 'long', 'ulong'):
        return
    def members(g, k, choose):
        start = g.first // local * local
        return [i for i in range(start, min(start + local, GRID))
                if choose(i, g.first + k)]
    for name in operations(kind):
        v, w = ('y[i]', y) if name == 'mul' else ('x[i]', x)
        for call, choose in (('reduce', lambda i, me: True),
                             ('scan_inclusive', lambda i, me: i <= me),
                             ('scan_exclusive', lambda i, me: i < me)):
            yield Case(f'work_group_{call}_{name}({v})', kind,
                       lambda g, k, c=choose, w=w, name=name: fold(
                           kind, name, [w[i] for i in members(g, k, c)]))
            if kind == 'int' and name in ('and', 'or', 'xor'):
                yield Case(f'work_group_{call}_logical_{name}((x[i] & 1) * 6)', 'int',
                           lambda g, k, c=choose, name=name: fold_truth(
                               name, [x[i] & 1 for i in members(g, k, c)]))


def equals(kind, x):
    yield Case('sub_group_non_uniform_all_equal(x[i])', 'bool', lambda g, k: len(
        set(g.of(x, g.active))) == 1)
    yield Case('sub_group_non_uniform_all_equal(x[0])', 'bool', lambda g, k: True)


def intel(kind, x, y, index):
    """Of cl_intel_subgroups."""
    if kind not in ('float', 'int', 'uint', 'long', 'ulong', 'half', 'double'):
        return
    def case(call, expect):
        return Case(f'intel_sub_group_shuffle{call}', kind, expect)
    yield case('(x[i], at[i])', lambda g, k: g.at(x, index[g.first + k] % g.width))
    yield case('_xor(x[i], 1)', lambda g, k: g.at(x, k ^ 1))
    def down(g, k):
        at = k + index[g.first + k] % g.width
        return g.at(x, at) if at < g.width else g.at(y, at - g.width)
    def up(g, k):
        at = k - index[g.first + k] % g.width
        return g.at(x, at) if at >= 0 else g.at(y, at + g.width)
    yield case('_down(x[i], y[i], at[i])', down)
    yield case('_up(y[i], x[i], at[i])', up)


class Test:
    def __init__(self, kind, local, required=0):
        r = random.Random(kind)
        least, most = limits(kind)
        real = kind in REALS
        self.kind, self.width, self.local = kind, 0, local
        self.required = required
        self.x = [float(r.randint(-8, 8)) if real else r.randint(least, most)
                  for _ in range(GRID)]
        self.y = [r.choice([1.0, -1.0] + [1.0, 2.0] * (i % 8 == 0)) if real else
                  r.randint(least, most) for i in range(GRID)]
        # Numbers of lanes of any width, which the kernel reduces to its own.
        self.at = [r.randint(0, 2**20 - 1) for _ in range(GRID)]
        self.delta = 3
        x, y, at = self.x, self.y, self.at
        self.everywhere = [
            *shuffles(kind, x, at, self.delta), *reductions(kind, x, y, 'non_uniform_'),
            *equals(kind, x), *wide(kind, x)]
        self.numbers = [*numbers(local, at)] if kind == 'int' else []
        if kind == 'int':
            self.everywhere += [*ballots(at), *logical(at)]
        self.uniform = [
            Case('sub_group_broadcast(x[i], 1)', kind, lambda g, k: g.at(x, 1)),
            *reductions(kind, x, y), *intel(kind, x, y, at), *self.numbers,
            *work_groups(kind, x, y, local),
            Case('sub_group_any(wide[i] % 16 == 3)', 'bool', lambda g, k: any(
                v % 16 == 3 for v in g.of(at, g.active))),
            Case('sub_group_all(wide[i] % 16 != 3)', 'bool', lambda g, k: all(
                v % 16 != 3 for v in g.of(at, g.active)))]

    def source(self):
        """Results of case c, component j of work-item i: (places[c] + j) * GRID + i."""
        lines, self.places = [], []
        place = 0
        def write(case, place):
            text = case.text.replace('at[i]', 'lane_of[i]')
            if case.count == 1:
                name = 'b' if case.kind != self.kind else 'o'
                test = f'({text}) != 0' if case.kind == 'bool' else text
                return f'{name}[{place} * N + i] = {test};'
            name = 'b' if case.kind != self.kind else 'o'
            parts = ' '.join(
                f'{name}[{place + j} * N + i] = r.s{j:x};'
                for j in range(case.count))
            return f'{{ {case.kind}{case.count} r = {text}; {parts} }}'
        body = {}
        for label, cases in (('uniform', self.uniform + self.everywhere),
                             ('some', self.everywhere), ('sides', self.everywhere)):
            body[label] = []
            for case in cases:
                body[label].append(write(case, place))
                self.places.append((label, case, place))
                place += case.count
        self.rows = place
        required = (f'__attribute__((intel_reqd_sub_group_size({self.required})))\n'
                    if self.required else '')
        # Code of both sides of a branch is alike but for the place.
        sides = '\n    '.join(body['sides'])
        text = f'''#pragma OPENCL EXTENSION cl_khr_fp16 : enable
enum {{ N = {GRID} }};
__attribute__((noinline)) uint lane_by_call(void) {{ return get_sub_group_local_id(); }}
{required}kernel void
k(global const {self.kind} *x, global const {self.kind} *y, global const uint *wide,
  global uint *lane_of, global {self.kind} *o, global uint *b, int delta)
{{
    uint i = get_global_id(0);
    lane_of[i] = wide[i] % get_max_sub_group_size();
    {(chr(10) + '    ').join(body['uniform'])}
    if (wide[i] % 3 != 0) {{
        {(chr(10) + '        ').join(body['some'])}
    }}
    if (wide[i] % 2 == 0) {{
    {sides}
    }} else {{
    {sides}
    }}
}}
'''
        return text

    def check(self, o, b):
        where = {'uniform': [lambda i: True],
                 'some': [lambda i: self.at[i] % 3 != 0],
                 'sides': [lambda i: self.at[i] % 2 == 0,
                           lambda i: self.at[i] % 2 != 0]}
        for label, case, place in self.places:
            got = b if case.kind != self.kind else o
            for active in where[label]:
                for g in groups(self.width, self.local, active):
                    for k in g.active:
                        want = case.expect(g, k)
                        want = want if case.count > 1 else [want]
                        for j, value in enumerate(want):
                            found = got[(place + j) * GRID + g.first + k]
                            if value is not None and found != value:
                                yield (f'{case.text}, {label}, work-item {g.first + k},'
                                       f' lane {k} of {g.active}: {found}, expected '
                                       f'{value}')
                                break
            for i in range(GRID) if label == 'some' else ():
                if self.at[i] % 3 == 0 and got[place * GRID + i] != SENTINEL:
                    yield f'{case.text}: work-item {i} was not there, and wrote'


def run(options, test, setting, folder):
    """The lanes of the machine are known to no compiler: one program for all widths."""
    cl, code, elf = folder / 'k.cl', folder / 'k.o', folder / 'k.elf'
    cl.write_text(test.source(), encoding='utf-8')
    for command in ([options.compiler, *SETTINGS[setting].split(), '-cl-std=CL3.0', '-o',
                     code, cl], [options.ventus, 'link', '-o', elf, code]):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            return [done.stderr]
    sentinel = [SENTINEL] * (test.rows * GRID)
    buffers = [(test.kind, test.x), (test.kind, test.y), ('uint', test.at),
               ('uint', [0] * GRID), (test.kind, sentinel), ('uint', sentinel)]
    errors = []
    for width in map(int, options.lanes.split(',')):
        test.width = test.required or width
        command = [options.ventus, 'exec', elf, 'k', '--grid', str(GRID), '--local',
                   str(test.local), '--lanes', str(width), '--limit', '100000000',
                   *options.more.split()]
        for number, (kind, values) in enumerate(buffers):
            path = folder / f'{number}.bin'
            path.write_bytes(struct.pack(f'<{len(values)}{FORMATS[kind]}', *values))
            command += ['--arg', f'buf:{path}']
            if number >= 4:
                command += ['--dump', f'{number}={folder}/{number}.out']
        done = subprocess.run([*command, '--arg', f'i32:{test.delta}'],
                              capture_output=True, text=True)
        if done.returncode:
            errors.append((done.stderr or done.stdout).strip())
            continue
        got = []
        for number in 4, 5:
            kind, values = buffers[number]
            data = (folder / f'{number}.out').read_bytes()
            form = f'<{len(values)}{FORMATS[kind]}'
            got.append(struct.unpack(form, data[:struct.calcsize(form)]))
        errors += [f'{width} lanes: {e}' for e in test.check(*got)]
    return errors


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('ventus')
    parser.add_argument('--compiler', required=True)
    parser.add_argument('--types', default=','.join(FORMATS))
    parser.add_argument('--lanes', default='4,8,16,32,64')
    parser.add_argument('--settings', default='default,v2')
    parser.add_argument('--local', type=int, default=66)
    parser.add_argument('--required', type=int, default=0)
    parser.add_argument('--more', default='', help='options of ventus exec')
    options = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for kind in options.types.split(','):
            for setting in options.settings.split(','):
                test = Test(kind, options.local, options.required)
                errors = run(options, test, setting, Path(folder))
                failed += bool(errors)
                print(f'{kind} [{setting}]: {len(test.places)} cases, '
                      f'{len(errors)} errors')
                for error in errors[:10]:
                    print(f'    {error}')
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
