#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random kernels with one race, and the same without, under --check=race.

    races.py VENTUS BATCH PROGRAMS [SEED [DEVICE]]

A program is a list of steps that work-groups execute: accesses of arrays in local and
global memory, atomics, locks, flags that are handed over, barriers.  It is drawn without
a race; then one thing is changed: a barrier goes or orders other memory, an index, an
atomic or a lock becomes another or none.  Whether a program has a race is decided here,
by what happens before what according to its steps, apart from the machine: a step is
expanded to the accesses of each work-item, and two accesses of one place race if one
writes, not both are atomic, no lock protects both, and no path of barriers and flags
leads from one to the other.  A kernel without a race may have no finding; of those with
one, 98 of 100 have to have a finding, of local and of global memory each."""
import collections
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

LEAST = 0.98
BATCH = 40  # kernels of a program
WARP = 32
LOCAL, GLOBAL = 'local', 'global'
FLAGS = {(): '0', (LOCAL,): 'CLK_LOCAL_MEM_FENCE',
         (GLOBAL,): 'CLK_GLOBAL_MEM_FENCE',
         (LOCAL, GLOBAL): 'CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE'}
COUNTERS = 4  # of each memory, at the end of array `cells`


class Shape:
    def __init__(self, r):
        self.local = r.choice([16, 32, 64, 64, 96, 128])
        self.groups = r.choice([1, 2, 2, 3])
        self.items = self.local * self.groups


def coprime(r, n):
    while True:
        a = r.randrange(1, n)
        if all(a % p or n % p for p in (2, 3, 5, 7)):
            return a


class Index:
    """(a * l + b) % size: of the work-group, or of all work-items."""

    def __init__(self, a, b, size, whole):
        self.a, self.b, self.size, self.whole = a, b, size, whole

    def of(self, shape, item):
        x = item if self.whole else item % shape.local
        e = (self.a * x + self.b) % self.size
        return e if self.whole else e + item // shape.local * 256

    def text(self, memory):
        e = f'({self.a} * {"i" if self.whole else "l"} + {self.b}) % {self.size}'
        return e if self.whole or memory == LOCAL else f'{e} + 256 * w'


# kind: read, write, add (plain), atomic, load, store (atomic), locked, barrier,
# sub_barrier, send, receive.  guard: (modulus, which) of l, or None.
Step = collections.namedtuple(
    'Step', 'kind memory array index guard flags number')


def draw_index(r, shape, memory, whole=None):
    whole = memory == GLOBAL and r.random() < 0.4 if whole is None else whole
    n = shape.items if whole else shape.local
    return Index(coprime(r, n), r.randrange(n), n, whole)


def draw_guard(r, shape):
    if r.random() < 0.6:
        return None
    m = r.choice([2, 3, 4, shape.local])
    return m, r.randrange(m)


class Drawing:
    def __init__(self, r):
        self.r, self.shape, self.steps = r, Shape(r), []

    def add(self, kind, memory=None, array=None, index=None, guard=None,
            flags=None):
        self.steps.append(Step(kind, memory, array, index, guard, flags,
                               len(self.steps)))

    def access(self):
        """A phase of one array: each element has one writer, who may read it, or only
        readers."""
        r, shape = self.r, self.shape
        memory = r.choice([LOCAL, GLOBAL])
        array = r.choice('abc')
        guard = draw_guard(r, shape)
        index = draw_index(r, shape, memory)
        how = r.random()
        if how < 0.4:
            self.add('write', memory, array, index, guard)
        elif how < 0.55:
            self.add('add', memory, array, index, guard)
        elif how < 0.65:
            self.add('read', memory, array, index, guard)
            self.add('write', memory, array, index, guard)
        else:
            for _ in range(r.randrange(1, 3)):
                index = draw_index(r, shape, memory)
                if r.random() < 0.2:
                    index = Index(0, index.b, index.size, index.whole)
                self.add('read', memory, array, index, draw_guard(r, shape))

    def counter(self):
        r, shape = self.r, self.shape
        memory = r.choice([LOCAL, GLOBAL])
        cell = Index(r.choice([0, 1]), r.randrange(COUNTERS), COUNTERS,
                     memory == GLOBAL)
        kind = r.choice(['atomic', 'atomic', 'load', 'store'])
        self.add(kind, memory, 'cells', cell, draw_guard(r, shape))

    def locked(self):
        r = self.r
        memory = r.choice([LOCAL, GLOBAL])
        guard = (self.shape.local, r.randrange(self.shape.local)) \
            if r.random() < 0.5 else (8, r.randrange(8))
        self.add('locked', memory, 'held', Index(0, 0, 1, memory == GLOBAL),
                 guard)

    def handed(self):
        """The first work-item of a group writes and sends; one of another warp or group
        receives and reads."""
        r, shape = self.r, self.shape
        if any(s.kind == 'send' for s in self.steps):
            return
        if shape.local < 2 * WARP:
            return
        sender, other = 0, r.randrange(WARP, shape.local)
        memory = r.choice([LOCAL, GLOBAL])
        place = Index(0, r.randrange(16), 16, False)
        self.add('write', memory, 'm', place, (shape.local, sender))
        self.add('send', memory, None, None, (shape.local, sender))
        self.add('receive', memory, None, None, (shape.local, other))
        self.add(r.choice(['read', 'write']), memory, 'm', place,
                 (shape.local, other))

    def barrier(self):
        r = self.r
        self.add('barrier', flags=r.choice([(LOCAL,), (GLOBAL,),
                                            (LOCAL, GLOBAL),
                                            (LOCAL, GLOBAL)]))


def draw(r):
    d = Drawing(r)
    for _ in range(r.randrange(3, 8)):
        for _ in range(r.randrange(1, 4)):
            r.choices([d.access, d.counter, d.locked, d.handed],
                      [6, 2, 1, 1])[0]()
        d.barrier()
    return d.shape, d.steps


# ---- what happens before what ----

def takes_part(shape, step, item):
    return not step.guard or item % shape.local % step.guard[0] == step.guard[1]


ACCESSES = {  # (writes, atomic) of each access of a step
    'read': [(False, False)], 'write': [(True, False)],
    'add': [(False, False), (True, False)], 'atomic': [(True, True)],
    'load': [(False, True)], 'store': [(True, True)],
    'locked': [(False, False), (True, False)],
}


def closure(shape, steps, memory):
    """reach[item][k]: the segments (bits) that happen before segment k of an item, which
    ends with its kth step.  Steps are done in their order by all, which is one of the
    orders there are."""
    n = len(steps)
    past = [0] * shape.items  # by item: bits of item * n + step
    reach = [[0] * n for _ in range(shape.items)]
    sent = {}
    for k, step in enumerate(steps):
        teams = []
        if step.kind == 'barrier':
            teams = [range(g * shape.local, (g + 1) * shape.local)
                     for g in range(shape.groups)]
        orders = step.flags and memory in step.flags
        for team in teams:
            if orders:
                together = 0
                for i in team:
                    together |= past[i]
                for i in team:
                    past[i] = together
        for i in range(shape.items):
            if step.kind == 'send' and takes_part(shape, step, i):
                sent[i // shape.local] = past[i]
            if step.kind == 'receive' and takes_part(shape, step, i):
                past[i] |= sent[i // shape.local]
            reach[i][k] = past[i]
            past[i] |= 1 << (i * n + k)
    return reach


def races(shape, steps):
    """The memories in which there is a race."""
    found = set()
    for memory in (LOCAL, GLOBAL):
        reach, n = closure(shape, steps, memory), len(steps)
        places = collections.defaultdict(list)
        for k, step in enumerate(steps):
            if step.memory != memory or step.kind not in ACCESSES:
                continue
            for i in range(shape.items):
                if takes_part(shape, step, i):
                    at = step.array, step.index.of(shape, i)
                    if memory == LOCAL:
                        at += (i // shape.local,)
                    for writes, atomic in ACCESSES[step.kind]:
                        places[at].append((i, k, writes, atomic,
                                           step.kind == 'locked'))
        for all_of in places.values():
            if any(is_race(x, y, reach, n) for p, x in enumerate(all_of)
                   if x[2] for q, y in enumerate(all_of) if q < p or not y[2]):
                found.add(memory)
                break
    return found


def is_race(x, y, reach, n):
    (i, k, _, atomic, locked), (j, m, _, its_atomic, its_locked) = x, y
    if i == j or (atomic and its_atomic) or (locked and its_locked):
        return False
    return not (reach[j][m] >> (i * n + k) & 1 or
                reach[i][k] >> (j * n + m) & 1)


# ---- one change ----

def mutate(r, shape, steps):
    """Another program, and what was changed; None: nothing was."""
    steps = list(steps)
    k = r.randrange(len(steps))
    s = steps[k]
    if s.kind == 'barrier':
        flags = r.choice([None, None, (), (LOCAL,), (GLOBAL,)])
        if flags is None:
            del steps[k]
            return steps, 'no barrier'
        steps[k] = s._replace(flags=flags)
        return steps, 'flags of a barrier'
    if s.kind in ('atomic', 'store', 'load') and r.random() < 0.7:
        steps[k] = s._replace(kind={'atomic': 'add', 'store': 'write',
                                    'load': 'read'}[s.kind])
        return steps, 'no atomic'
    if s.kind == 'locked':
        steps[k] = s._replace(kind='add')
        return steps, 'no lock'
    if s.kind in ('send', 'receive'):
        del steps[k]
        if s.kind == 'send':  # which nobody could wait for then
            steps = [x for x in steps if x.kind != 'receive']
        return steps, 'no flag'
    if s.index and s.kind in ('read', 'write', 'add'):
        i = s.index
        if r.random() < 0.3 and s.guard:
            steps[k] = s._replace(guard=None)
            return steps, 'no guard'
        step = r.choice([1, 1, 2, i.size // 2 + 1])
        steps[k] = s._replace(index=Index(r.choice([i.a, i.a, 0]), i.b + step,
                                          i.size, i.whole))
        return steps, 'index'
    return None


# ---- the kernel ----

def statement(step):
    s, m = step, step.memory
    number = f'{s.number + 1}000 + i'
    if s.kind == 'barrier':
        return f'barrier({FLAGS[s.flags]});'
    if s.kind in ('send', 'receive'):
        flag = 'flag' if m == LOCAL else '(global atomic_int *)&cells[32 + w]'
        flag = '&flag' if m == LOCAL else flag
        scope = 'memory_scope_work_group'
        if s.kind == 'send':
            return (f'atomic_store_explicit({flag}, 1, memory_order_release, '
                    f'{scope});')
        return (f'while (!atomic_load_explicit({flag}, memory_order_acquire, '
                f'{scope})) ;')
    at = s.index.text(m)
    name = f'{m[0]}{s.array}'
    if s.array == 'cells':
        cell = f'(volatile {m} atomic_int *)&{name}[{at}]'
        explicit = 'memory_order_relaxed, memory_scope_device'
        if s.kind == 'atomic':
            return f'atomic_add(&{name}[{at}], 3);'
        if s.kind == 'load':
            return f's += atomic_load_explicit({cell}, {explicit});'
        if s.kind == 'store':
            return f'atomic_store_explicit({cell}, {number}, {explicit});'
    if s.kind == 'locked':
        lock = f'(volatile {m} atomic_int *)&{m[0]}lock'
        if m == GLOBAL:
            lock = '(volatile global atomic_int *)&cells[48]'
        scope = 'memory_scope_device'
        return (f'for (int done = 0; !done;) {{ int e = 0; if (atomic_compare_'
                f'exchange_strong_explicit({lock}, &e, 1, memory_order_acquire, '
                f'memory_order_relaxed, {scope})) {{ {name}[0] = {name}[0] * 3 '
                f'+ i; atomic_store_explicit({lock}, 0, memory_order_release, '
                f'{scope}); done = 1; }} }}')
    return {'read': f's += {name}[{at}];', 'write': f'{name}[{at}] = {number};',
            'add': f'{name}[{at}] += {number};'}[s.kind]


def kernel(name, steps):
    lines = [f'kernel void {name}(global int *g, global int *out, '
             'global int *cells)', '{',
             '    local int la[256], lb[256], lc[256], lm[16];',
             '    local int lcells[4], lheld[1], llock; local atomic_int flag;',
             '    global int *ga = g, *gb = g + 1024, *gc = g + 2048;',
             '    global int *gm = g + 3072, *gcells = cells, *gheld = cells + 40;',
             '    int l = get_local_id(0), i = get_global_id(0), s = 0;',
             '    int w = get_group_id(0);',
             '    for (int k = l; k < 256; k += get_local_size(0))',
             '        la[k] = lb[k] = lc[k] = k;',
             '    if (l < 16) lm[l] = 0;',
             '    if (l < 4) lcells[l] = 0;',
             '    if (l == 0) { lheld[0] = llock = 0; atomic_init(&flag, 0); }',
             '    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);']
    for step in steps:
        text = statement(step)
        if step.guard:
            text = f'if (l % {step.guard[0]} == {step.guard[1]}) {{ {text} }}'
        lines.append('    ' + text)
    return '\n'.join(lines + ['    out[i] = s;', '}', ''])


# ---- the run ----

def run(ventus, batch, device, programs):
    """Names of the kernels with a finding, from names, shapes and steps."""
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        text = '\n'.join(kernel(n, steps) for n, _, steps in programs)
        (folder / 'k.cl').write_text(text, encoding='utf-8')
        (folder / 'sizes').write_text(''.join(
            f'{n} {s.items} {s.local}\n' for n, s, _ in programs),
            encoding='utf-8')
        p = subprocess.run(
            [ventus, 'run', '--check=race', '--device', device,
             '--check-json', folder / 'found', '--', batch, folder / 'k.cl',
             folder / 'sizes'], capture_output=True, text=True, check=False)
        if p.returncode not in (0, 1) or 'batch:' in p.stderr:
            sys.exit(f'{p.stdout[-3000:]}{p.stderr[-3000:]}\n{text}')
        found = json.loads((folder / 'found').read_text(encoding='utf-8'))
        return {f['kernel'] for f in found['list']}


def draw_pairs(r, n):
    """(shape, steps without a race, the same with one, its memories, the change)"""
    while n:
        shape, steps = draw(r)
        if races(shape, steps):
            continue
        for _ in range(20):
            changed = mutate(r, shape, steps)
            where = changed and races(shape, changed[0])
            if where:
                yield shape, steps, changed[0], where, changed[1]
                n -= 1
                break


def main():
    ventus, batch, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    device = sys.argv[5] if len(sys.argv) > 5 else 'default'
    r = random.Random(seed)
    pairs = list(draw_pairs(r, count))
    seen, all_of, bad = collections.Counter(), collections.Counter(), []
    ways = collections.Counter()
    for at in range(0, count, BATCH // 2):
        some = list(enumerate(pairs[at:at + BATCH // 2], at))
        found = run(ventus, batch, device,
                    [(f'right{k}', p[0], p[1]) for k, p in some] +
                    [(f'wrong{k}', p[0], p[2]) for k, p in some])
        for k, (_, right, wrong, where, way) in some:
            if f'right{k}' in found:
                bad.append(f'a false alarm, seed {seed}:\n'
                           f'{kernel(f"right{k}", right)}')
            memory = LOCAL if where == {LOCAL} else GLOBAL
            all_of[memory] += 1
            seen[memory] += f'wrong{k}' in found
            if f'wrong{k}' not in found:
                ways[memory, way] += 1
                print(f'missed: {way}, {memory}, seed {seed}\n'
                      f'{kernel(f"wrong{k}", wrong)}')
    for memory in sorted(all_of):
        print(f'{memory}: {seen[memory]} of {all_of[memory]} races found')
        if seen[memory] < LEAST * all_of[memory] - 1:
            bad.append(f'too few in {memory} memory: {dict(ways)}')
    print(f'{count} programs without a race: '
          f'{sum("false" in b for b in bad)} false alarms; missed: {dict(ways)}')
    sys.exit('\n'.join(bad) or 0)


if __name__ == '__main__':
    main()
