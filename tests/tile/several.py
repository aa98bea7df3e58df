#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tile operations on more than one element, register or tile: packed atomics,
atomics and products over several tiles, operands in share memory; and the
flags that conversions to narrower formats raise.

    several.py VENTUS CLANG LLD"""
import random
import struct
import sys
from fractions import Fraction

import arith

ONE = 0x3f800000
# operation: bits, what it computes
INTEGER = {"add": lambda a, b, n: a + b, "xor": lambda a, b, n: a ^ b,
           "or": lambda a, b, n: a | b, "and": lambda a, b, n: a & b,
           "min": lambda a, b, n: min(a, b, key=lambda x: signed(x, n)),
           "max": lambda a, b, n: max(a, b, key=lambda x: signed(x, n)),
           "minu": lambda a, b, n: min(a, b),
           "maxu": lambda a, b, n: max(a, b)}


def signed(x, bits):
    return x - (1 << bits) if x >> (bits - 1) else x


def float_add(fmt, a, b):
    """bf16 is added in binary32 and rounded once more (docs/tile.md)."""
    if fmt == "bf16":
        s = arith.fma(ONE, a << 16, b << 16, "f32", "f32")
        return arith.narrow("bf16", s)
    x, y = arith.unpack(fmt, a), arith.unpack(fmt, b)
    zero = arith.is_negative(fmt, a) and arith.is_negative(fmt, b)
    return arith.pack(fmt, x + y, zero)


def float_least(fmt, a, b, largest):
    """minimumNumber and maximumNumber: -0 is less than +0."""
    def key(x):
        return (arith.unpack(fmt, x), not arith.is_negative(fmt, x))
    return (max if largest else min)(a, b, key=key)


def atomic(name, a, b):
    """What memory becomes of a; name as in `list atomic`."""
    op, kind = name.split(".")
    bits = {"w": 32, "d": 64, "s": 32, "h": 16, "bf16": 16}[kind]
    fmt = {"s": "f32", "h": "f16", "bf16": "bf16"}.get(kind)
    if op in INTEGER:
        return INTEGER[op](a, b, bits) & (1 << bits) - 1
    if op == "fadd" and kind == "d":
        x, y = (struct.unpack("<d", struct.pack("<Q", v))[0] for v in (a, b))
        return struct.unpack("<Q", struct.pack("<d", x + y))[0]
    if op == "fadd":
        return float_add(fmt, a, b)
    if op in ("fmin", "fmax"):
        return float_least(fmt, a, b, op == "fmax")
    return {"swap": b, "inc": 0 if a >= b else a + 1,
            "dec": b if a == 0 or a > b else a - 1}[op]


def operand(r, name):
    op, kind = name.split(".")
    if op == "fadd" and kind == "d":
        return struct.unpack("<Q", struct.pack("<d", r.gauss(0, 9)))[0]
    if op[0] == "f":
        fmt = {"s": "f32", "h": "f16", "bf16": "bf16"}[kind]
        return arith.pack(fmt, Fraction(r.gauss(0, 9)))
    bits = 64 if kind == "d" else 32
    return r.choice([r.getrandbits(bits), r.getrandbits(bits), r.randrange(4),
                     (1 << bits) - 1])


def size_of(name):
    return {"w": 4, "d": 8, "s": 4, "h": 2, "bf16": 2}[name.split(".")[1]]


def pack_all(values, size):
    return b"".join(v.to_bytes(size, "little") for v in values)


class Record:
    """Bytes at a0, which code changes; what they must be afterwards."""

    def __init__(self, code, data, want):
        self.code, self.data, self.want = code, data, want


WORDS = ["add.w", "xor.w", "or.w", "and.w", "min.w", "max.w", "minu.w",
         "maxu.w", "fadd.s", "fmin.s", "fmax.s"]
HALVES = ["fadd.h", "fadd.bf16", "fmin.h", "fmax.h"]
DOUBLES = ["add.d", "xor.d", "or.d", "and.d", "min.d", "max.d", "minu.d",
           "maxu.d", "fadd.d", "swap.d"]
ALONE = ["swap.w", "inc.w", "dec.w"]


def scalars(r):
    """tatom and tred: 0 memory, 16 operand, 24 result."""
    forms = [(n, v) for n in WORDS for v in (1, 2)] + \
        [(n, v) for n in HALVES for v in (1, 2, 4)] + \
        [(n, 1) for n in DOUBLES + ALONE]
    for name, v in forms:
        size = size_of(name)
        old = [operand(r, name) for _ in range(16 // size)]
        b = [operand(r, name) for _ in range(v)]
        first = r.randrange(16 // size - v + 1)
        new = list(old)
        for i in range(v):
            new[first + i] = atomic(name, old[first + i], b[i])
        got = int.from_bytes(pack_all(old[first:first + v], size), "little")
        got = signed(got, 8 * size * v) & (1 << 64) - 1
        where, pack = f"{first * size}", "" if v == 1 else f", v={v}"
        load = "ld t0, 16(a0); addi a1, a0, " + where
        extra = pack_all(b, size).ljust(8, b"\xaa")
        for code, kept in (
                (f"{load}; tatom.{name}.g t1, t0, (a1){pack}", True),
                (f"{load}; tatom.{name}.g -, t0, (a1){pack}", False),
                (f"{load}; tred.{name}.g t0, {first}(a0){pack}", False),
                (f"{load}; li t2, {where}; tred.{name}.g t0, t2(a0){pack}",
                 False)):
            yield Record(
                f"li t1, 0; {code}; twait.g ld=0, st=0; sd t1, 24(a0)",
                pack_all(old, size) + extra + bytes(8),
                pack_all(new, size) + extra +
                (got if kept else 0).to_bytes(8, "little"))


def swaps_if_equal(r):
    """cas: 0 memory, 8 new, 16 expected, 24 result."""
    for kind, size in (("w", 4), ("d", 8)):
        bits = 8 * size
        for equal in (True, False, None):
            old, new = r.getrandbits(bits), r.getrandbits(bits)
            # None: differs in the highest bit alone.
            expected = old if equal else old ^ (1 << bits - 1) \
                if equal is None else r.getrandbits(bits)
            data = [x.to_bytes(8, "little") for x in (old, new, expected, 0)]
            want = list(data)
            if equal:
                want[0] = new.to_bytes(8, "little")
            want[3] = (signed(old, bits) & (1 << 64) - 1).to_bytes(8, "little")
            yield Record(f"ld t0, 8(a0); ld t2, 16(a0); tatom.cas.{kind}.g "
                         "t1, t0, (a0), t2; twait.g ld=0, st=0; "
                         "sd t1, 24(a0)", b"".join(data), b"".join(want))


def share(r):
    """The same in share memory, of which scalar code sees the own PE's."""
    for name, v in (("add.w", 2), ("fadd.h", 4), ("max.d", 1)):
        size = size_of(name)
        old, b = ([operand(r, name) for _ in range(v)] for _ in range(2))
        new = [atomic(name, x, y) for x, y in zip(old, b)]
        pack = "" if v == 1 else f", v={v}"
        yield Record(
            "li a2, 0x100000100; li a3, 0x100; ld t0, 0(a0); sd t0, 0(a2); "
            f"ld t0, 8(a0); tatom.{name}.s t1, t0, (a3){pack}; "
            "twait.s ld=0, st=0; ld t0, 0(a2); sd t0, 0(a0); sd t1, 8(a0)",
            pack_all(old, size) + pack_all(b, size),
            pack_all(new, size) + pack_all(old, size))


