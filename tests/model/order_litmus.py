#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Litmus tests in OpenCL C, judged by OpenCL's memory model.

usage: order_litmus.py VENTUS COMPILER [--seeds N] [--write PAGE]

--write puts the table into a page like docs/results/memory-model.md.

Threads of MP, SB, LB, WRC, IRIW, CoRR are work-items of different work-groups, on
different SMs, or of one (different warps) for scope work-group and local memory.
A kernel has many instances of a test at once, in its own words; threads wait for
different times, chosen by a seed.  What is not atomic is x of MP and WRC, where the
happens-before of the model has to make it visible.

The judge (`allowed`) knows nothing of the machine: it enumerates all executions of
the few events (what each read reads from, the order of the writes of each object,
the order of the seq_cst operations) and asks the axioms of OpenCL C 3.0, 3.3.4:
coherence, release and acquire, happens-before, one order of seq_cst.  No out-of-
thin-air values are asked for, as in the model itself: LB with relaxed is allowed."""
import argparse
import itertools
import random
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / 'cc'))
import run as kernels

sys.path.append(str(Path(__file__).resolve().parents[2] / 'scripts'))
import results
import tables

INSTANCES = 24          # at once, each in lines of its own
LINE = 64               # words from one object to the next
# W and R: object, register; P: not atomic.
TESTS = {
    'MP': [['Px', 'Wy'], ['Ry', 'Qx']],
    'SB': [['Wx', 'Ry'], ['Wy', 'Rx']],
    'LB': [['Rx', 'Wy'], ['Ry', 'Wx']],
    'WRC': [['Wx'], ['Rx', 'Wy'], ['Ry', 'Rx']],
    'IRIW': [['Wx'], ['Wy'], ['Rx', 'Ry'], ['Ry', 'Rx']],
    'CoRR': [['Wx'], ['Rx', 'Rx']],
}
# An order for reads, one for writes, one for fences between the two operations.
ORDERS = {'relaxed': ('relaxed', 'relaxed', None),
          'acquire/release': ('acquire', 'release', None),
          'seq_cst': ('seq_cst', 'seq_cst', None),
          'fences acq_rel': ('relaxed', 'relaxed', 'acq_rel'),
          'fences seq_cst': ('relaxed', 'relaxed', 'seq_cst')}
PLACES = {'device': ('global', 'device'), 'work_group': ('global', 'work_group'),
          'local': ('local', 'work_group')}


# ---- the judge ----

def closure(n, edges):
    reach = [[(i, j) in edges for j in range(n)] for i in range(n)]
    for k in range(n):
        for i in range(n):
            if reach[i][k]:
                for j in range(n):
                    reach[i][j] |= reach[k][j]
    return reach


def events_of(test, orders):
    """(thread, kind, object, order); fences between the operations."""
    read, write, fence = orders
    events = []
    for t, thread in enumerate(test):
        for i, (kind, obj) in enumerate(thread):
            if i and fence:
                events.append((t, 'F', None, fence))
            plain = kind in 'PQ'
            events.append((t, {'P': 'W', 'Q': 'R'}.get(kind, kind), obj,
                           None if plain else read if kind == 'R' else write))
    return events


def synchronises(events, rf):
    """Release operation or fence -> acquire operation or fence, 3.3.6.2."""
    acquires, releases = ('acquire', 'acq_rel', 'seq_cst'), ('release', 'acq_rel',
                                                              'seq_cst')
    edges = set()
    for r, w in rf.items():
        if w is None or not events[r][3] or not events[w][3]:
            continue
        before = [w] if events[w][3] in releases else []
        before += [f for f in range(w) if events[f][:2] == (events[w][0], 'F')
                   and events[f][3] in releases]
        after = [r] if events[r][3] in acquires else []
        after += [f for f in range(r + 1, len(events))
                  if events[f][:2] == (events[r][0], 'F') and events[f][3] in acquires]
        edges |= set(itertools.product(before, after))
    return edges


def is_consistent(events, rf, mo):
    n = len(events)
    sb = {(i, j) for i in range(n) for j in range(i + 1, n)
          if events[i][0] == events[j][0]}
    hb = closure(n, sb | synchronises(events, rf))
    if any(hb[i][i] for i in range(n)):
        return False

    def place(w):  # in the order of the object's writes; the first value is before
        return -1 if w is None else mo[events[w][2]].index(w)
    for i in range(n):
        for j in range(n):
            if not hb[i][j] or events[i][1] == 'F' or events[i][2] != events[j][2]:
                continue
            a = place(i) if events[i][1] == 'W' else place(rf[i])
            b = place(j) if events[j][1] == 'W' else place(rf[j])
            if b < a or (events[j][1] == 'W' and a == b):
                return False                            # coherence, visibility
    for r, w in rf.items():                             # reads from the future
        if w is not None and hb[r][w]:
            return False
    strict = [i for i in range(n) if events[i][3] == 'seq_cst']
    if not strict:
        return True
    # C11 as mended (P0668): some order of seq_cst contains hb and, between
    # operations and fences, the order of what they read and write.
    eco = set()
    for i in range(n):
        for j in range(n):
            if i == j or 'F' in (events[i][1], events[j][1]) or \
                    events[i][2] != events[j][2]:
                continue
            a = place(i) if events[i][1] == 'W' else place(rf[i])
            b = place(j) if events[j][1] == 'W' else place(rf[j])
            if a < b or (a == b and events[i][1] == 'W' and events[j][1] == 'R'):
                eco.add((i, j))
    eco = closure(n, eco)

    def ends(s, behind):
        """What stands for s: itself, or what is behind or before a fence."""
        if events[s][1] != 'F':
            return [s]
        return [e for e in range(n)
                if (hb[s][e] if behind else hb[e][s]) and events[e][1] != 'F']
    psc = set()
    for s in strict:
        for q in strict:
            if s != q and (hb[s][q] or any(
                    eco[a][b] for a in ends(s, True) for b in ends(q, False)
                    if a != b)):
                psc.add((s, q))
    order = closure(n, {(i, j) for i, j in psc})
    return not any(order[i][i] for i in strict)


def allowed(name, orders):
    """All results that the model lets the test have."""
    events = events_of(TESTS[name], orders)
    reads = [i for i, e in enumerate(events) if e[1] == 'R']
    writes = {o: [i for i, e in enumerate(events) if e[1:3] == ('W', o)] for o in 'xy'}
    results = set()
    for sources in itertools.product(*([None, *writes[events[r][2]]] for r in reads)):
        rf = dict(zip(reads, sources))
        for x in itertools.permutations(writes['x']):
            for y in itertools.permutations(writes['y']):
                if is_consistent(events, rf, {'x': x, 'y': y}):
                    results.add(tuple(int(s is not None) for s in sources))
    return results


def interleaved(name):
    """The results of one memory and one operation after the other."""
    test, results = TESTS[name], set()
    steps = [t for t, ops in enumerate(test) for _ in ops]
    for order in set(itertools.permutations(steps)):
        at, memory, got = [0] * len(test), {'x': 0, 'y': 0}, {}
        for t in order:
            kind, obj = test[t][at[t]]
            if kind in 'WP':
                memory[obj] = 1
            else:
                got[t, at[t]] = memory[obj]
            at[t] += 1
        results.add(tuple(got[k] for k in sorted(got)))
    return results


# ---- the machine ----

def kernel(name, orders, place):
    """A thread is a warp of its own work-group, or of the same one."""
    space, scope = PLACES[place]
    read, write, fence = orders
    body, number = '', 0
    for t, thread in enumerate(TESTS[name]):
        body += f'    if (thread == {t}) {{\n'
        for i, (kind, o) in enumerate(thread):
            if i and fence:
                body += ('        atomic_work_item_fence(CLK_' + space.upper() +
                         f'_MEM_FENCE, memory_order_{fence}, memory_scope_{scope});\n')
            if kind == 'P':
                body += f'        *({space} int *){o} = 1;\n'
            elif kind == 'Q':
                body += f'        r{number} = *({space} int *){o};\n'
            elif kind == 'W':
                body += (f'        atomic_store_explicit({o}, 1, memory_order_{write}, '
                         f'memory_scope_{scope});\n')
            else:
                body += (f'        r{number} = atomic_load_explicit({o}, '
                         f'memory_order_{read}, memory_scope_{scope});\n')
            number += kind in 'RQ'
        body += '    }\n'
    same = place != 'device'
    where = 'group' if same else 'group / threads'
    thread = 'get_local_id(0) / 8' if same else 'group % threads'
    objects = f'memory + {2 * LINE} * instance' if space == 'global' else 'mine'
    saves = ''.join(f'    if (thread == {t}) out[{number} * instance + {n}] = r{n} + old;\n'
                    for n, t in enumerate(t for t, ops in enumerate(TESTS[name])
                                          for k, _ in ops if k in 'RQ'))
    return f'''
kernel void litmus(global atomic_int *memory, global const uint *wait,
                   global int *out)
{{
    const uint threads = {len(TESTS[name])}, group = get_group_id(0);
    uint instance = {where}, thread = {thread};
    local atomic_int mine[{2 * LINE}];
    {space} atomic_int *x = {objects}, *y = x + {LINE};
    int r0 = 0, r1 = 0, r2 = 0, r3 = 0;
    if ({int(space == 'local')} && get_local_id(0) == 0)
        for (uint i = 0; i < {2 * LINE}; i++)
            ((local int *)mine)[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) % 8)
        return;
    uint n = wait[threads * instance + thread];
    // The lines, with old values, are in the cache before; words behind x and
    // y, which stay 0.
    int old = 0;
    if (n & 1)
        old += (({space} int *)x)[1];
    if (n & 2)
        old += (({space} int *)y)[1];
    for (; n; n--)
        mem_fence(CLK_LOCAL_MEM_FENCE); // takes time, moves no data
{body}{saves}}}
'''


def run(options, elf, name, place, seed, folder):
    chance = random.Random(seed)
    threads = len(TESTS[name])
    reads = sum(k in 'RQ' for ops in TESTS[name] for k, _ in ops)
    most = chance.choice([4, 40, 200])
    launch = kernels.Launch('litmus')
    launch.args = [('memory', 'u32', [0] * (2 * LINE * INSTANCES)),
                   ('wait', 'u32', [chance.randrange(most)
                                    for _ in range(INSTANCES * threads)]),
                   ('out', 'i32', [-1] * (INSTANCES * reads))]
    groups, size = (INSTANCES, 8 * threads) if place != 'device' else (
        INSTANCES * threads, 8)
    launch.grid, launch.local = str(groups * size), str(size)
    errors = kernels.run(options.ventus, elf, launch, 8, 'default', folder,
                         ['--model', 'chisel', '--set',
                          f'num_sm={chance.choice([2, 3, 4])}', '--set',
                          f'memory_cycles={chance.choice([3, 20, 60])}', '--set',
                          f'scheduler={chance.choice(["rr", "lrr", "gto"])}'])
    if errors[0].startswith('exec:'):
        sys.exit(errors[0])
    data = (folder / 'out.out').read_bytes()
    words = [int.from_bytes(data[i:i + 4], 'little', signed=True)
             for i in range(0, 4 * INSTANCES * reads, 4)]
    return [tuple(words[i:i + reads]) for i in range(0, len(words), reads)]


def seen(options, name, order, place, folder):
    """The results of all instances and seeds."""
    path = folder / 'litmus.cl'
    path.write_text('// @options -cl-std=CL3.0\n' + kernel(name, ORDERS[order], place))
    elf, message = kernels.compile_file(options, path, 'default', folder)
    if not elf:
        sys.exit(message)
    return [r for seed in range(options.seeds)
            for r in run(options, elf, name, place, seed, folder)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('ventus')
    parser.add_argument('compiler')
    parser.add_argument('--seeds', type=int, default=3)
    parser.add_argument('--write', metavar='PAGE')
    options = parser.parse_args()
    forbidden_seen = weak_tests = 0
    rows = ['| test | order | runs at each place | model forbids | seen of it: '
            'device, work-group, local | weak seen |', '|---|---|---|---|---|---|']
    with tempfile.TemporaryDirectory() as folder:
        for name, order in itertools.product(TESTS, ORDERS):
            may, plain = allowed(name, ORDERS[order]), interleaved(name)
            if not plain <= may:
                sys.exit(f'{name} {order}: the judge forbids {plain - may}')
            n = len(next(iter(may)))
            if name == 'MP' and order == 'relaxed':
                # A race of what is not atomic has no meaning in OpenCL.
                may = set(itertools.product((0, 1), repeat=n))
            bad, weak = [], []
            for place in PLACES:
                got = seen(options, name, order, place, Path(folder))
                bad.append([r for r in got if r not in may])
                weak.append([r for r in got if r in may and r not in plain])
                if bad[-1]:
                    print(f'{name} {order} {place}: {len(bad[-1])} of {len(got)} are '
                          f'forbidden: {sorted(set(bad[-1]))}')
            forbidden_seen += sum(map(len, bad))
            weak_tests += sum(map(bool, weak))
            rows.append(f'| {name} | {order} | {len(got)} | {2 ** n - len(may)} of '
                        f'{2 ** n} | {", ".join(str(len(b)) for b in bad)} | '
                        f'{", ".join(str(len(w)) for w in weak)} |')
    if options.write:
        run = ', '.join(results.of_this_run(options.ventus))
        tables.write('opencl', options.write, '\n'.join([run + ':', '', *rows]))
    print(f'{len(TESTS) * len(ORDERS) * len(PLACES)} tests, {forbidden_seen} forbidden '
          f'outcomes, weak ones in {weak_tests} tests')
    return forbidden_seen != 0


if __name__ == '__main__':
    sys.exit(main())
