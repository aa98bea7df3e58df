#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks src/isa/softfloat.c against IEEE 754 and RISC-V by definition.

    fp_oracle.py FP_DUMP SEED COUNT [all16]

FP_DUMP (fp_dump.c) makes operands and prints what our code says, a line each:

    OP WIDTH RM A B C RESULT FLAGS        all numbers in hex

Here the exact result is a fraction, and rounding asks which numbers of the
format lie next to it.  Square roots are bracketed closely enough to decide.
"""
import subprocess
import sys
from decimal import Decimal, getcontext
from fractions import Fraction
from math import isqrt

RNE, RTZ, RDN, RUP, RMM = range(5)
NX, UF, OF, DZ, NV = 1, 2, 4, 8, 16
INF = 'inf'
FRACTION_BITS = {16: 10, 32: 23, 64: 52}


class Format:
    """What a pattern of bits means, and what is next to a fraction."""

    def __init__(self, width):
        self.width = width
        self.frac = FRACTION_BITS[width]
        self.exp_max = (1 << (width - 1 - self.frac)) - 1
        self.bias = self.exp_max >> 1
        self.sign_bit = 1 << (width - 1)
        self.inf = self.exp_max << self.frac
        self.nan = self.inf | 1 << (self.frac - 1)
        self.emin = 1 - self.bias

    def is_nan(self, a):
        return a & ~self.sign_bit > self.inf

    def is_snan(self, a):
        return self.is_nan(a) and not a >> (self.frac - 1) & 1

    def is_inf(self, a):
        return a & ~self.sign_bit == self.inf

    def is_zero(self, a):
        return a & ~self.sign_bit == 0

    def sign(self, a):
        return a >> (self.width - 1)

    def value(self, a):
        """The number as a fraction."""
        fraction = a & ((1 << self.frac) - 1)
        e = a >> self.frac & self.exp_max
        if e:
            fraction |= 1 << self.frac
        v = fraction * two_to(max(e, 1) - self.bias - self.frac)
        return -v if self.sign(a) else v

    def round(self, value, rm, zero_sign=0):
        """Bits and flags for an exact value; zero_sign is for value 0."""
        if value == 0:
            return zero_sign * self.sign_bit, 0
        sign = int(value < 0)
        v = abs(value)
        e = exponent(v)
        step = max(e, self.emin) - self.frac
        kept = to_integer(v * two_to(-step), sign, rm)
        exact = kept * two_to(step) == v
        flags = 0 if exact else NX
        unbounded = to_integer(v * two_to(self.frac - e), sign, rm) * \
            two_to(e - self.frac)
        if unbounded < two_to(self.emin) and not exact:
            flags |= UF
        bits = self.encode(kept, step)
        if bits >= self.inf:
            flags |= OF | NX
            to_zero = rm == RTZ or rm == (RUP if sign else RDN)
            bits = self.inf - to_zero
        return bits | sign * self.sign_bit, flags

    def encode(self, integer, step):
        """Bits of integer * 2^step, which fits the format or is too large."""
        if integer < 1 << self.frac:
            return integer
        e = integer.bit_length() - 1
        fraction = integer >> (e - self.frac)
        return ((e + step + self.bias - 1) << self.frac) + fraction


def two_to(e):
    return Fraction(1 << e) if e >= 0 else Fraction(1, 1 << -e)


def exponent(v):
    """floor(log2(v)), v > 0."""
    e = v.numerator.bit_length() - v.denominator.bit_length()
    return e if two_to(e) <= v else e - 1


def to_integer(v, sign, rm):
    """v >= 0 to an integer; sign is that of the number it belongs to."""
    whole, rest = divmod(v.numerator, v.denominator)
    twice = 2 * rest
    if rm == RNE:
        return whole + (twice > v.denominator or
                        twice == v.denominator and whole & 1)
    if rm == RMM:
        return whole + (twice >= v.denominator)
    if rm == (RDN if sign else RUP):
        return whole + (rest > 0)
    return whole


FORMATS = {width: Format(width) for width in FRACTION_BITS}


def invalid(f):
    return f.nan, NV


def add(f, rm, a, b):
    nans = nan_result(f, a, b)
    if nans:
        return nans
    if f.is_inf(a) or f.is_inf(b):
        if f.is_inf(a) and f.is_inf(b) and a != b:
            return invalid(f)
        return (a if f.is_inf(a) else b), 0
    same = f.sign(a) if f.sign(a) == f.sign(b) else int(rm == RDN)
    return f.round(f.value(a) + f.value(b), rm, same)


def nan_result(f, *operands):
    if any(f.is_snan(x) for x in operands):
        return invalid(f)
    if any(f.is_nan(x) for x in operands):
        return f.nan, 0
    return None


def sub(f, rm, a, b):
    return add(f, rm, a, b if f.is_nan(b) else b ^ f.sign_bit)


def mul(f, rm, a, b):
    nans = nan_result(f, a, b)
    if nans:
        return nans
    sign = f.sign(a) ^ f.sign(b)
    if f.is_inf(a) or f.is_inf(b):
        if f.is_zero(a) or f.is_zero(b):
            return invalid(f)
        return f.inf | sign * f.sign_bit, 0
    return f.round(f.value(a) * f.value(b), rm, sign)


def div(f, rm, a, b):
    nans = nan_result(f, a, b)
    if nans:
        return nans
    sign = (f.sign(a) ^ f.sign(b)) * f.sign_bit
    if f.is_inf(a):
        return invalid(f) if f.is_inf(b) else (f.inf | sign, 0)
    if f.is_inf(b):
        return sign, 0
    if f.is_zero(b):
        return invalid(f) if f.is_zero(a) else (f.inf | sign, DZ)
    if f.is_zero(a):
        return sign, 0
    return f.round(f.value(a) / f.value(b), rm)


def sqrt(f, rm, a):
    nans = nan_result(f, a)
    if nans:
        return nans
    if f.is_zero(a) or a == f.inf:
        return a, 0
    if f.sign(a):
        return invalid(f)
    v = f.value(a)
    scale = 300 - exponent(v) // 2  # 300 bits of root
    square = v * two_to(2 * scale)
    root = isqrt(square.numerator // square.denominator)
    exact = root * root == square
    return f.round((root if exact else root + Fraction(1, 2)) *
                   two_to(-scale), rm)


def fma(f, rm, a, b, c):
    zero_inf = f.is_zero(a) and f.is_inf(b) or f.is_inf(a) and f.is_zero(b)
    if zero_inf:
        return invalid(f)
    nans = nan_result(f, a, b, c)
    if nans:
        return nans
    sign = f.sign(a) ^ f.sign(b)
    if f.is_inf(a) or f.is_inf(b):
        if f.is_inf(c) and f.sign(c) != sign:
            return invalid(f)
        return f.inf | sign * f.sign_bit, 0
    if f.is_inf(c):
        return c, 0
    zero = sign if sign == f.sign(c) else int(rm == RDN)
    return f.round(f.value(a) * f.value(b) + f.value(c), rm, zero)


def fnmadd(f, rm, a, b, c):
    """-(a * b) - c."""
    flip = [x if f.is_nan(x) else x ^ f.sign_bit for x in (a, c)]
    return fma(f, rm, flip[0], b, flip[1])


def order(f, a):
    """Comparable, -0 before +0."""
    if f.is_inf(a):
        return (Fraction(1 << 2000) * (-1 if f.sign(a) else 1), 0)
    return (f.value(a), 1 - f.sign(a))


def compare(f, a, b, holds, signalling):
    if f.is_nan(a) or f.is_nan(b):
        bad = signalling or f.is_snan(a) or f.is_snan(b)
        return 0, NV if bad else 0
    return int(holds(order(f, a)[0], order(f, b)[0])), 0


def feq(f, _rm, a, b):
    return compare(f, a, b, lambda x, y: x == y, False)


def flt(f, _rm, a, b):
    return compare(f, a, b, lambda x, y: x < y, True)


def fle(f, _rm, a, b):
    return compare(f, a, b, lambda x, y: x <= y, True)


def choose(f, a, b, pick):
    flags = NV if f.is_snan(a) or f.is_snan(b) else 0
    numbers = [x for x in (a, b) if not f.is_nan(x)]
    if not numbers:
        return f.nan, flags
    return pick(numbers, key=lambda x: order(f, x)), flags


def fmin(f, _rm, a, b):
    return choose(f, a, b, min)


def fmax(f, _rm, a, b):
    return choose(f, a, b, max)


def fclass(f, _rm, a):
    s = f.sign(a)
    if f.is_nan(a):
        bit = 8 if f.is_snan(a) else 9
    elif f.is_inf(a):
        bit = 0 if s else 7
    elif f.is_zero(a):
        bit = 3 if s else 4
    elif abs(f.value(a)) < two_to(f.emin):
        bit = 2 if s else 5
    else:
        bit = 1 if s else 6
    return 1 << bit, 0


def to_int(f, rm, a, low, high):
    """Integers are printed as 64 bits."""
    if f.is_nan(a):
        return high, NV
    if f.is_inf(a):
        return (low if f.sign(a) else high) & (1 << 64) - 1, NV
    v = f.value(a)
    i = to_integer(abs(v), f.sign(a), rm) * (-1 if f.sign(a) else 1)
    if not low <= i <= high:
        return (low if i < low else high) & (1 << 64) - 1, NV
    return i & (1 << 64) - 1, 0 if i == v else NX


def to_signed(bits):
    return lambda f, rm, a: to_int(f, rm, a, -1 << (bits - 1),
                                   (1 << (bits - 1)) - 1)


def to_unsigned(bits):
    return lambda f, rm, a: to_int(f, rm, a, 0, (1 << bits) - 1)


def from_int(f, rm, a):
    return f.round(Fraction(a - (a >> 63 << 64)), rm)


def from_uint(f, rm, a):
    return f.round(Fraction(a), rm)


def to_format(width):
    def convert(f, rm, a):
        g = FORMATS[width]
        if f.is_nan(a):
            return g.nan, NV if f.is_snan(a) else 0
        if f.is_inf(a):
            return g.inf | f.sign(a) * g.sign_bit, 0
        return g.round(f.value(a), rm, f.sign(a))
    return convert


def exp_bracket(v):
    """e^v, wrong only far below the last bit of binary64."""
    getcontext().prec = 60
    d = (Decimal(v.numerator) / Decimal(v.denominator)).exp()
    return Fraction(d)


def exp(f, _rm, a):
    """(float)exp((double)a), exp rounded correctly to binary64; no flags."""
    if f.is_nan(a):
        return f.nan, 0
    if f.is_inf(a):
        return (0 if f.sign(a) else f.inf), 0
    v = f.value(a)
    double = FORMATS[64]
    if abs(v) > 800:
        exact = two_to(1100 if v > 0 else -1200)
    elif abs(v) < two_to(-80):
        exact = Fraction(1) + v * two_to(-1000) if v else Fraction(1)
    else:
        exact = exp_bracket(v)
    wide = double.round(exact, RNE)[0]
    if f is double:
        return wide, 0
    if double.is_inf(wide):
        return f.inf, 0
    return f.round(double.value(wide), RNE)[0], 0


OPS = {
    'add': add, 'sub': sub, 'mul': mul, 'div': div, 'sqrt': sqrt, 'fma': fma,
    'fnmadd': fnmadd, 'eq': feq, 'lt': flt, 'le': fle, 'min': fmin,
    'max': fmax, 'class': fclass, 'from_int': from_int,
    'from_uint': from_uint, 'exp': exp,
    **{f'to_i{bits}': to_signed(bits) for bits in (16, 32, 64)},
    **{f'to_u{bits}': to_unsigned(bits) for bits in (16, 32, 64)},
    **{f'to_fp{width}': to_format(width) for width in FORMATS},
}
OPERANDS = {'sqrt': 1, 'fma': 3, 'fnmadd': 3, 'add': 2, 'sub': 2, 'mul': 2,
            'div': 2, 'eq': 2, 'lt': 2, 'le': 2, 'min': 2, 'max': 2}
# exp is within 0.502 ulp: in binary64 a neighbour is right in rare cases.
EXP_ULP = 1


def check(line):
    op, width, rm, *numbers = line.split()
    a, b, c, result, flags = (int(x, 16) for x in numbers)
    f = FORMATS[int(width)]
    operands = (a, b, c)[:OPERANDS.get(op, 1)]
    want, want_flags = OPS[op](f, int(rm), *operands)
    slack = EXP_ULP if op == 'exp' and f.width == 64 else 0
    if abs(want - result) <= slack and want_flags == flags:
        return want != result
    print(f'{line.rstrip()}: expected {want:x} {want_flags:x}')
    return 'wrong'


def main():
    counts, errors, off = {}, 0, 0
    with subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE,
                          text=True) as dump:
        for line in dump.stdout:
            op = line.split(maxsplit=1)[0]
            counts[op] = counts.get(op, 0) + 1
            verdict = check(line)
            errors += verdict == 'wrong'
            off += verdict is True
            if errors == 20:
                sys.exit('too many errors')
    missing = set(OPS) - set(counts)
    print(f'{sum(counts.values())} results, {errors} wrong, {off} of '
          f'{counts.get("exp", 0)} exp not the nearest')
    if dump.returncode or missing:
        sys.exit(f'fp_dump failed or left out {sorted(missing)}')
    return errors != 0 or off * 100 > counts['exp']


if __name__ == '__main__':
    sys.exit(main())