def tiles(r):
    """tatomt: n tiles of memory, then n tiles of operands or old values."""
    for name, n, rtn, masked in (
            ("add.w", 1, True, False), ("fadd.h", 2, True, True),
            ("maxu.d", 4, False, False), ("min.w", 8, True, True),
            ("fadd.bf16", 4, False, True), ("fmax.s", 2, True, False)):
        size, count = size_of(name), 256 * n // size_of(name)
        mask = r.getrandbits(64) if masked else (1 << 64) - 1
        old, b = ([operand(r, name) for _ in range(count)] for _ in range(2))
        rows = [bool(mask >> (i * size // 32) & 1) for i in range(count)]
        new = [atomic(name, x, y) if on else x
               for x, y, on in zip(old, b, rows)]
        left = [x if on and rtn else y for x, y, on in zip(old, b, rows)]
        options = f", n={n}" * (n > 1) + ", rtn" * rtn + ", m" * masked
        many = f", n={n}" * (n > 1)
        yield Record(
            f"li t0, {mask}; tcsrw tmask, t0; li a2, {256 * n}; "
            f"add a1, a0, a2; tld.g tr9, 0(a1){many}; "
            "twait.g ld=0; "
            f"tatomt.{name}.g tr9, 0(a0){options}; twait.g ld=0, st=0; "
            f"tst.g tr9, 0(a1){many}; twait.g st=0; li t0, -1; "
            "tcsrw tmask, t0",
            pack_all(old, size) + pack_all(b, size),
            pack_all(new, size) + pack_all(left, size))


def products(r):
    """A tiles, B tiles, D tiles; a last D that must stay as it is."""
    for name, fa, fb, n, multi, options in (
            ("s8", "s8", "s8", 2, False, ""), ("u8", "u8", "u8", 8, True, ""),
            ("s8u8", "s8", "u8", 4, False, ", ta, tb, neg"),
            ("f16", "f16", "f16", 4, False, ", negd"),
            ("bf16", "bf16", "bf16", 4, True, ", neg"),
            ("e4m3e5m2", "e4m3", "e5m2", 2, True, ", ta, tb"),
            ("tf32", "tf32", "tf32", 8, False, ""),
            ("f32", "f32", "f32", 2, True, "")):
        na, nb = (n, 1) if multi else (1, n)
        a = [arith.random_tile(r, fa) for _ in range(na)]
        b = [arith.random_tile(r, fb) for _ in range(nb)]
        kind = "i32" if fa in ("s8", "u8") else "f32"
        d = [arith.random_tile(r, kind) for _ in range(n + 1)]
        want = [arith.product(a[i if multi else 0], b[0 if multi else i],
                              d[i], fa, fb, options) for i in range(n)]
        text = f", n={n}" + ", multi" * multi + options
        load = f"addi a1, a0, 0; {load_tiles('tr16', na)}" \
            f"{load_tiles('tr32', nb)}mv a2, a1; {load_tiles('tr64', n + 1)}"
        store = "twait.all; mv a1, a2; " + store_tiles(n + 1)
        for form in ("tr64, tr16, tr32", "tr64, tr16, v9", "tr64, v8, tr32",
                     "tr64, v8, v9"):
            yield Record(
                f"{load}{to_share(na, nb)}tmma.{name} {form}{text}; {store}",
                b"".join(a + b + d), b"".join(a + b + want + d[n:]))


def load_tiles(first, n):
    """One by one from a1 on, which moves on."""
    at = int(first[2:])
    return "".join(f"tld.g tr{at + i}, 0(a1); addi a1, a1, 256; "
                   for i in range(n)) + "twait.g ld=0; "


def store_tiles(n):
    return "".join(f"tst.g tr{64 + i}, 0(a1); addi a1, a1, 256; "
                   for i in range(n)) + "twait.g st=0"


def to_share(na, nb):
    """A with rows 64 B apart and tiles 1 KiB, B with 96 B and 768 B; v8 and
    v9 describe them."""
    out = "vsetivli zero, 4, e32, m1, ta, ma; "
    for base, n, pitch, step, first, v in ((0x400, na, 64, 1024, 16, 8),
                                           (0x4000, nb, 96, 768, 32, 9)):
        out += f"li a4, {pitch // 32}; "
        for i in range(n):
            out += f"li a3, {base + i * step}; " \
                f"tsts.s tr{first + i}, 0(a3), a4; "
        out += "twait.s st=0; la t0, room; "
        for i, x in enumerate((base, pitch, step, 0)):
            out += f"li t1, {x}; sw t1, {4 * i}(t0); "
        out += f"vle32.v v{v}, (t0); "
    return out


NX, UF, OF, NV = 1, 2, 4, 16


def is_tiny(fmt, v, rm):
    """RISC-V, 11.2: after rounding, as if the exponent had no bound."""
    eb, fb, _ = arith.FLOATS[fmt]
    least = Fraction(2) ** (2 - (1 << (eb - 1)))
    if v == 0 or abs(v) >= least:
        return False
    # The same fraction bits, one binade higher than the least normal's.
    scaled = arith.pack("f32" if fb == 23 else fmt, v * 4, v < 0, False, rm)
    return abs(arith.unpack(fmt, scaled)) < least * 4


def flags_of(fmt, v, got, rm):
    """Of a conversion of the number v that gave the bits `got`."""
    if fmt in arith.FLOATS:
        back = arith.unpack(fmt, got)
        eb, fb, inf = arith.FLOATS[fmt]
        top = arith.unpack(fmt, ((1 << eb) - 1 << fb if inf
                                 else (1 << eb + fb) - 1) - 1)
        # What is beyond the largest after rounding with a free exponent.
        unit = Fraction(2) ** (arith.log2_floor(top) - fb)
        over = abs(v) >= top + unit or abs(v) > top and (
            isinstance(back, str) or rounds_over(fmt, abs(v), top, unit, v < 0,
                                                 rm))
        if over:
            return OF | NX
        return 0 if back == v else NX | (UF if is_tiny(fmt, v, rm) else 0)
    exact = v == int(v)
    low, high = {"i8": (-128, 127), "u8": (0, 255),
                 "i32": (-1 << 31, (1 << 31) - 1)}[fmt]
    n = {"rne": round, "rtz": int, "rdn": lambda x: x.__floor__(),
         "rup": lambda x: x.__ceil__()}[rm](v)
    return NV if not low <= n <= high else 0 if exact else NX


def rounds_over(fmt, v, top, unit, negative, rm):
    if rm == "rne":  # the largest e4m3 is even: a tie comes down to it
        return v > top + unit / 2 or v == top + unit / 2 and fmt != "e4m3"
    return rm == ("rdn" if negative else "rup")


def corner_numbers(fmt):
    """binary32 numbers about the limits of a format."""
    if fmt in arith.FLOATS:
        eb, fb, _ = arith.FLOATS[fmt]
        least = Fraction(2) ** (2 - (1 << (eb - 1)))
        ulp = least / (1 << fb)
        last = (1 << eb + fb) - (2 if fmt == "e4m3" else (1 << fb) + 1)
        top = arith.unpack(fmt, last)
        unit = Fraction(2) ** (arith.log2_floor(top) - fb)
        return [least, least - ulp, least - ulp / 2, least - ulp / 4,
                least - ulp * 3 / 8, least + ulp / 2, ulp, ulp / 2, ulp / 4,
                ulp * 3 / 4, ulp * 3 / 2, top, top + unit / 4, top + unit / 2,
                top + unit * 3 / 4, top + unit, Fraction(3, 2), Fraction(1)]
    top = {"i8": 127, "u8": 255, "i32": 0x7fffff00}[fmt]
    return [Fraction(x) for x in (0, 1, 0.5, 1.5, 0.25, top, top + 0.5,
                                  top + 1, top * 4)]


def conversions():
    """0 a word, which is the only element that is not 0; 8 the flags, 12 the
    result, which arith's model gives."""
    for fmt in ("f16", "bf16", "e4m3", "e5m2", "i8", "u8", "i32"):
        for v in corner_numbers(fmt):
            for v in (v, -v):
                x = arith.pack("f32", v, v < 0)
                if arith.unpack("f32", x) != v:
                    continue
                for rm in ("rne", "rtz", "rdn", "rup"):
                    yield conversion(fmt, x, v, rm)


def conversion(fmt, x, v, rm):
    got = arith.convert("f32", fmt, rm, x)
    data = x.to_bytes(4, "little") + bytes(12)
    want = struct.pack("<IIII", x, 0, flags_of(fmt, v, got, rm),
                       got & (1 << 8 * arith.SIZE[fmt]) - 1)
    suffix = "" if rm == "rne" else "." + rm
    part = "" if arith.SIZE[fmt] == 4 else ".p0"
    return Record(
        "lw t0, 0(a0); tmv.t.x tr0, zero.d, bc; tmv.t.x tr1, zero.d, bc; "
        f"tmv.t.x tr0, t0.w; tcsrw tfcsr, zero; "
        f"tcvt.{fmt}.f32{part}{suffix} tr1, tr0; twait.alu; "
        "tcsrr t1, tfcsr; sw t1, 8(a0); tmv.x.t t1.w, tr1; sw t1, 12(a0)",
        data, want)


def program(records):
    lines = [".globl _start", "_start:", "la a0, out"]
    for x in records:
        lines += [c.strip() for c in x.code.split(";")]
        lines += [f"li t0, {len(x.data)}", "add a0, a0, t0"]
    lines += ["li a0, 0", "li a7, 93", "ecall", ".data", ".balign 256",
              "room: .zero 256", ".globl out", "out:"]
    lines += [".byte " + ", ".join(map(str, x.data)) for x in records]
    return "\n".join(lines) + "\n"


def check(records):
    out = arith.dump(program(records), sum(len(x.data) for x in records))
    at = wrong = 0
    for x in records:
        got = out[at:at + len(x.data)]
        at += len(x.data)
        if got != x.want:
            wrong += 1
            e = next(i for i in range(len(got)) if got[i] != x.want[i]) & ~7
            print(f"{x.code}\n  byte {e}: {got[e:e + 8].hex()}, expected "
                  f"{x.want[e:e + 8].hex()}")
    print(f"{len(records)} cases, {wrong} wrong")
    return wrong


def main():
    r = random.Random(7)
    wide = list(tiles(r)) + list(products(r))
    narrow = list(scalars(r)) + list(swaps_if_equal(r)) + list(share(r)) + \
        list(conversions())
    sys.exit(check(wide) + check(narrow) != 0)


if __name__ == "__main__":
    main()
