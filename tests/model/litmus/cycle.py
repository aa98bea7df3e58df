# SPDX-License-Identifier: Apache-2.0
"""Critical cycles, and the programs that they are the tests of.

A test is a cycle of edges between memory events (Alglave, Maranget, Tautschnig:
Herding Cats, section 3).  Edges within a thread are program order: `po`, a
fence, an `addr`, `data` or `ctrl` dependency, or reads-from, from-reads and
coherence on the way (`rfi`, `fri`, `wsi`).  Edges from one thread to the next
are reads-from (Rf), from-reads (Fr) and coherence (Ws).  What a machine must not
show is that all edges of a cycle point forwards in time, if enough of them are
kept in order.

The name of a test says which cycle it is, as the RISC-V litmus suite has it: a
family, the shape of the threads, and the edges of each thread that has any:

    MP+fence.rw.rw+addr      two stores with a fence, two loads with an address
    LB+ctrls                 the same edge in all threads
    CoRR+posxp, RWC+poss+X   an s behind an edge: to the same location; letters
                             behind it: its ends are plain (p) or LR/SC pairs (x)
    MP+poprl+poaqp+NEW       or AMOs with .aq, .rl and both (ar)
"""
import re

# Threads by what they do first and last, and the edge to the next one.
FAMILIES = {
    'LB': 'RW Rf RW Rf', 'MP': 'WW Rf RR Fr', 'S': 'WW Rf RW Ws',
    'R': 'WW Ws WR Fr', 'SB': 'WR Fr WR Fr', '2+2W': 'WW Ws WW Ws',
    'CoRR': 'W Rf RR Fr', 'CoRW1': 'RW Rf', 'CoRW2': 'W Rf RW Ws',
    'CoWR0': 'WR Fr', 'CoWW': 'WW Ws',
    'WRC': 'W Rf RW Rf RR Fr', 'RWC': 'W Rf RR Fr WR Fr',
    'WWC': 'W Rf RW Rf RW Ws', 'WRW+WR': 'W Rf RW Ws WR Fr',
    'WRR+2W': 'W Rf RR Fr WW Ws', 'WRW+2W': 'W Rf RW Ws WW Ws',
    'ISA2': 'WW Rf RW Rf RR Fr', 'W+RWC': 'WW Rf RR Fr WR Fr',
    '3.LB': 'RW Rf RW Rf RW Rf', '3.SB': 'WR Fr WR Fr WR Fr',
    '3.2W': 'WW Ws WW Ws WW Ws', 'Z6.0': 'WW Rf RW Ws WR Fr',
    'Z6.1': 'WW Ws WW Rf RW Ws', 'Z6.2': 'WW Rf RW Rf RW Ws',
    'Z6.3': 'WW Ws WW Rf RR Fr', 'Z6.4': 'WW Ws WR Fr WR Fr',
    'Z6.5': 'WW Ws WW Ws WR Fr', 'IRIW': 'W Rf RR Fr W Rf RR Fr',
    'IRRWIW': 'W Rf RR Fr W Rf RW Ws', 'IRWIW': 'W Rf RW Ws W Rf RW Ws',
}

FENCES = ['fence.' + p + '.' + s for p in ('r', 'w', 'rw')
          for s in ('r', 'w', 'rw')] + ['fence.tso']
EDGE = re.compile(r'(po|fence\.tso|fence\.(?:rw|r|w)\.(?:rw|r|w)|addr|data|ctrl)'
                  r'(s?)((?:p|x)(?:p|x)|(?:p|aq|rl|ar)(?:p|aq|rl|ar))?')
INTERNAL = {'rfi': 'WR', 'fri': 'RW', 'wsi': 'WW'}
MARKS = {'p': '', 'x': 'x', 'aq': 'aq', 'rl': 'rl', 'ar': 'aqrl'}
LOCATIONS = 'xyza'


class Unknown(Exception):
    """A name that is no test of ours."""


class Event:
    """A read or write of the cycle, and the edge to the next one."""

    def __init__(self, thread, write):
        self.thread, self.write = thread, write
        self.mark = None       # '', 'x', 'aq', 'rl', 'aqrl'; None: not said
        self.edge = None       # within the thread; None: the next is another's
        self.moves = False     # the next event is at another location
        self.location = self.value = None

    def set_mark(self, mark):
        if self.mark not in (None, mark):
            raise Unknown('an event cannot have two marks')
        self.mark = mark


def split_name(name):
    """The family, the edges of each thread that has any, what it ends in."""
    family = max((f for f in FAMILIES if (name + '+').startswith(f + '+')),
                 key=len, default=None)
    if not family:
        raise Unknown(f'{name}: no family')
    shape = FAMILIES[family].split()[::2]
    count = sum(len(s) == 2 for s in shape)
    edges = [e for e in name[len(family):].split('+') if e]
    ends = [edges.pop()] if edges and edges[-1] in ('X', 'NEW') else []
    if not edges:
        edges = ['pos' if family.startswith('Co') else 'po'] * count
    if len(edges) == 1 and count > 1 and edges[0].endswith('s'):
        edges = [edges[0][:-1]] * count
    if len(edges) != count:
        raise Unknown(f'{name}: {len(edges)} edges for {count} threads')
    return family, edges, ends


