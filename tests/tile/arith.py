#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tile arithmetic against exact arithmetic in Python: matrix multiply of every
type in the stated order of k, bit by bit; arithmetic, conversions, transpose.

    arith.py VENTUS CLANG LLD"""
import math
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile
from fractions import Fraction

# exponent bits, fraction bits, has infinity
FLOATS = {"f32": (8, 23, True), "tf32": (8, 23, True), "f16": (5, 10, True),
          "bf16": (8, 7, True), "e4m3": (4, 3, False), "e5m2": (5, 2, True)}
SIZE = {"f32": 4, "tf32": 4, "i32": 4, "f16": 2, "bf16": 2, "e4m3": 1,
        "e5m2": 1, "i8": 1, "u8": 1, "s8": 1}


def unpack(fmt, x):
    """Bits to a Fraction, or 'nan', 'inf', '-inf'; -0 is lost, see sign."""
    if fmt == "i32":
        return Fraction(x - (1 << 32) if x >> 31 else x)
    if fmt in ("i8", "s8"):
        return Fraction(x - 256 if x >> 7 else x)
    if fmt == "u8":
        return Fraction(x)
    eb, fb, inf = FLOATS[fmt]
    if fmt == "tf32":
        x &= ~0x1fff
    s, e, f = x >> (eb + fb), x >> fb & (1 << eb) - 1, x & (1 << fb) - 1
    bias = (1 << (eb - 1)) - 1
    if inf and e == (1 << eb) - 1:
        return "nan" if f else "-inf" if s else "inf"
    if not inf and x & (1 << (eb + fb)) - 1 == (1 << (eb + fb)) - 1:
        return "nan"
    v = Fraction(f if e == 0 else f | 1 << fb) * \
        Fraction(2) ** ((1 if e == 0 else e) - bias - fb)
    return -v if s else v


def pack(fmt, v, negative=False, saturate=False, rm="rne"):
    """A number to bits, rounded once; `negative`: the sign of a zero."""
    eb, fb, inf = FLOATS[fmt]
    ones = (1 << eb) - 1
    infinity = ones << fb if inf else (1 << (eb + fb)) - 1
    if v == "nan":
        return ones << fb | 1 << (fb - 1) if inf else infinity
    if v in ("inf", "-inf"):
        top = infinity - 1 if saturate and not inf else infinity
        return top | (v == "-inf") << (eb + fb)
    sign = v < 0 or v == 0 and negative
    v, bias = abs(v), (1 << (eb - 1)) - 1
    exponent = max(log2_floor(v), 1 - bias) if v else 1 - bias
    q = v / Fraction(2) ** (exponent - fb)
    n = q.numerator // q.denominator
    rest = q - n
    up = {"rne": rest > Fraction(1, 2) or rest == Fraction(1, 2) and n & 1,
          "rtz": False, "rdn": rest > 0 and sign,
          "rup": rest > 0 and not sign}[rm]
    n += bool(up)
    bits = n + ((exponent + bias - 1) << fb)
    if bits >= infinity:
        away = rm == "rne" or rm == ("rdn" if sign else "rup")
        bits = infinity if away and not saturate else infinity - 1
    return bits | sign << (eb + fb)


def log2_floor(v):
    n = v.numerator.bit_length() - v.denominator.bit_length()
    return n if Fraction(2) ** n <= v else n - 1


def is_negative(fmt, x):
    return bool(x >> (8 * SIZE[fmt] - 1))


def fma(a, b, c, fa, fb):
    """binary32 a * b + c; a, b are bits of fa, fb; c of binary32."""
    x, y, z = unpack(fa, a), unpack(fb, b), unpack("f32", c)
    sign = is_negative(fa, a) != is_negative(fb, b)
    if "nan" in (x, y, z):
        return 0x7fc00000
    infinite = [v for v in (x, y) if isinstance(v, str)]
    if infinite:
        if 0 in (x, y):
            return 0x7fc00000
        product = "-inf" if sign else "inf"
        if isinstance(z, str) and z != product:
            return 0x7fc00000
        return pack("f32", product)
    if isinstance(z, str):
        return c
    exact = x * y + z
    zero = sign and is_negative("f32", c) if x * y == 0 and z == 0 else False
    return pack("f32", exact, zero)


def random_bits(r, fmt):
    """Mostly moderate numbers, sometimes anything."""
    bits = 8 * SIZE[fmt]
    if fmt not in FLOATS or r.random() < 0.03 or bits == 8:
        x = r.getrandbits(bits)
        if fmt in ("e4m3", "e5m2") and r.random() < 0.97 \
                and isinstance(unpack(fmt, x), str):
            return 0x38
        return x
    return pack(fmt, Fraction(r.gauss(0, 3)))


class Test:
    """One instruction: tr0.. = tiles; what td must become."""

    def __init__(self, text, tiles, td, want, near=None):
        self.text, self.tiles, self.td = text, tiles, td
        self.want, self.near = want, near


def elements(tile, size):
    return [int.from_bytes(tile[i:i + size], "little")
            for i in range(0, 256, size)]


def to_tile(values, size):
    return b"".join((v & (1 << 8 * size) - 1).to_bytes(size, "little")
                    for v in values)


def random_tile(r, fmt):
    return to_tile([random_bits(r, fmt) for _ in range(256 // SIZE[fmt])],
                   SIZE[fmt])


def mma(r, name, fa, fb, options=""):
    a, b = random_tile(r, fa), random_tile(r, fb)
    d = random_tile(r, "i32" if fa in ("s8", "u8") else "f32")
    return Test(f"tmma.{name} tr2, tr0, tr1{options}", [a, b, d], 2,
                product(a, b, d, fa, fb, options))


def product(a, b, d, fa, fb, options=""):
    """The tile D that becomes of the tiles A, B and D."""
    k_count = 32 // SIZE[fa]
    whole = fa in ("s8", "u8")
    ea, eb, ed = elements(a, SIZE[fa]), elements(b, SIZE[fb]), elements(d, 4)
    out = []
    flip = 1 << (8 * SIZE[fa] - 1)
    for m in range(8):
        for n in range(8):
            acc = ed[8 * m + n]
            if "negd" in options:
                acc = -acc & 0xffffffff if whole else acc ^ 1 << 31
            for k in range(k_count):
                x = ea[k * 8 + m if "ta" in options else m * k_count + k]
                y = eb[k * 8 + n if "tb" in options else n * k_count + k]
                if whole:
                    p = int(unpack(fa, x) * unpack(fb, y))
                    acc += -p if ", neg," in options + "," else p
                else:
                    if ", neg," in options + ",":
                        x ^= flip
                    acc = fma(x, y, acc, fa, fb)
            out.append(acc & 0xffffffff)
    return to_tile(out, 4)


def mmas(r):
    out = []
    for name, fa, fb in (("s8", "s8", "s8"), ("u8", "u8", "u8"),
                         ("s8u8", "s8", "u8"), ("u8s8", "u8", "s8"),
                         ("f16", "f16", "f16"), ("bf16", "bf16", "bf16"),
                         ("tf32", "tf32", "tf32"), ("f32", "f32", "f32"),
                         ("e4m3", "e4m3", "e4m3"), ("e5m2", "e5m2", "e5m2"),
                         ("e4m3e5m2", "e4m3", "e5m2"),
                         ("e5m2e4m3", "e5m2", "e4m3")):
        out += [mma(r, name, fa, fb), mma(r, name, fa, fb, ", neg, negd")]
        if SIZE[fa] == 1:
            out.append(mma(r, name, fa, fb, ", ta, tb"))
    return out


def float2(op, fmt, a, b):
    x, y = unpack(fmt, a), unpack(fmt, b)
    if op in ("and", "or", "xor"):
        return {"and": a & b, "or": a | b, "xor": a ^ b}[op]
    one = pack("f32", Fraction(1))
    if op == "add" or op == "sub":
        if fmt != "f32":  # exact in binary32 is not given; round twice as we do
            a, b = pack32(fmt, a), pack32(fmt, b)
        s = fma(one, a, b ^ (1 << 31 if op == "sub" else 0), "f32", "f32")
        return narrow(fmt, s)
    if op == "mul":
        zero = 1 << 31 if is_negative(fmt, a) != is_negative(fmt, b) else 0
        return narrow(fmt, fma(pack32(fmt, a), pack32(fmt, b), zero, "f32",
                               "f32"))
    full = (1 << 8 * SIZE[fmt]) - 1
    nan = "nan" in (x, y)
    key = {"inf": Fraction(2) ** 200, "-inf": -Fraction(2) ** 200}
    x, y = key.get(x, x) if isinstance(x, str) else x, \
        key.get(y, y) if isinstance(y, str) else y
    if nan:
        return full if op == "sne" else 0
    return full if {"seq": x == y, "sne": x != y, "slt": x < y,
                    "sle": x <= y}[op] else 0


def pack32(fmt, a):
    return pack("f32", unpack(fmt, a), is_negative(fmt, a))


def narrow(fmt, bits):
    return bits if fmt == "f32" else \
        pack(fmt, unpack("f32", bits), is_negative("f32", bits))


def int2(op, a, b):
    sa, sb = int(unpack("i32", a)), int(unpack("i32", b))
    true = 0xffffffff
    return {"add": a + b, "sub": a - b, "mul": a * b, "and": a & b,
            "or": a | b, "xor": a ^ b, "sll": a << (b & 31),
            "srl": a >> (b & 31), "sra": sa >> (b & 31),
            "min": min(sa, sb), "max": max(sa, sb), "minu": min(a, b),
            "maxu": max(a, b), "seq": true * (a == b), "sne": true * (a != b),
            "slt": true * (sa < sb), "sle": true * (sa <= sb),
            "sltu": true * (a < b), "sleu": true * (a <= b),
            "div": -1 if b == 0 else
            abs(sa) // abs(sb) * (-1 if (sa < 0) != (sb < 0) else 1)}[op]


def alu2s(r):
    out = []
    for fmt in ("f32", "f16", "bf16", "i32"):
        size = SIZE[fmt]
        ops = ["add", "sub", "mul", "and", "or", "xor", "seq", "sne", "slt",
               "sle"]
        if fmt == "i32":
            ops += ["div", "min", "max", "minu", "maxu", "sll", "srl", "sra",
                    "sltu", "sleu"]
        for op in ops:
            a, b = random_tile(r, fmt), random_tile(r, fmt)
            values = [int2(op, x, y) if fmt == "i32" else float2(op, fmt, x, y)
                      for x, y in zip(elements(a, size), elements(b, size))]
            out.append(Test(f"t{op}.{fmt} tr2, tr0, tr1", [a, b], 2,
                            to_tile(values, size)))
    return out


def convert(sf, df, rm, x):
    v = unpack(sf, x)
    if df in FLOATS:
        sign = sf in FLOATS and is_negative(sf, x)
        return pack(df, v, sign, False, rm)
    low, high = {"i32": (-1 << 31, (1 << 31) - 1), "i8": (-128, 127),
                 "u8": (0, 255)}[df]
    if v == "nan":
        return 0
    if isinstance(v, str):
        return high if v == "inf" else low
    n = {"rne": round, "rtz": math.trunc, "rdn": math.floor,
         "rup": math.ceil}[rm](v)
    return max(low, min(high, n))


def cvts(r):
    out, formats = [], ["f32", "f16", "bf16", "i32", "e4m3", "e5m2", "i8",
                        "u8"]
    for sf in formats:
        for df in formats:
            ss, ds, rm = SIZE[sf], SIZE[df], r.choice(["rne", "rtz", "rdn",
                                                       "rup"])
            part = r.randrange(max(ss, ds) // min(ss, ds))
            a, d = random_tile(r, sf), r.randbytes(256)
            want, n = bytearray(d), 32 // max(ss, ds)
            for row in range(8):
                for c in range(n):
                    at = 32 * row + ss * (c + part * n if ss < ds else c)
                    to = 32 * row + ds * (c + part * n if ss > ds else c)
                    y = convert(sf, df, rm,
                                int.from_bytes(a[at:at + ss], "little"))
                    want[to:to + ds] = (y & (1 << 8 * ds) - 1) \
                        .to_bytes(ds, "little")
            suffix = "" if rm == "rne" else "." + rm
            out.append(Test(f"tcvt.{df}.{sf}.p{part}{suffix} tr1, tr0",
                            [a, d], 1, bytes(want)))
    return out


def others(r):
    """Transpose, moves, row masks, reductions, fused multiply-add."""
    out = []
    for fmt, size in (("i8", 1), ("f16", 2), ("i32", 4)):
        a, n = r.randbytes(256), 32 // size
        e = elements(a, size)
        out.append(Test(f"ttrn.{fmt} tr1, tr0", [a], 1, to_tile(
            [e[(i % 8) * n + i // 8] for i in range(8 * n)], size)))
    a, b, c = (random_tile(r, "f32") for _ in range(3))
    fused = [fma(x, y, z, "f32", "f32") for x, y, z in
             zip(elements(a, 4), elements(b, 4), elements(c, 4))]
    out.append(Test("tmad.f32 tr3, tr0, tr1, tr2", [a, b, c], 3,
                    to_tile(fused, 4)))
    i = random_tile(r, "i32")
    e = elements(i, 4)
    rows = [sum(e[8 * m:8 * m + 8]) for m in range(8) for _ in range(8)]
    columns = [sum(e[n::8]) for _ in range(8) for n in range(8)]
    out.append(Test("trsum.i32 tr1, tr0", [i], 1, to_tile(rows, 4)))
    out.append(Test("tcsum.i32 tr1, tr0", [i], 1, to_tile(columns, 4)))
    return out


def sfu(r):
    """Within 2 ulp of the exact value; the C library's own is close enough."""
    out = []
    functions = {"exp": math.exp, "exp2": lambda x: 2.0 ** x,
                 "ln": math.log, "log2": math.log2, "sqrt": math.sqrt,
                 "rsqrt": lambda x: 1 / math.sqrt(x), "rcp": lambda x: 1 / x,
                 "sin": math.sin, "cos": math.cos, "tanh": math.tanh,
                 "sigm": lambda x: 1 / (1 + math.exp(-x)), "erf": math.erf}
    for name, f in functions.items():
        values = [abs(r.gauss(0, 2)) + 0.01 for _ in range(64)]
        a = struct.pack("<64f", *values)
        want = [f(v) for v in struct.unpack("<64f", a)]
        out.append(Test(f"t{name}.f32 tr1, tr0", [a], 1, None, want))
    return out


