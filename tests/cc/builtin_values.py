#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What built-in functions compute that have one right answer.

    builtin_values.py VENTUS --compiler CC_COMPILE --device VALUES_DEV
                      [--widths 1,2,3,4,8,16] [--group NAME]
                      [--except NAME] [--points N] [--sample N]

Integer, relational and common functions, conversions with every rounding mode
and saturation, half in memory, shuffles, and the mathematical functions that
round exactly: a kernel for each function, type and width, compiled and run
like any other.  The expected values are computed here, element by element,
with Python's integers and fractions.  --sample 9 takes every ninth function.
"""
import argparse
import math
import random
import struct
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

INTS = {'char': (8, True), 'uchar': (8, False), 'short': (16, True),
        'ushort': (16, False), 'int': (32, True), 'uint': (32, False),
        'long': (64, True), 'ulong': (64, False)}
FLOATS = {'half': (11, -14, 15, 'e', 2), 'float': (24, -126, 127, 'f', 4),
          'double': (53, -1022, 1023, 'd', 8)}
LIKE = {'half': 'short', 'float': 'int', 'double': 'long'}
BYTES, FORMAT = 4096, dict(zip(INTS, 'bBhHiIqQ'))
FORMAT.update({'half': 'e', 'float': 'f', 'double': 'd'})
SKIP = object()


def size_of(base):
    return struct.calcsize('<' + FORMAT[base])


def low_high(base):
    bits, signed = INTS[base]
    return (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else \
        (0, (1 << bits) - 1)


def wrap(x, base):
    bits, signed = INTS[base]
    x &= (1 << bits) - 1
    return x - (1 << bits) if signed and x >> (bits - 1) else x


def sat(x, base):
    low, high = low_high(base)
    return min(max(x, low), high)


# ---- rounding ----

def to_integer(x, mode):
    """A fraction as an integer; halves to even with rte."""
    down = math.floor(x)
    if mode == 'rtn' or x == down:
        return down
    if mode == 'rtp':
        return down + 1
    if mode == 'rtz':
        return down + (x < 0)
    rest = x - down
    up = rest > Fraction(1, 2) or (rest == Fraction(1, 2) and down % 2)
    return down + up


def to_float(x, base, mode):
    """The number of a format that a fraction rounds to; None: subnormal."""
    bits, least, most = FLOATS[base][:3]
    if x == 0:
        return 0.0
    e = abs(x).numerator.bit_length() - abs(x).denominator.bit_length()
    while abs(x) < Fraction(2) ** e:
        e -= 1
    while abs(x) >= Fraction(2) ** (e + 1):
        e += 1
    unit = Fraction(2) ** (max(e, least) - bits + 1)
    r = to_integer(x / unit, mode) * unit
    limit = Fraction(2) ** (most + 1)
    if abs(r) >= limit:
        toward_zero = mode == 'rtz' or (mode == 'rtn' and x > 0) or \
            (mode == 'rtp' and x < 0)
        r = limit - Fraction(2) ** (most - bits + 1) if toward_zero \
            else math.inf
        return math.copysign(float(r), -1 if x < 0 else 1)
    return float(r) if r else math.copysign(0.0, -1 if x < 0 else 1)


def special(x):
    return isinstance(x, float) and (math.isnan(x) or math.isinf(x))


def exact(x):
    return Fraction(x)


# ---- what functions are ----

class Case:
    """name(arguments) of one width; `of` is the function of elements."""

    def __init__(self, group, call, result, args, width, of, fill=None,
                 whole=False):
        self.group, self.call = group, call
        self.result, self.args, self.width = result, args, width
        self.of, self.fill = of, fill
        self.whole = whole  # `of` is given vectors, not elements

    def elements(self, type_name):
        """Base type and number of elements in memory; and of those used."""
        base = type_name.rstrip('0123456789')
        n = int(type_name[len(base):] or 1)
        return base, 4 if n == 3 else n, n

    def items(self, points):
        most = max(self.elements(t)[1] * size_of(self.elements(t)[0])
                   for t in [self.result] + self.args)
        return max(min(points // self.width, BYTES // most), 4)

    def text(self, number):
        code = f'kernel void k{number}(global const uchar *a, global const ' \
               'uchar *b, global const uchar *c, global uchar *o)\n' \
               '{ int i = get_global_id(0); '
        if '%s' not in self.call:  # a statement
            return code + self.call + ' }\n'
        names = [f'((global const {t} *){n})[i]'
                 for t, n in zip(self.args, 'abc')]
        return code + f'((global {self.result} *)o)[i] = ' \
            f'{self.call % tuple(names)}; }}\n'

    def data(self, rng, items):
        """Bytes of the arguments, and their elements."""
        blobs, values = b'', []
        for k, t in enumerate(self.args):
            base, stored, _ = self.elements(t)
            column = [random_value(rng, base, n)
                      for n in range(items * stored)]
            if self.fill:
                column = [self.fill(x, k, rng) for x in column]
            values.append(column)
        if self.fill is ordered:
            stored = [self.elements(t)[1] for t in self.args]
            order_limits(values, stored, items)
        for column, t in zip(values, self.args):
            base = self.elements(t)[0]
            blobs += struct.pack(f'<{len(column)}{FORMAT[base]}',
                                 *column).ljust(BYTES, b'\0')
        return blobs.ljust(3 * BYTES, b'\0'), values

    def wants_place(self):
        """Whether `of` is given the number of the element first."""
        given = self.of.__code__.co_argcount - len(self.of.__defaults__ or ())
        return given > len(self.args)

    def check(self, data, values, items):
        base, stored, used = self.elements(self.result)
        got = struct.unpack(f'<{items * stored}{FORMAT[base]}',
                            data[:items * stored * size_of(base)])
        for i in range(items):
            for k in range(used):
                x = []
                for t, column in zip(self.args, values):
                    _, n, m = self.elements(t)
                    x.append(column[i * n + (k if m > 1 else 0)]
                             if (m == used and not self.whole) or m == 1
                             else column[i * n:i * n + n])
                want = self.of(k, *x) if self.wants_place() else self.of(*x)
                if want is not SKIP and not same(got[i * stored + k], want,
                                                 base):
                    return f'item {i} element {k}: of {x} {got[i * stored + k]}' \
                           f', expected {want}'
        return ''


def same(a, b, base):
    if base in INTS:
        return a == b
    if math.isnan(b):
        return math.isnan(a)
    if a == b:
        return b != 0 or math.copysign(1, a) == math.copysign(1, b) or \
            b == 0
    tiny = 2.0 ** FLOATS[base][1]
    return base == 'float' and abs(b) < tiny and a == 0  # may be flushed


def f32(x):
    return struct.unpack('<f', struct.pack('<f', x))[0]


CORNERS = [0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 1.5, 2.5, -2.5, 126.5, 127.5,
           128.0, 255.0, 255.5, 256.0, -128.5, 32767.5, 65535.5, 2147483648.0,
           4294967040.0, -2147483648.0, 9223372036854775808.0, math.inf,
           -math.inf, math.nan, 1e10, 65520.0, 65519.0, 3e-8, 6e-5]


def random_value(rng, base, n):
    if base in INTS:
        low, high = low_high(base)
        if n % 4 == 0:
            return rng.choice([low, high, 0, 1, high - 1, low + 1, high // 2])
        if n % 4 == 1:
            return max(min(rng.randrange(-50, 50), high), low)
        return rng.randrange(low, high + 1) >> rng.randrange(0, 4)
    if n % 3 == 0:
        x = rng.choice(CORNERS)
    elif n % 3 == 1:
        x = rng.uniform(-1000, 1000)
    else:
        x = math.ldexp(rng.uniform(-1, 1), rng.randrange(-30, 66))
    if base == 'half':
        return struct.unpack('<e', struct.pack('<H', rng.randrange(65536)))[0]
    return f32(x) if base == 'float' else x


def ordered(x, _k, _rng):
    return 0.0 if isinstance(x, float) and math.isnan(x) else x


def order_limits(values, stored, items):
    """For clamp: the second argument is not above the third."""
    for i in range(items):
        for k in range(stored[1]):
            at, to = i * stored[1] + k, i * stored[2] + k
            if values[1][at] > values[2][to]:
                values[1][at], values[2][to] = values[2][to], values[1][at]


def small24(x, k, _rng):
    return x if k == 2 else ((x + (1 << 23)) & 0xffffff) - (1 << 23) \
        if x < 0 else x & 0x7fffff


def no_nan(x, _k, _rng):
    return 1.0 if math.isnan(x) else x


def name_of(base, width):
    return base + (str(width) if width > 1 else '')


def integers(width):
    for t, (bits, signed) in INTS.items():
        u, v = (t if not signed else 'u' + t), name_of(t, width)
        low, high = low_high(t)
        one = [('abs', name_of(u, width), abs),
               ('clz', v, lambda x, b=bits:
                b - (x & ((1 << b) - 1)).bit_length()),
               ('popcount', v, lambda x, b=bits:
                bin(x & ((1 << b) - 1)).count('1'))]
        for f, result, of in one:
            yield Case('integer', f + '(%s)', result, [v],
                       width, lambda x, g=of: g(x))
        two = {'abs_diff': lambda x, y: abs(x - y),
               'add_sat': lambda x, y, t=t: sat(x + y, t),
               'sub_sat': lambda x, y, t=t: sat(x - y, t),
               'hadd': lambda x, y: (x + y) >> 1,
               'rhadd': lambda x, y: (x + y + 1) >> 1,
               'max': lambda x, y: max(x, y), 'min': lambda x, y: min(x, y),
               'mul_hi': lambda x, y, b=bits: x * y >> b,
               'rotate': lambda x, y, t=t, b=bits: wrap(
                   (x & ((1 << b) - 1)) << y % b |
                   (x & ((1 << b) - 1)) >> (b - y % b), t)}
        for f, of in two.items():
            result = name_of(u, width) if f == 'abs_diff' else v
            g = of
            yield Case('integer', f + '(%s, %s)', result, [v, v], width,
                       lambda x, y, g=g: g(x, y))
        three = {'mad_hi': lambda x, y, z, t=t, b=bits:
                 wrap((x * y >> b) + z, t),
                 'mad_sat': lambda x, y, z, t=t: sat(x * y + z, t),
                 'bitselect': lambda x, y, z, t=t: wrap(x & ~z | y & z, t)}
        for f, of in three.items():
            yield Case('integer', f + '(%s, %s, %s)', v, [v, v, v], width,
                       lambda x, y, z, g=of: g(x, y, z))
        forms = [[v, v, v]] + ([[v, t, t]] if width > 1 else [])
        for form in forms:
            yield Case('integer', 'clamp(%s, %s, %s)', v, form, width,
                       lambda x, y, z: min(max(x, y), z), ordered)
        if width > 1:
            for f, of in (('max', max), ('min', min)):
                yield Case('integer', f + '(%s, %s)', v, [v, t], width,
                           lambda x, y, g=of: g(x, y))
        if t in ('int', 'uint'):
            fill = small24 if signed else lambda x, k, _r: \
                x if k == 2 else x & 0xffffff
            yield Case('integer', 'mul24(%s, %s)', v, [v, v], width,
                       lambda x, y, t=t: wrap(x * y, t), fill)
            yield Case('integer', 'mad24(%s, %s, %s)', v, [v, v, v], width,
                       lambda x, y, z, t=t: wrap(x * y + z, t), fill)
        if bits < 64:
            wide = [k for k, w in INTS.items() if w == (2 * bits, signed)][0]
            yield Case('integer', 'upsample(%s, %s)', name_of(wide, width),
                       [v, name_of(u, width)], width,
                       lambda x, y, b=bits: (x << b) + y)
        for c in ((t[1:] if not signed else t), u):
            yield Case('relational', 'select(%s, %s, %s)', v,
                       [v, v, name_of(c, width)], width,
                       (lambda x, y, z: y if z else x) if width == 1 else
                       (lambda x, y, z, b=bits: y if z >> (b - 1) & 1 else x))


def field_of(word, bits):
    """Offset and count of a field within an element, as the macro FIELD has them."""
    offset = word % (bits + 1)
    return offset, (word >> 8) % (bits + 1 - offset)


def inserted(base, insert, offset, count, t):
    """Bit by bit, as cl_khr_extended_bit_ops says it."""
    source = [(insert, k - offset) if offset <= k < offset + count else (base, k)
              for k in range(INTS[t][0])]
    return wrap(sum((x >> k & 1) << n for n, (x, k) in enumerate(source)), t)


def extracted(base, offset, count, signed):
    value = sum((base >> offset + k & 1) << k for k in range(count))
    return value - (1 << count) if signed and count and value >> count - 1 else value


def bit_fields(width):
    """Fields that vary, and constant ones at both ends and of no and of all bits."""
    for t, (bits, _) in INTS.items():
        v, plain = name_of(t, width), t.lstrip('u')
        varies = f'FIELD(%s, {bits})'
        constant = (0, bits), (bits, 0), (bits - 1, 1), (3, bits // 2), (0, 0)
        yield Case('bits', f'bitfield_insert(%s, %s, {varies})', v, [v, v, 'uint'], width,
                   lambda x, y, w, t=t, b=bits: inserted(x, y, *field_of(w, b), t))
        for o, c in constant:
            yield Case('bits', f'bitfield_insert(%s, %s, {o}, {c})', v, [v, v], width,
                       lambda x, y, t=t, o=o, c=c: inserted(x, y, o, c, t))
        for sign, to in ('signed', plain), ('unsigned', 'u' + plain):
            r, name = name_of(to, width), 'bitfield_extract_' + sign
            yield Case('bits', f'{name}(%s, {varies})', r, [v, 'uint'], width,
                       lambda x, w, b=bits, s=sign: extracted(
                           x, *field_of(w, b), s == 'signed'))
            for o, c in constant:
                yield Case('bits', f'{name}(%s, {o}, {c})', r, [v], width,
                           lambda x, o=o, c=c, s=sign: extracted(x, o, c, s == 'signed'))
        yield Case('bits', 'bit_reverse(%s)', v, [v], width, lambda x, t=t, b=bits: wrap(
            sum((x >> k & 1) << b - 1 - k for k in range(b)), t))


def dot_products(width):
    """cl_khr_integer_dot_product: a number of two vectors of four bytes."""
    if width != 1:
        return
    for a in 'uchar', 'char':
        for b in 'uchar', 'char':
            r = 'uint' if a == b == 'uchar' else 'int'
            signs = ''.join('u' if t == 'uchar' else 's' for t in (a, b))
            vectors = [a + '4', b + '4']

            def dot(x, y):
                return sum(p * q for p, q in zip(x, y))

            def dot_sat(x, y, z, r=r):
                return sat(dot(x, y) + z, r)
            for packed, word in ('', '%s'), (f'_4x8packed_{signs}_{r}', 'as_uint(%s)'):
                two = f'{word}, {word}'
                yield Case('dot', f'dot{packed}({two})', r, vectors, 1, dot, whole=True)
                yield Case('dot', f'dot_acc_sat{packed}({two}, %s)', r, vectors + [r], 1,
                           dot_sat, whole=True)


def relational(width):
    yes = 1 if width == 1 else -1
    tests = {'isequal': lambda x, y: x == y,
             'isnotequal': lambda x, y: x != y,
             'isgreater': lambda x, y: x > y,
             'isgreaterequal': lambda x, y: x >= y,
             'isless': lambda x, y: x < y,
             'islessequal': lambda x, y: x <= y,
             'islessgreater': lambda x, y: x < y or x > y,
             'isordered': lambda x, y: x == x and y == y,
             'isunordered': lambda x, y: x != x or y != y}
    ones = {'isfinite': math.isfinite, 'isinf': math.isinf,
            'isnan': math.isnan, 'signbit': lambda x:
            math.copysign(1, x) < 0}
    for t, like in LIKE.items():
        v = name_of(t, width)
        result = 'int' if width == 1 else name_of(like, width)
        for f, of in tests.items():
            yield Case('relational', f + '(%s, %s)', result, [v, v], width,
                       lambda x, y, g=of: yes * bool(g(x, y)))
        for f, of in ones.items():
            yield Case('relational', f + '(%s)', result, [v], width,
                       lambda x, g=of: SKIP if g is not math.isnan and x != x
                       else yes * bool(g(x)))
        for c in like, 'u' + like:
            b = INTS[c][0]
            yield Case('relational', 'select(%s, %s, %s)', v,
                       [v, v, name_of(c, width)], width,
                       (lambda x, y, z: y if z else x) if width == 1 else
                       (lambda x, y, z, b=b: y if z >> (b - 1) & 1 else x))


def common(width):
    for t in LIKE:
        v = name_of(t, width)
        forms = [[v, v]] + ([[v, t]] if width > 1 else [])
        for form in forms:
            for f, of in (('max', max), ('min', min), ('fmax', max),
                          ('fmin', min)):
                yield Case('common', f + '(%s, %s)', v, form, width,
                           lambda x, y, g=of: g(x, y), no_nan)
        yield Case('common', 'step(%s, %s)', v, [v, v], width,
                   lambda x, y: 0.0 if y < x else 1.0, no_nan)
        yield Case('common', 'clamp(%s, %s, %s)', v, [v, v, v], width,
                   lambda x, y, z: min(max(x, y), z), ordered)
        yield Case('common', 'sign(%s)', v, [v], width,
                   lambda x: 0.0 if x != x else x if x == 0 else
                   math.copysign(1.0, x))


def nearest(x, t):
    return to_float(x, t, 'rte')


def exact_math(width):
    rounds = {'floor': 'rtn', 'ceil': 'rtp', 'trunc': 'rtz', 'rint': 'rte'}
    for t in LIKE:
        v, n = name_of(t, width), name_of('int', width)
        for f, mode in rounds.items():
            yield Case('math', f + '(%s)', v, [v], width,
                       lambda x, m=mode: x if special(x) else
                       float(to_integer(exact(x), m)))
        yield Case('math', 'round(%s)', v, [v], width, lambda x:
                   x if special(x) else math.copysign(float(math.floor(
                       abs(exact(x)) + Fraction(1, 2))), x))
        yield Case('math', 'fabs(%s)', v, [v], width, lambda x: abs(x))
        yield Case('math', 'copysign(%s, %s)', v, [v, v], width,
                   lambda x, y: SKIP if y != y else math.copysign(x, y))
        yield Case('math', 'fma(%s, %s, %s)', v, [v, v, v], width,
                   lambda x, y, z, t=t: SKIP if special(x) or special(y) or
                   special(z) else nearest(
                       exact(x) * exact(y) + exact(z), t))
        if t == 'half':
            yield from half_arithmetic(v, width)
        yield Case('math', '(%s / %s)', v, [v, v], width,
                   lambda x, y, t=t: SKIP if t == 'float' or special(x) or
                   special(y) or y == 0 else nearest(exact(x) / exact(y), t))
        yield Case('math', 'ldexp(%s, %s)', v, [v, n], width,
                   lambda x, k, t=t: x if special(x) else nearest(
                       exact(x) * Fraction(2) ** max(min(k, 3000), -3000), t))
        yield Case('math', 'fmod(%s, %s)', v, [v, v], width,
                   lambda x, y: SKIP if special(x) or special(y) or y == 0
                   else math.fmod(x, y))
        yield Case('math', 'remainder(%s, %s)', v, [v, v], width,
                   lambda x, y: SKIP if special(x) or special(y) or y == 0
                   else math.remainder(x, y))
        yield Case('math', 'nextafter(%s, %s)', v, [v, v], width,
                   lambda x, y, t=t: SKIP if special(x) or special(y) or
                   abs(x) < 1e-30 else next_after(x, y, t))


def half_arithmetic(v, width):
    """Each operation, rounded once."""
    for sign, of in (('+', lambda x, y: x + y), ('-', lambda x, y: x - y),
                     ('*', lambda x, y: x * y)):
        yield Case('math', f'(%s {sign} %s)', v, [v, v], width,
                   lambda x, y, g=of: SKIP if special(x) or special(y) else
                   nearest(g(exact(x), exact(y)), 'half'))
    yield Case('math', 'sqrt(%s)', v, [v], width,
               lambda x: SKIP if special(x) or x < 0 else square_root(x))


def square_root(x):
    """A root of a half is no middle of two halves: 60 bits decide."""
    root = math.isqrt(int(exact(x) * 2 ** 120))
    return nearest(Fraction(root, 2 ** 60), 'half')


def next_after(x, y, t):
    if x == y:
        return y
    if t == 'double':
        return math.nextafter(x, y)
    bits, format = ('<H', '<e') if t == 'half' else ('<I', '<f')
    n = struct.unpack(bits, struct.pack(format, x))[0]
    n += 1 if (y > x) == (x > 0) else -1
    return struct.unpack(format, struct.pack(bits, n))[0]


def converted(x, source, to, mode, saturates):
    if to in INTS:
        if source in FLOATS:
            if math.isnan(x):
                return 0 if saturates else SKIP
            if math.isinf(x):
                return sat(int(math.copysign(1 << 70, x)), to) \
                    if saturates else SKIP
            x = to_integer(exact(x), mode or 'rtz')
            if saturates:
                return sat(x, to)
            low, high = low_high(to)
            return x if low <= x <= high else SKIP
        return sat(x, to) if saturates else wrap(x, to)
    if special(x):
        return x
    if source in FLOATS and x == 0:
        return x
    return to_float(exact(x), to, mode or 'rte')


def conversions(width):
    bases = list(INTS) + list(LIKE)
    for to in bases:
        for source in bases:
            for mode in '', 'rte', 'rtz', 'rtp', 'rtn':
                for s in ('', '_sat') if to in INTS else ('',):
                    m = '_' + mode if mode else ''
                    yield Case(
                        'convert', f'convert_{name_of(to, width)}{s}{m}(%s)',
                        name_of(to, width), [name_of(source, width)], width,
                        lambda x, a=source, b=to, m=mode, s=s:
                        converted(x, a, b, m, bool(s)))


def halves(width):
    """Through memory: an array of half has no padding after 3 elements."""
    w = str(width) if width > 1 else ''
    for t in 'float', 'double':
        v = name_of(t, width)
        for mode in '', '_rte', '_rtz', '_rtp', '_rtn':
            yield Case('half', f'vstorea_half{w}{mode}(((global const {v} *)a)'
                       f'[i], i, (global half *)o);' if width > 1 else
                       f'vstore_half{mode}(((global const {t} *)a)[i], i, '
                       '(global half *)o);', name_of('half', width), [v],
                       width, lambda x, m=mode: x if special(x) or x == 0
                       else to_float(exact(x), 'half', m[1:] or 'rte'))
            if width in (2, 4, 8, 16):  # three are packed: memory.cl
                yield Case('half', f'vstore_half{w}{mode}(((global const {v} '
                           '*)a)[i], i, (global half *)o);',
                           name_of('half', width), [v], width,
                           lambda x, m=mode: x if special(x) or x == 0
                           else to_float(exact(x), 'half', m[1:] or 'rte'))
    v = name_of('float', width)
    load = f'vloada_half{w}' if width > 1 else 'vload_half'
    yield Case('half', f'((global {v} *)o)[i] = {load}(i, '
               '(global const half *)a);', v, [name_of('half', width)], width,
               lambda x: x)


def shuffles(width):
    if width not in (2, 4, 8, 16):
        return
    for t in list(INTS) + list(LIKE):
        mask = t if t.startswith('u') else 'u' + LIKE.get(t, t)
        for n in 2, 4, 8, 16:
            a, r = name_of(t, n), name_of(t, width)
            m = name_of(mask, width)
            yield Case('shuffle', 'shuffle(%s, %s)', r, [a, m], width,
                       lambda k, x, y, n=n: x[y[k] % n], whole=True)
            yield Case('shuffle', 'shuffle2(%s, %s, %s)', r, [a, a, m], width,
                       lambda k, x, y, z, n=n: (x + y)[z[k] % (2 * n)],
                       whole=True)


GROUPS = [integers, bit_fields, dot_products, relational, common, exact_math, conversions, halves,
          shuffles]


def run(command):
    done = subprocess.run([str(c) for c in command], capture_output=True,
                          text=True)
    if done.returncode:
        sys.exit(f'{command[0]}: {done.stderr[-3000:]}')


def check(options, cases, folder):
    """Compiles and runs; the messages about what is wrong."""
    rng = random.Random(7)
    text = ''.join(c.text(k) for k, c in enumerate(cases))
    (folder / 'k.cl').write_text(
        '#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n'
        '#define FIELD(w, bits) (w) % (bits + 1), '
        '((w) >> 8) % (bits + 1 - (w) % (bits + 1))\n' + text)
    inputs, values = b'', []
    for case in cases:
        items = case.items(options.points)
        blob, columns = case.data(rng, items)
        inputs += struct.pack('<I', items) + blob
        values.append((items, columns))
    (folder / 'in').write_bytes(inputs)
    elf = folder / 'k.elf'
    run([options.compiler, '-w', '-o', folder / 'k.o', folder / 'k.cl'])
    run([options.ventus, 'link', '-o', elf, folder / 'k.o'])
    run([options.device, elf, folder / 'in', folder / 'out'])
    data = (folder / 'out').read_bytes()
    errors = []
    for k, (case, (items, columns)) in enumerate(zip(cases, values)):
        text = case.check(data[k * BYTES:(k + 1) * BYTES], columns, items)
        if text:
            errors.append(f'{case.result} {case.call} of {case.args}: {text}')
    return errors


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('ventus')
    parser.add_argument('--compiler', required=True)
    parser.add_argument('--device', required=True)
    parser.add_argument('--widths', default='1,2,3,4,8,16')
    parser.add_argument('--group')
    parser.add_argument('--except', dest='other')
    parser.add_argument('--points', type=int, default=64)
    parser.add_argument('--sample', type=int, default=1)
    parser.add_argument('--batch', type=int, default=400)
    options = parser.parse_args()
    failed = total = 0
    with tempfile.TemporaryDirectory() as folder:
        for width in map(int, options.widths.split(',')):
            cases = [c for g in GROUPS for c in g(width)
                     if options.group in (None, c.group) and
                     c.group != options.other][width % options.sample::
                                               options.sample]
            for at in range(0, len(cases), options.batch):
                part = cases[at:at + options.batch]
                errors = check(options, part, Path(folder))
                total, failed = total + len(part), failed + len(errors)
                for error in errors:
                    print(error, flush=True)
    print(f'{total} functions, {failed} failed')
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