def make_thread(number, shape, chain):
    """The events of a thread, from its shape and the edges within it."""
    events = [Event(number, shape[0] == 'W')]
    steps = chain.split('-') if chain else []
    for i, step in enumerate(steps):
        at, follows = events[-1], steps[i + 1:i + 2]
        if step in INTERNAL:
            ends, moves, marks = INTERNAL[step], False, None
        else:
            m = EDGE.fullmatch(step)
            if not m:
                raise Unknown(f'edge {step}')
            ends, moves, marks = None, not m[2], m[3]
            step = m[1]
        if ends and at.write != (ends[0] == 'W'):
            raise Unknown(f'{step} from a {"RW"[at.write]}')
        if ends:
            write = ends[1] == 'W'
        elif not follows:
            write = shape[-1] == 'W'
        elif follows[0] in INTERNAL:
            write = INTERNAL[follows[0]][0] == 'W'
        else:
            write = False
            if not follows[0].startswith(('addr', 'data', 'ctrl')):
                raise Unknown(f'what is between {step} and {follows[0]}')
        if step in ('addr', 'data', 'ctrl') and at.write or \
                step == 'data' and not write:
            raise Unknown(f'{step} here')
        at.edge, at.moves = step, moves
        events.append(Event(number, write))
        if marks:
            first, second = re.fullmatch(r'(p|x|aq|rl|ar)(p|x|aq|rl|ar)',
                                         marks).groups()
            at.set_mark(MARKS[first])
            events[-1].set_mark(MARKS[second])
    if events[-1].write != (shape[-1] == 'W'):
        raise Unknown('the last event')
    return events


def place(events):
    """Locations, and values in the order of coherence."""
    moves = sum(e.moves for e in events)
    if moves == 1 or moves > len(LOCATIONS):
        raise Unknown(f'{moves} changes of location')
    at = 0
    for e in events:
        e.location = LOCATIONS[at % moves if moves else 0]
        at += e.moves
    # A location's events are neighbours in the cycle: begin where one ends.
    starts = [i + 1 for i, e in enumerate(events) if e.moves] or [0]
    begin = starts[0]
    written = dict.fromkeys(LOCATIONS, 0)
    for e in events[begin:] + events[:begin]:
        written[e.location] += e.write
        e.value = written[e.location]
    return {l: n for l, n in written.items() if n}


class Test:
    """threads: lists of instructions, tuples of an operation and

        load REG LOCATION ADDRESS     ADDRESS, DATA: a register or None that
        store VALUE LOCATION ADDRESS DATA         the address, data depends on
        lr REG LOCATION               sc REG VALUE LOCATION, VALUE may be a REG
        read REG LOCATION MARK        an AMO that reads and leaves the value
        write VALUE LOCATION MARK     an AMO that writes and drops the value
        fence KIND                    branch REG: to the next instruction

    registers: those that hold what was read, (thread, number); weak: the state
    at the end if all edges of the cycle point forwards, by register and
    location."""

    def __init__(self, name):
        family, edges, ends = split_name(name)
        self.name, self.family = name, family
        shapes = FAMILIES[family].split()
        events, edges = [], list(edges)
        for i, shape in enumerate(shapes[::2]):
            chain = edges.pop(0) if len(shape) == 2 else ''
            events += make_thread(i, shape, chain)
            if len(shape) == 1:
                events[-1].mark = 'x' if 'X' in ends else None
        self.writes = place(events)
        self.threads = [[] for _ in shapes[::2]]
        self.registers, self.weak = [], {}
        self.amos = 'NEW' in ends
        before = None
        for e in events:
            if before and before.thread != e.thread:
                before = None
            self.add(before, e)
            before = e
        for l, n in self.writes.items():
            if n > 1 or any(e.location == l and e.mark == 'x'
                            for e in events):
                self.weak[l] = n
        if self.amos != any(e.mark in ('aq', 'rl', 'aqrl') for e in events):
            raise Unknown(f'{name}: marks without AMOs')

    def register(self, thread, value):
        n = sum(t == thread for t, _ in self.registers)
        self.registers.append((thread, n))
        self.weak[(thread, n)] = value
        return n

    def add(self, before, e):
        """The instructions of an event, behind the edge that leads to it."""
        code, address, data = self.threads[e.thread], None, None
        edge = before.edge if before else None
        if edge and edge.startswith('fence'):
            code.append(('fence', edge[6:]))
        elif edge == 'ctrl':
            code.append(('branch', before.register))
        elif edge == 'addr':
            address = before.register
        elif edge == 'data':
            data = before.register
        if (address, data) != (None, None) and e.mark:
            raise Unknown('a dependency to an atomic')
        if e.mark == 'x':
            e.register = self.register(e.thread, e.value - e.write)
            code.append(('lr', e.register, e.location))
            value = e.value if e.write else ('reg', e.register)
            code.append(('sc', self.register(e.thread, 0), value, e.location))
        elif e.write:
            code.append(('write', e.value, e.location, e.mark) if e.mark else
                        ('store', e.value, e.location, address, data))
        else:
            e.register = self.register(e.thread, e.value)
            code.append(('read', e.register, e.location, e.mark) if e.mark else
                        ('load', e.register, e.location, address))


def edges_between(first, last, amos):
    """All edges of program order from a read or write to another."""
    found = ['po'] + FENCES
    if first == 'R':
        found += ['addr', 'ctrl'] + (['data'] if last == 'W' else [])
    if amos:
        marks = ('p', 'aq', 'rl', 'ar')
        return ['po'] + ['po' + a + b for a in marks for b in marks
                         if a + b != 'pp']
    return found


def enumerate_names(family, amos=False):
    """Names of all tests of a family with one edge in each thread."""
    shapes = [s for s in FAMILIES[family].split()[::2] if len(s) == 2]
    names = [[]]
    for s in shapes:
        names = [n + [e] for n in names
                 for e in edges_between(s[0], s[1], amos)]
    for n in names:
        if amos and set(n) == {'po'}:
            continue
        if len(n) > 1 and len(set(n)) == 1:
            text = [] if n[0] == 'po' else [n[0] + 's']
        else:
            text = n
        yield '+'.join([family] + text + (['NEW'] if amos else []))
