# SPDX-License-Identifier: Apache-2.0
"""Variables at an address and what they hold, from DWARF 5 and the state of a
work-item: what docs/abi.md (Debugging) says, written apart from the compiler.
Knows the forms that the compiler writes; lines are read by llvm-dwarfdump."""
import re
import struct
import subprocess

PRIVATE, REGISTERS, VECTORS, LOCAL = 0x40000000, 0x50000000, 0x400, 0x60000000
# Numbers of DWARF 5, section 7.
ARRAY, PARAMETER, BLOCK, STRUCTURE, TYPEDEF = 0x01, 0x05, 0x0b, 0x13, 0x16
INLINED, FUNCTION, VARIABLE = 0x1d, 0x2e, 0x34
QUALIFIED = {TYPEDEF, 0x26, 0x35, 0x37}
AT_LOCATION, AT_NAME, AT_BYTE_SIZE, AT_LOW_PC, AT_HIGH_PC = 2, 3, 0x0b, 0x11, 0x12
AT_COUNT, AT_MEMBER_LOCATION, AT_TYPE, AT_RANGES = 0x37, 0x38, 0x49, 0x55
EXPRLOC = 0x18


class State:
    """Registers and memory of a work-item; None where nothing is known."""

    def __init__(self, x, v, private, local, warps):
        self.x, self.v, self.private, self.local = x, v, private, local
        self.warps = warps

    def register(self, number):
        if number < 32:
            return self.x[number]
        assert 96 <= number < 128, number
        return self.v[number - 96]

    def memory(self, at, n):
        if PRIVATE <= at < REGISTERS:
            return self.private[at - PRIVATE:][:n]
        if REGISTERS <= at < REGISTERS + VECTORS:
            return self.x[(at - REGISTERS) // 4].to_bytes(4, 'little')[:n]
        if REGISTERS <= at < REGISTERS + VECTORS + 1024:
            return self.v[(at - REGISTERS - VECTORS) // 4].to_bytes(
                4, 'little')[:n]
        if LOCAL <= at < 0x70000000:
            return self.local[1024 * self.warps + at - LOCAL:][:n]
        assert 0x70000000 <= at < 0x80000000, hex(at)
        return self.local[at - 0x70000000:][:n]


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def number(self, n):
        self.at += n
        return int.from_bytes(self.data[self.at - n:self.at], 'little')

    def uleb(self):
        x, shift = 0, 0
        while True:
            b = self.number(1)
            x |= (b & 0x7f) << shift
            shift += 7
            if b < 0x80:
                return x

    def sleb(self):
        start = self.at
        x = self.uleb()
        bits = 7 * (self.at - start)
        return x - (1 << bits) if x >> bits - 1 else x


def evaluate(expression, state, size):
    """The bytes of a variable, None for those that are not known."""
    r, stack, out = Reader(bytes(expression)), [], []
    place = None

    def end(n):
        nonlocal place
        known = None
        if place:
            known = place[1](n)
        elif stack:
            known = state.memory(stack.pop() & 0xffffffff, n)
        out.extend(known if known is not None else [None] * n)
        place = None

    binary = {0x1a: lambda a, b: a & b, 0x1c: lambda a, b: a - b,
              0x1e: lambda a, b: a * b, 0x21: lambda a, b: a | b,
              0x22: lambda a, b: a + b, 0x24: lambda a, b: a << b,
              0x25: lambda a, b: a >> b, 0x27: lambda a, b: a ^ b,
              0x26: lambda a, b: (a - (a >> 31 << 32)) >> b}
    while r.at < len(r.data):
        op = r.number(1)
        if op == 0x03:
            stack.append(r.number(4))
        elif op == 0x06:
            stack.append(int.from_bytes(state.memory(stack.pop(), 4),
                                        'little'))
        elif op == 0x0c:
            stack.append(r.number(4))
        elif op == 0x10:
            stack.append(r.uleb())
        elif op == 0x11:
            stack.append(r.sleb() & 0xffffffff)
        elif op in binary:
            b, a = stack.pop(), stack.pop()
            stack.append(binary[op](a, b) & 0xffffffff)
        elif op == 0x1f:
            stack.append(-stack.pop() & 0xffffffff)
        elif op == 0x20:
            stack.append(~stack.pop() & 0xffffffff)
        elif op == 0x23:
            stack.append(stack.pop() + r.uleb() & 0xffffffff)
        elif 0x70 <= op < 0x90:
            stack.append(state.register(op - 0x70) + r.sleb() & 0xffffffff)
        elif op == 0x90:
            x = state.register(r.uleb())
            place = op, lambda n, x=x: x.to_bytes(4, 'little')[:n]
        elif op == 0x92:
            number = r.uleb()
            stack.append(state.register(number) + r.sleb() & 0xffffffff)
        elif op == 0x93:
            end(r.uleb())
        elif op == 0x9e:
            n = r.uleb()
            x = r.data[r.at:r.at + n]
            r.at += n
            place = op, lambda n, x=x: x[:n]
        elif op == 0x9f:
            x = stack.pop()
            place = op, lambda n, x=x: x.to_bytes(4, 'little')[:n]
        else:
            raise ValueError(f'operation 0x{op:x}')
    if place or stack:
        end(size)
    return out[:size]


class Entry:
    def __init__(self, tag, attributes, forms):
        self.tag, self.of, self.forms = tag, attributes, forms
        self.children = []


def sections(data):
    """{name: bytes} of an ELF32 file."""
    at, size, n, names = struct.unpack_from('<I10xHHH', data, 32)
    headers = [struct.unpack_from('<10I', data, at + i * size)
               for i in range(n)]
    text = data[headers[names][4]:]
    return {text[h[0]:text.index(b'\0', h[0])].decode():
            data[h[4]:h[4] + h[5]] for h in headers}


class Debug:
    def __init__(self, path):
        self.path = path
        with open(path, 'rb') as f:
            self.sections = sections(f.read())
        self.entries = {}
        unit = self.read_unit()
        self.functions = [e for e in unit.children
                          if e.tag == FUNCTION and self.ranges(e)]

    def read_shapes(self, at):
        r, shapes = Reader(self.sections['.debug_abbrev']), {}
        r.at = at
        while number := r.uleb():
            tag, children, fields = r.uleb(), r.number(1), []
            while any(field := (r.uleb(), r.uleb())):
                fields.append(field)
            shapes[number] = tag, children, fields
        return shapes

    def read_unit(self):
        r = Reader(self.sections['.debug_info'])
        end = r.number(4) + 4
        assert (r.number(2), r.number(1), r.number(1)) == (5, 1, 4)
        shapes = self.read_shapes(r.number(4))
        assert end == len(r.data), 'one unit'
        return self.read_entry(r, shapes)

    def read_entry(self, r, shapes):
        at = r.at
        number = r.uleb()
        if not number:
            return None
        tag, has_children, fields = shapes[number]
        e = Entry(tag, {k: self.read_value(r, form) for k, form in fields},
                  dict(fields))
        self.entries[at] = e
        while has_children and (child := self.read_entry(r, shapes)):
            e.children.append(child)
        return e

    @staticmethod
    def read_value(r, form):
        if form == 0x08:
            end = r.data.index(b'\0', r.at)
            start, r.at = r.at, end + 1
            return r.data[start:end].decode()
        if form == EXPRLOC:
            n = r.uleb()
            r.at += n
            return r.data[r.at - n:r.at]
        if form in (0x01, 0x13, 0x17):
            return r.number(4)
        return {0x0d: r.sleb, 0x0f: r.uleb, 0x19: lambda: True}[form]()

    def type_of(self, e):
        return self.entries[e.of[AT_TYPE]]

    def ranges(self, e):
        if AT_LOW_PC in e.of:
            return [(e.of[AT_LOW_PC], e.of[AT_LOW_PC] + e.of[AT_HIGH_PC])]
        if AT_RANGES not in e.of:
            return []
        r = Reader(self.sections['.debug_rnglists'])
        r.at, base, out = e.of[AT_RANGES], 0, []
        while kind := r.number(1):
            if kind == 5:
                base = r.number(4)
            else:
                assert kind == 4, kind
                out.append((base + r.uleb(), base + r.uleb()))
        return out

    def contains(self, die, pc):
        return any(low <= pc < high for low, high in self.ranges(die))

    def location(self, die, pc):
        """The expression at pc, None: optimised out."""
        if AT_LOCATION not in die.of:
            return None
        if die.forms[AT_LOCATION] == EXPRLOC:
            return die.of[AT_LOCATION]
        r = Reader(self.sections['.debug_loclists'])
        r.at, base, found = die.of[AT_LOCATION], 0, None
        while kind := r.number(1):
            if kind == 6:
                base = r.number(4)
                continue
            assert kind == 4, kind
            low, high = base + r.uleb(), base + r.uleb()
            n = r.uleb()
            if low <= pc < high:
                assert found is None, f'two locations at 0x{pc:x}'
                found = r.data[r.at:r.at + n]
            r.at += n
        return found

    def visible(self, pc):
        """{name: entry} of the innermost scopes first."""
        found = {}
        level = [f for f in self.functions if self.contains(f, pc)]
        assert len(level) <= 1, f'two functions at 0x{pc:x}'
        while level:
            inner = []
            for die in level:
                for child in die.children:
                    if child.tag in (VARIABLE, PARAMETER):
                        found[child.of[AT_NAME]] = child
                    elif self.contains(child, pc):
                        inner.append(child)
            assert len(inner) <= 1, f'scopes that overlap at 0x{pc:x}'
            if inner and inner[0].tag == INLINED:
                found = {}
            level = inner
        return found

    def fields(self, die):
        """(offset, size) of what is not padding in a type."""
        if die.tag in QUALIFIED:
            return self.fields(self.type_of(die))
        if die.tag == ARRAY:
            base = self.fields(self.type_of(die))
            step, n = max(o + s for o, s in base), 1
            for child in die.children:
                n *= child.of[AT_COUNT]
            return [(i * step + o, s) for i in range(n) for o, s in base]
        if die.tag == STRUCTURE:
            return [(m.of[AT_MEMBER_LOCATION] + o, s) for m in die.children
                    for o, s in self.fields(self.type_of(m))]
        return [(0, die.of[AT_BYTE_SIZE])]

    def value(self, die, pc, state):
        """[(offset, bytes or None)] of each scalar; None: optimised out."""
        fields = self.fields(self.type_of(die))
        expression = self.location(die, pc)
        if expression is None:
            return None
        size = max(o + s for o, s in fields)
        raw = evaluate(expression, state, size)
        raw += [None] * (size - len(raw))
        return [(o, None if None in raw[o:o + s] else bytes(raw[o:o + s]))
                for o, s in fields]

    def rows(self):
        """[(address, end, line)] of the line table."""
        text = subprocess.run(['llvm-dwarfdump-19', '--debug-line',
                               self.path], capture_output=True, text=True,
                              check=True).stdout
        rows = [(int(m[1], 16), int(m[2]), 'end_sequence' in m[3])
                for m in re.finditer(r'^0x([0-9a-f]+) +(\d+) (.*)$', text,
                                     re.M)]
        return [(a[0], b[0], a[1]) for a, b in zip(rows, rows[1:])
                if not a[2] and a[0] < b[0]]
