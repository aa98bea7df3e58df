# SPDX-License-Identifier: Apache-2.0
"""RVWMO as chapter 14 (17 in later editions) of the RISC-V unprivileged
specification states it: which states a test may end in.

An execution is a global memory order of the memory operations, one that keeps
preserved program order (rules 1 to 13), in which loads have the values that the
load value axiom says and LR/SC pairs are atomic.  All of them are walked
through: the next operation in the global memory order is any of which all
predecessors in preserved program order have had their turn.  Rules 2, 3 and 12
depend on what loads read, so they are asked for when a load has its turn:
it reads the youngest store before it in program order that did not have its
turn yet (it is forwarded), else the last one that had.

An AMO is one operation.  An SC fails or not, whatever the reason; a failed
one is no memory operation.  One after an LR of another location fails.
"""

LOAD, STORE = 1, 2


class Operation:
    """A memory operation; number: its place in the program order of all."""

    def __init__(self, kind, location, register=None, value=None):
        self.kind, self.location = kind, location
        self.register, self.value = register, value
        self.loads, self.stores = bool(kind & LOAD), bool(kind & STORE)
        self.acquire = self.release = self.rcsc = self.atomic = False
        self.pair = None        # the LR of an SC
        self.keeps = False      # a store of what the AMO itself read
        self.address = self.data = None  # operations that it depends on


def fence_orders(kind, a, b):
    """Rule 4."""
    if kind == 'tso':
        return a.loads or (a.stores and b.stores)
    pred, succ = kind.split('.')
    return (('r' in pred and a.loads) or ('w' in pred and a.stores)) and \
        (('r' in succ and b.loads) or ('w' in succ and b.stores))


class Hart:
    """A thread with chosen failures of its SCs."""

    def __init__(self, code, fails):
        self.operations, self.registers = [], {}
        self.fences, self.branches, by = [], [], {}
        reserved = None
        for step in code:
            op, *rest = step
            if op == 'fence':
                self.fences.append((len(self.operations), rest[0]))
                continue
            if op == 'branch':
                self.branches.append((len(self.operations), by[rest[0]]))
                continue
            if op == 'sc':
                self.registers[rest[0]] = fails[rest[0]]
                if fails[rest[0]]:
                    reserved = None
                    continue
                o = Operation(STORE, rest[2], None, rest[1])
                o.pair, o.atomic, o.rcsc = reserved, True, False
                if isinstance(o.value, tuple):
                    o.data = by[o.value[1]]
                reserved = None
            else:
                o = self.make(op, rest)
            if op == 'lr':
                reserved = o
            if op == 'load' and rest[2] is not None:
                o.address = by[rest[2]]
            if op == 'store':
                o.address = by.get(rest[2])
                o.data = by.get(rest[3])
            if o.register is not None:
                by[o.register] = o
            self.operations.append(o)

    @staticmethod
    def make(op, rest):
        if op in ('load', 'lr'):
            return Operation(LOAD, rest[1], register=rest[0])
        if op == 'store':
            return Operation(STORE, rest[1], value=rest[0])
        if op == 'read':
            o = Operation(LOAD | STORE, rest[1], register=rest[0])
            o.keeps = True
        else:
            o = Operation(LOAD | STORE, rest[1], value=rest[0])
        o.acquire, o.release = 'aq' in rest[2], 'rl' in rest[2]
        o.rcsc, o.atomic = o.acquire or o.release, True
        return o

    def before(self, i, j):
        """Whether operation i precedes j in preserved program order, by the
        rules that do not ask what was read."""
        ops = self.operations
        a, b = ops[i], ops[j]
        between = ops[i + 1:j]
        branches = [o for at, o in self.branches if at <= j]
        return (
            (a.location == b.location and b.stores) or                # 1
            any(i < at <= j and fence_orders(kind, a, b)
                for at, kind in self.fences) or                       # 4
            a.acquire or b.release or (a.rcsc and b.rcsc) or          # 5 6 7
            b.pair is a or                                            # 8
            b.address is a or b.data is a or                          # 9 10
            (b.stores and any(o is a for o in branches)) or           # 11
            (b.stores and any(m.address is a for m in between)))      # 13