def right(test, got):
    if test.near is None:
        return got == test.want
    for x, y in zip(struct.unpack("<64f", got), test.near):
        if abs(x - y) > 2 * 2 ** -23 * abs(y):
            return False
    return True


def program(tests):
    """Each loads its tiles, runs, stores td."""
    lines = [".globl _start", "_start:", "la a0, data", "la a1, out"]
    for t in tests:
        for i, _ in enumerate(t.tiles):
            lines += [f"tld.g tr{i}, 0(a0)", "addi a0, a0, 256"]
        lines += ["twait.g ld=0", t.text, "twait.all",
                  f"tst.g tr{t.td}, 0(a1)", "addi a1, a1, 256",
                  "twait.g st=0"]
    lines += ["li a0, 0", "li a7, 93", "ecall", ".data", ".balign 256",
              f"out: .zero {256 * len(tests)}", ".globl out", "data:"]
    for t in tests:
        for tile in t.tiles:
            lines.append(".byte " + ", ".join(map(str, tile)))
    return "\n".join(lines) + "\n"


def dump(text, size, *options):
    """Assembles and runs a program; the bytes at its symbol `out`."""
    ventus, clang, lld = sys.argv[1:4]
    if not (shutil.which(clang) and shutil.which(lld)):
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        stem = os.path.join(folder, "p")
        with open(stem + ".s", "w", encoding="utf-8") as f:
            f.write(text)
        for command in ([ventus, "tile", "as", stem + ".s", "-o", stem + ".S"],
                        [clang, "--target=riscv64", "-march=rv64gcv", "-c",
                         stem + ".S", "-o", stem + ".o"],
                        [lld, stem + ".o", "-o", stem + ".elf"],
                        [ventus, "tile", "run", stem + ".elf", "--check",
                         "--dump", f"out,{size}={stem}.out", *options]):
            subprocess.run(command, check=True)
        with open(stem + ".out", "rb") as f:
            return f.read()


def main():
    r = random.Random(5)
    tests = mmas(r) + alu2s(r) + cvts(r) + others(r) + sfu(r)
    wrong = 0
    out = dump(program(tests), 256 * len(tests))
    for i, t in enumerate(tests):
        got = out[256 * i:256 * i + 256]
        if not right(t, got):
            wrong += 1
            at = next((e for e in range(256) if t.want and
                       got[e] != t.want[e]), 0) & ~3
            print(f"{t.text}: byte {at}: {got[at:at + 4].hex()}, expected "
                  f"{t.want[at:at + 4].hex() if t.want else 'something else'}")
    print(f"{len(tests)} instructions, {wrong} wrong")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
