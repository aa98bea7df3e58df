#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rows that a mask leaves out, parts that quantisation writes, and what tensor
copies of all kinds bring, of small whole numbers (docs/tile.md, Arithmetic,
Tensor copies).

    rows.py VENTUS CLANG LLD"""
import random
import struct
import sys

from several import Record, check

CODES = {"f16": "e", "f32": "f", "i32": "i", "i8": "b"}


def pack(fmt, values):
    return struct.pack(f"<{len(values)}{CODES[fmt]}", *values)


def draw(r, fmt, low=-9, high=9):
    """A tile of whole numbers."""
    return [r.randint(low, high) for _ in range(256 // len(pack(fmt, [0])))]


def select(mask, new, old):
    """Rows of the mask from one tile, the others from the other one."""
    return b"".join((new if mask >> row & 1 else old)[32 * row:32 * row + 32]
                    for row in range(8))


def masked(r):
    """td is tr1; ts1 tr0; the row sums have all rows, of which some remain."""
    n = 8
    a, old = draw(r, "i32"), r.randbytes(256)
    rows = [sum(a[n * m:n * m + n]) for m in range(8) for _ in range(n)]
    transposed = [a[i % 8 * n + i // 8] for i in range(64)]
    cases = [("tabs.i32 tr1, tr0", pack("i32", [abs(x) for x in a])),
             ("tmov.i32 tr1, -tr0", pack("i32", [-x for x in a])),
             ("trelu.i32 tr1, tr0", pack("i32", [max(x, 0) for x in a])),
             ("trsum.i32 tr1, tr0", pack("i32", rows)),
             ("ttrn.i32 tr1, tr0", pack("i32", transposed)),
             ("tcvt.f32.i32.p0 tr1, tr0", pack("f32", a)),
             ("tadd.i32 tr1, tr0, tr0", pack("i32", [2 * x for x in a])),
             ("tmad.i32 tr1, tr0, tr0, tr0",
              pack("i32", [x * x + x for x in a]))]
    for text, new in cases:
        for mask in (0, 0x80, 1, 0xff, r.getrandbits(8)):
            yield Record(
                "tld.g tr0, 0(a0); addi a1, a0, 256; tld.g tr1, 0(a1); "
                f"twait.g ld=0; li t0, {mask}; tcsrw tmask, t0; {text}, m; "
                "twait.alu; tst.g tr1, 0(a1); twait.g st=0; li t0, -1; "
                "tcsrw tmask, t0", pack("i32", a) + old,
                pack("i32", a) + select(mask, new, old))


def quantised(r):
    """a * b + c as signed bytes: the part has as many as the row elements."""
    for fmt, parts in (("f32", 4), ("f16", 2)):
        for part in range(parts):
            a, b, c = (draw(r, fmt) for _ in range(3))
            old, n = r.randbytes(256), 8 * 4 // parts
            want = bytearray(old)
            for i in range(8 * n):
                x = max(-128, min(127, a[i] * b[i] + c[i]))
                want[32 * (i // n) + part * n + i % n] = x & 255
            tiles = b"".join(pack(fmt, x) for x in (a, b, c))
            yield Record(
                "".join(f"addi a1, a0, {256 * i}; tld.g tr{i}, 0(a1); "
                        for i in range(4)) +
                f"twait.g ld=0; li t0, {part}; tcsrw tqcfg, t0; "
                f"tquant.{fmt} tr3, tr0, tr1, tr2; twait.alu; "
                "tst.g tr3, 0(a1); twait.g st=0; tcsrw tqcfg, zero",
                tiles + old, tiles + bytes(want))


def wait(kind, copy):
    """A copy and how its end is seen."""
    if kind == "bulk":
        return f"{copy}; tcommit.tma 0; twait.tma 0; "
    if kind == "sem":
        return (f"tcsrw tsem3, zero; {copy}, 3; 1: tcsrr t0, tsem3; "
                "beqz t0, 1b; ")
    return (f"li a4, 0x80000000; tatom.swap.d.s t0, zero, (a4); {copy}, a4; "
            "li t1, 256; 1: tatom.add.d.s t0, zero, (a4); sext.w t0, t0; "
            "bne t0, t1, 1b; ")


def copied(r):
    """0 and 64 maps of images of 16 x 16 words, 128 and 160 the places in them
    of a box of 8 x 8, 256 and 1280 the images: a box of the first goes to share
    memory, and from there into the second."""
    for load in ("bulk", "mbar", "sem"):
        for store in ("bulk", "mbar", "sem"):
            source, out = r.randbytes(1024), r.randbytes(1024)
            tensor = struct.pack("<8x4B4x4I3Q4H", 2, 2, 0, 0, 16, 16, 1, 1,
                                 64, 0, 0, 8, 8, 1, 1)
            places = struct.pack("<16I", 3, 2, 0, 0, 0, 0, 0, 0,
                                 6, 5, 0, 0, 0, 0, 0, 0)
            want = bytearray(out)
            for y in range(8):
                to = 64 * (y + 5) + 4 * 6
                want[to:to + 32] = source[64 * (y + 2) + 4 * 3:][:32]
            head = tensor + tensor + places + bytes(64)
            yield Record(
                "addi t0, a0, 256; sd t0, 0(a0); addi a1, a0, 64; "
                "addi t0, a0, 1280; sd t0, 0(a1); "
                "vsetivli zero, 8, e32, m1, ta, ma; addi t0, a0, 128; "
                "vle32.v v8, (t0); addi t0, a0, 160; vle32.v v9, (t0); "
                "li a3, 0x400; " +
                wait(load, f"tma.ld.2d.{load} a3, a0, v8") +
                wait(store, f"tma.st.2d.{store} a1, a3, v9") +
                "sd zero, 0(a0); sd zero, 0(a1)",
                head + source + out, head + source + bytes(want))


def main():
    r = random.Random(17)
    wrong = check(list(masked(r)) + list(quantised(r))) + check(list(copied(r)))
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
