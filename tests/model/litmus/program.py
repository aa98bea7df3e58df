# SPDX-License-Identifier: Apache-2.0
"""A test as a kernel: each thread is a warp.

In the scalar form a warp does on x registers what the thread does, in the lane
form each lane does it on v registers and on words of its own: lane l of one
thread meets lane (l + shift) of another in the copy of the test that both have.

A block of parameters for each warp slot says which thread it is, how long it
waits before each instruction, which lines it loads before it begins, and where
the locations are (run.c writes it), so one program serves for all seeds.
Waiting branches on parameters only: it adds no dependency between the test's
own accesses.
"""

LANES = 8
WAITS = 12           # words of the block: those before instructions
HEAD = '''\
        lui     x8, 0x90000
        csrr    x5, gidx
        csrr    x6, wid
        slli    x5, x5, 2
        add     x5, x5, x6
        slli    x5, x5, 7
        add     x8, x8, x5
        lw      x5, 0(x8)
        lw      x9, 4(x8)
        lw      x24, 8(x8)
        lw      x25, 12(x8)
        lw      x26, 16(x8)
        lw      x27, 20(x8)
        lw      x7, 24(x8)
        lw      x6, 28(x8)
        vid.v   v28
        vadd.vx v28, v28, x6
        vand.vi v28, v28, %d
        vsll.vi v28, v28, 2
        vadd.vx v24, v28, x24
        vadd.vx v25, v28, x25
        vadd.vx v26, v28, x26
        vadd.vx v27, v28, x27
        vadd.vx v29, v28, x7
        vmv.v.i v30, 0
''' % (LANES - 1)
WAIT = '''\
        lw      x6, %d(x8)
1:      beq     x6, x0, 2f
        addi    x6, x6, -1
        j       1b
2:
'''
# What slots without a thread do: they bring lines into the cache.
NOISE = '''\
        lw      x6, 32(x8)
1:      beq     x6, x0, 2f
        addi    x6, x6, -1
        lw      x31, 0(x24)
        lw      x31, 0(x25)
        lw      x31, 0(x26)
        lw      x31, 0(x27)
        j       1b
2:      endprg
'''


class Writer:
    """Assembly of a thread; r: the kind of registers, x or v."""

    def __init__(self, test, lanes):
        self.r, self.lines = 'v' if lanes else 'x', []
        self.places = {l: 24 + i for i, l in enumerate(sorted(test.writes))}

    def put(self, text):
        self.lines.append('        ' + text)

    def constant(self, value):
        self.put(f'vmv.v.i v2, {value}' if self.r == 'v' else
                 f'addi    x2, x0, {value}')
        return self.r + '2'

    def register(self, number):
        return f'{self.r}{10 + number}'

    def zero_of(self, number):
        """A zero that depends on a register."""
        op = 'vxor.vv' if self.r == 'v' else 'xor    '
        self.put(f'{op} {self.r}3, {self.register(number)}, '
                 f'{self.register(number)}')
        return self.r + '3'

    def address(self, location, depends):
        at = f'{self.r}{self.places[location]}'
        if depends is None:
            return at
        op = 'vadd.vv' if self.r == 'v' else 'add    '
        self.put(f'{op} {self.r}4, {at}, {self.zero_of(depends)}')
        return self.r + '4'

    def branch(self, number):
        """To the next instruction."""
        a = self.register(number)
        if self.r == 'x':
            self.put(f'bne     {a}, x0, 3f')
            self.lines.append('3:')
            return
        self.put('auipc   x31, 0')
        self.put('setrpc  zero, x31, 12          # the join')
        self.put(f'vbne    v30, {a}, 3f')
        self.lines.append('3:      join')

    def step(self, op, rest):
        v = self.r == 'v'
        if op == 'fence':
            self.put('fence.tso' if rest[0] == 'tso' else
                     'fence   ' + rest[0].replace('.', ', '))
        elif op == 'branch':
            self.branch(rest[0])
        elif op == 'load':
            self.put(f'{"vlw12.v" if v else "lw     "} '
                     f'{self.register(rest[0])}, '
                     f'0({self.address(rest[1], rest[2])})')
        elif op == 'store':
            if rest[3] is None:
                data = self.constant(rest[0])
            else:
                data = self.zero_of(rest[3])
                self.put(f'{"vor.vi " if v else "ori    "} {self.r}2, {data}, '
                         f'{rest[0]}')
                data = self.r + '2'
            self.put(f'{"vsw12.v" if v else "sw     "} {data}, '
                     f'0({self.address(rest[1], rest[2])})')
        else:
            self.atomic(op, rest)

    def atomic(self, op, rest):
        mark = {'': '', 'aq': '.aq', 'rl': '.rl', 'aqrl': '.aqrl'}
        if op == 'lr':
            self.put(f'lr.w    {self.register(rest[0])}, '
                     f'({self.address(rest[1], None)})')
        elif op == 'sc':
            data = self.register(rest[1][1]) if isinstance(rest[1], tuple) \
                else self.constant(rest[1])
            self.put(f'sc.w    {self.register(rest[0])}, {data}, '
                     f'({self.address(rest[2], None)})')
        elif op == 'read':
            self.put(f'amoor.w{mark[rest[2]]} {self.register(rest[0])}, '
                     f'{"v30" if self.r == "v" else "x0"}, '
                     f'({self.address(rest[1], None)})')
        else:
            data = self.constant(rest[0])
            self.put(f'amoswap.w{mark[rest[2]]} '
                     f'{"v31" if self.r == "v" else "x0"}, {data}, '
                     f'({self.address(rest[1], None)})')


def is_wait_point(op):
    return op not in ('branch', 'sc')


def write_thread(test, number, lanes):
    w = Writer(test, lanes)
    waits = 0
    for i in range(len(test.writes)):
        w.put(f'andi    x6, x9, {1 << i}')
        w.put('beq     x6, x0, 1f')
        w.put(f'lw      x31, 0(x{24 + i})')
        w.lines.append('1:')
    for op, *rest in test.threads[number]:
        if is_wait_point(op):
            assert waits < WAITS
            w.lines.append(WAIT % (32 + 4 * waits))
            waits += 1
        w.step(op, rest)
    n = sum(t == number for t, _ in test.registers)
    for k in range(n):
        if lanes:
            w.put(f'vsw12.v v{10 + k}, {4 * LANES * k}(v29)')
        else:
            w.put(f'sw      x{10 + k}, {4 * LANES * k}(x7)')
    w.put('endprg')
    return f'thread{number}:\n' + '\n'.join(w.lines) + '\n'


def write(test, lanes):
    """The text that run.c reads: a line about the test, and its program."""
    counts = [sum(t == i for t, _ in test.registers)
              for i in range(len(test.threads))]
    text = f'test {test.name} {"lanes" if lanes else "scalar"} ' \
        f'{len(test.writes)} {" ".join(map(str, counts))}\n' + HEAD
    for i in range(len(test.threads)):
        text += f'        addi    x6, x0, {i}\n'
        text += f'        beq     x5, x6, thread{i}\n'
    text += NOISE
    for i in range(len(test.threads)):
        text += write_thread(test, i, lanes)
    return text + 'end\n'