class Walk:
    """All executions of a program with chosen failures of SCs."""

    def __init__(self, harts, in_order):
        self.harts = harts
        self.ops, self.where = [], []
        for h, hart in enumerate(harts):
            for i, o in enumerate(hart.operations):
                o.number = len(self.ops)
                self.ops.append(o)
                self.where.append((h, i))
        self.before = [0] * len(self.ops)   # bits of those that go first
        self.in_order = in_order
        for o in self.ops:
            h, j = self.where[o.number]
            for i, a in enumerate(harts[h].operations[:j]):
                if in_order or harts[h].before(i, j):
                    self.before[o.number] |= 1 << a.number
        self.ends, self.seen = set(), set()

    def earlier(self, o):
        """Of the same hart at the same location, youngest first."""
        h, j = self.where[o.number]
        return [a for a in reversed(self.harts[h].operations[:j])
                if a.location == o.location]

    def source(self, o, done, last):
        """What a load reads if it is next (the load value axiom); None: it may
        not be next (rules 3 and 12)."""
        for a in self.earlier(o):
            if a.stores and not done >> a.number & 1:
                if a.atomic or a.loads:
                    return None                                       # 3
                for dep in (a.address, a.data):
                    if dep and not done >> dep.number & 1:
                        return None                                   # 12
                return a.number
        return last[o.location]

    def rule_2(self, o, source, done, read):
        """Of two loads of a location without a store between them the older
        goes first, or both read the same store."""
        h, j = self.where[o.number]
        for b in self.harts[h].operations[j + 1:]:
            if b.location != o.location:
                continue
            if b.loads and done >> b.number & 1 and read[b.number] != source:
                return False
            if b.stores:
                break
        return True

    def value_of(self, number, read):
        """Of what a store wrote; -1: the zeros of the beginning."""
        while number >= 0:
            o = self.ops[number]
            if o.keeps:
                number = read[number]
            elif isinstance(o.value, tuple):
                number = read[o.data.number]
            else:
                return o.value
        return 0

    def is_atomic(self, o, read, order):
        """The atomicity axiom: between the store that the LR read and the SC
        there is none of another hart to the location."""
        lr = o.pair
        if lr is None or lr.location != o.location:
            return False
        stores = [n for n in order if self.ops[n].location == o.location]
        source = read[lr.number]
        if source >= 0 and source not in stores:
            return False
        later = stores[stores.index(source) + 1:] if source >= 0 else stores
        mine = self.where[o.number][0]
        return all(self.where[n][0] == mine for n in later)

    def go(self, done, last, read, order):
        key = (done, order, tuple(read))
        if key in self.seen:
            return
        self.seen.add(key)
        if done == (1 << len(self.ops)) - 1:
            self.end(last, read)
            return
        for o in self.ops:
            n = o.number
            if done >> n & 1 or self.before[n] & ~done:
                continue
            reads = read
            if o.loads:
                source = self.source(o, done, last)
                if source is None or not self.rule_2(o, source, done, read):
                    continue
                reads = read[:]
                reads[n] = source
            if o.stores and not o.loads and o.atomic and \
                    not self.is_atomic(o, reads, order):
                continue
            if o.stores:
                self.go(done | 1 << n, {**last, o.location: n}, reads,
                        order + (n,))
            else:
                self.go(done | 1 << n, last, reads, order)

    def end(self, last, read):
        state = []
        for h, hart in enumerate(self.harts):
            values = dict(hart.registers)
            for o in hart.operations:
                if o.register is not None:
                    values[o.register] = self.value_of(read[o.number], read)
            state += [values[r] for r in sorted(values)]
        state += [self.value_of(last[l], read) for l in sorted(last)]
        self.ends.add(tuple(state))


def failures(code):
    """Choices of which SCs of a thread fail."""
    choices = [{}]
    for step in code:
        if step[0] == 'sc':
            choices = [{**c, step[1]: f} for c in choices for f in (0, 1)]
    return choices


def states(test, in_order=False):
    """The states that a test may end in: registers by thread and number, then
    locations.  in_order: under sequential consistency."""
    combined = [[]]
    for code in test.threads:
        combined = [c + [f] for c in combined for f in failures(code)]
    ends = set()
    for fails in combined:
        walk = Walk([Hart(c, f) for c, f in zip(test.threads, fails)],
                    in_order)
        walk.go(0, dict.fromkeys(sorted(test.writes), -1),
                [-1] * len(walk.ops), ())
        ends |= walk.ends
    return ends
