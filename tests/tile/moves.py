#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Moves between tiles and core registers, slides of vectors, and control and
status registers of the core and of the tile core, against their definitions
(docs/tile.md; RVV 1.0, 16.3; RISC-V, 2.8).

    moves.py VENTUS CLANG LLD"""
import random
import sys

from several import Record, check

SIZES = {"b": 1, "h": 2, "w": 4, "d": 8}
VLENB = 128
ALL = (1 << 64) - 1


def put_nibble(tile, at, value):
    at %= 512
    shift = 4 * (at % 2)
    tile[at // 2] = tile[at // 2] & ~(15 << shift) | (value & 15) << shift


def get_nibble(tile, at):
    at %= 512
    return tile[at // 2] >> 4 * (at % 2) & 15


def scalars_in(r):
    """0 tile, 256 the number; the tile has it afterwards."""
    forms = [("x", s) for s in "bhwdn"] + [("f", s) for s in "hwd"]
    for file, size in forms:
        n = SIZES.get(size)
        for index in (None, 0, 1, 13, 31, "reg", "bc"):
            tile, x = bytearray(r.randbytes(256)), r.getrandbits(64)
            by = r.randrange(1, 600) if index == "reg" else index
            want = bytearray(tile)
            places = range(512 if not n else 256 // n) if index == "bc" \
                else [by or 0]
            for at in places:
                if n:
                    at = at * n % 256
                    want[at:at + n] = (x & (1 << 8 * n) - 1) \
                        .to_bytes(n, "little")
                else:
                    put_nibble(want, at, x)
            operand = {"reg": ", t2", None: ""}.get(index, f", {index}")
            register = "t1" if file == "x" else "ft1"
            yield Record(
                f"tld.g tr4, 0(a0); twait.g ld=0; addi a1, a0, 256; "
                f"{'ld' if file == 'x' else 'fld'} {register}, 0(a1); "
                f"li t2, {by if index == 'reg' else 0}; "
                f"tmv.t.{file} tr4, {register}.{size}{operand}; twait.alu; "
                "tst.g tr4, 0(a0); twait.g st=0",
                bytes(tile) + x.to_bytes(8, "little") + bytes(24),
                bytes(want) + x.to_bytes(8, "little") + bytes(24))


def scalars_out(r):
    """0 tile, 256 the number, 264 another register that must stay."""
    forms = [("x", s) for s in ("b", "h", "w", "d", "n", "hs", "ws", "ds",
                                "ns")] + [("f", s) for s in "hwd"]
    for file, size in forms:
        n, signed = SIZES.get(size[0]), size.endswith("s")
        for index in (None, 0, 3, 31, "reg"):
            tile = r.randbytes(256)
            by = r.randrange(1, 600) if index == "reg" else index or 0
            x = int.from_bytes(tile[by * n % 256:][:n], "little") if n \
                else get_nibble(tile, by)
            bits = 8 * n if n else 4
            if signed and x >> bits - 1:
                x |= ALL << bits & ALL
            if file == "f":
                x |= ALL << bits & ALL  # boxed
            operand = {"reg": ", t2", None: ""}.get(index, f", {index}")
            register, move = ("t1", "sd") if file == "x" else ("ft1", "fsd")
            yield Record(
                f"tld.g tr4, 0(a0); twait.g ld=0; li t2, {by}; "
                f"addi a1, a0, 256; tmv.{file}.t {register}.{size}, tr4"
                f"{operand}; {move} {register}, 0(a1); sd t2, 8(a1)",
                tile + bytes(32), tile + x.to_bytes(8, "little") +
                by.to_bytes(8, "little") + bytes(16))


def vectors(r):
    """0 tile, 256 a vector of two registers, 512 the mask; both ways."""
    for size in "bhwdn":
        n, sew = SIZES.get(size, 1), 8 * SIZES.get(size, 1)
        in_tile = n if size != "n" else 0.5
        for index, count, bc, masked in (
                (None, 5, False, False), (0, 128 // n, False, True),
                (1, 128 // n, False, False), (1, 3, False, True),
                ("reg", 16, False, False), (None, 16, True, False),
                (None, 128 // n, True, True), (None, 1, True, False)):
            tile = bytearray(r.randbytes(256))
            vector = bytearray(r.randbytes(256))
            mask = r.randbytes(128)
            by = 1 if index == "reg" else index or 0
            on = [not masked or mask[e // 8] >> e % 8 & 1
                  for e in range(count)]
            into, out = bytearray(tile), bytearray(vector)
            for e in range(int(256 / in_tile) if bc else count):
                if on[e % count]:
                    place(into, vector, size, n, e if bc else
                          by * VLENB / in_tile + e, e % count)
            for e in range(count):
                if on[e] and size == "n":
                    out[e] = get_nibble(tile, 2 * by * VLENB + e)
                elif on[e]:
                    at = by * VLENB + e * n
                    out[e * n:e * n + n] = tile[at:at + n]
            operand = {"reg": ", t2", None: ""}.get(index, f", {index}")
            vm = ", v0.t" * masked
            before = "tld.g tr4, 0(a0); twait.g ld=0; addi a1, a0, 256; " \
                "vsetvli t0, zero, e8, m2, ta, ma; vle8.v v8, (a1); " \
                "addi a2, a0, 512; vsetvli t0, zero, e8, m1, ta, ma; " \
                f"vle8.v v0, (a2); li t2, {by}; li t1, {count}; " \
                f"vsetvli t0, t1, e{sew}, m1, tu, mu; "
            data = bytes(tile + vector) + mask
            yield Record(
                f"{before}tmv.t.v tr4, v8.{size}{operand}{', bc' * bc}{vm}; "
                "twait.alu; tst.g tr4, 0(a0); twait.g st=0",
                data, bytes(into + vector) + mask)
            if not bc:
                yield Record(
                    f"{before}tmv.v.t v8.{size}, tr4{operand}{vm}; "
                    "vsetvli t0, zero, e8, m2, ta, ma; vse8.v v8, (a1)",
                    data, bytes(tile + out) + mask)


def place(tile, vector, size, n, to, element):
    if size == "n":
        put_nibble(tile, int(to), vector[element])
    else:
        at = int(to) * n
        tile[at:at + n] = vector[element * n:element * n + n]


def slides(r):
    """0 vs2, 256 vd, 512 the mask: RVV 1.0, 16.3, with tu and mu."""
    for n in (1, 2, 4, 8):
        for lmul in (1, 2):
            most = VLENB * lmul // n
            for name, by in (("up", 0), ("up", 1), ("up", 3), ("up", most),
                             ("up", ALL), ("down", 0), ("down", 1),
                             ("down", 5), ("down", most - 1), ("down", most),
                             ("down", ALL), ("1up", None), ("1down", None)):
                yield slide(r, n, lmul, most, name, by)


def slide(r, n, lmul, most, name, by):
    vl = r.choice([most, most - 1, 7, 1, 0])
    source, old, mask = r.randbytes(256), r.randbytes(256), r.randbytes(128)
    masked, x = r.random() < .5, r.getrandbits(64)
    a = [source[i * n:i * n + n] for i in range(most)]
    want = bytearray(old)
    first = x.to_bytes(8, "little")[:n]
    for i in range(vl):
        if masked and not mask[i // 8] >> i % 8 & 1:
            continue
        if name == "1up":
            e = a[i - 1] if i else first
        elif name == "1down":
            e = a[i + 1] if i < vl - 1 else first
        elif name == "up":
            if i < by:
                continue
            e = a[i - by]
        else:
            e = a[i + by] if i + by < most else bytes(n)
        want[i * n:i * n + n] = e
    form, operand = ("vx", "t2") if by is None or by > 31 or r.random() < .5 \
        else ("vi", str(by))
    return Record(
        "vsetvli t0, zero, e8, m2, ta, ma; vle8.v v8, (a0); addi a1, a0, 256; "
        "vle8.v v16, (a1); addi a2, a0, 512; vsetvli t0, zero, e8, m1, ta, ma;"
        f" vle8.v v0, (a2); li t1, {vl}; li t2, {x if by is None else by}; "
        f"vsetvli t0, t1, e{8 * n}, m{lmul}, tu, mu; "
        f"vslide{name}.{form} v16, v8, {operand}{', v0.t' * masked}; "
        "vsetvli t0, zero, e8, m2, ta, ma; vse8.v v16, (a1)",
        source + old + mask, source + bytes(want) + mask)


def registers(r):
    """Old values and the last one of a register that all forms change."""
    def seen(code, values, mask=ALL):
        return Record(
            code, bytes(8 * len(values)),
            b"".join((v & mask).to_bytes(8, "little") for v in values))
    for csr, mask in (("mscratch", ALL), ("mtvec", ALL), ("fcsr", 0xff),
                      ("fflags", 31), ("frm", 7)):
        a, b, c = (r.getrandbits(64) & mask for _ in range(3))
        yield seen(
            f"csrw {csr}, zero; li t1, {a}; csrrw t0, {csr}, t1; sd t0, 0(a0);"
            f" li t1, {b}; csrrs t0, {csr}, t1; sd t0, 8(a0); li t1, {c}; "
            f"csrrc t0, {csr}, t1; sd t0, 16(a0); csrrwi t0, {csr}, 21; "
            f"sd t0, 24(a0); csrrsi t0, {csr}, 10; sd t0, 32(a0); "
            f"csrrci t0, {csr}, 3; sd t0, 40(a0); csrrs t0, {csr}, zero; "
            f"sd t0, 48(a0); csrrc zero, {csr}, zero; csrrsi zero, {csr}, 0; "
            f"csrr t0, {csr}; sd t0, 56(a0); csrw {csr}, zero",
            [0, a, a | b, (a | b) & ~c, 21, 31, 28, 28], mask)
    # fcsr is frm above fflags.
    yield seen("li t1, 5; csrw frm, t1; li t1, 9; csrw fflags, t1; "
               "csrr t0, fcsr; sd t0, 0(a0); li t1, 0x53; csrw fcsr, t1; "
               "csrr t0, frm; sd t0, 8(a0); csrr t0, fflags; sd t0, 16(a0); "
               "csrw fcsr, zero", [5 << 5 | 9, 2, 0x13])
    yield seen("li t1, 9; vsetvli t0, t1, e16, m2, ta, mu; csrr t0, vl; "
               "sd t0, 0(a0); csrr t0, vtype; sd t0, 8(a0); csrr t0, vlenb; "
               "sd t0, 16(a0); csrr t0, mhartid; sd t0, 24(a0); "
               "csrr t0, vstart; sd t0, 32(a0)",
               [9, 0b01001001, 128, 0, 0])
    # RVV 1.0, 6.2: AVL is x[rs1]; from x0 VLMAX, or vl as it is for rd = x0.
    for width, operand in ("li", "e8, m1, ta, ma"), ("l", "t2"):
        yield seen(
            "".join(f"li t1, 9; li t2, 0xc0; vsetvli t0, t1, e16, m2, ta, ma; "
                    f"li t0, 7; vsetv{width} {rd}, {rs}, {operand}; "
                    f"sd {rd}, {at}(a0); csrr t0, vl; sd t0, {at + 8}(a0); "
                    for at, rd, rs in ((0, "zero", "zero"), (16, "t0", "zero"),
                                       (32, "zero", "t1"), (48, "t0", "t1"))),
            [0, 9, 128, 128, 0, 9, 9, 9])


def tile_registers(r):
    """TCSRs: table 10 of the document, and what docs/tile.md says they are."""
    def seen(code, values):
        return Record(code, bytes(8 * len(values)), b"".join(
            v.to_bytes(8, "little") for v in values))
    for csr, mask, reset in (("tmask", ALL, ALL), ("tfcsr", 0x31f, 0),
                             ("tqcfg", 15, 0), ("tsem0", ALL, 0),
                             ("tsem31", ALL, 0)):
        a, b, c = (r.getrandbits(64) & mask for _ in range(3))
        code = f"li t1, {a}; tcsrw {csr}, t1; tcsrr t0, {csr}; sd t0, 0(a0); "
        code += f"li t1, {b}; tcsrs {csr}, t1; tcsrr t0, {csr}; "
        code += f"sd t0, 8(a0); li t1, {c}; tcsrc {csr}, t1; "
        code += f"tcsrr t0, {csr}; sd t0, 16(a0); "
        values = [a, a | b, (a | b) & ~c]
        if not csr.startswith("tsem"):
            code += f"li t1, {b}; tcsrrw t0, {csr}, t1; sd t0, 24(a0); "
            code += f"li t1, {c}; tcsrrs t0, {csr}, t1; sd t0, 32(a0); "
            code += f"tcsrrc t0, {csr}, zero; sd t0, 40(a0); "
            code += f"tcsrrc t0, {csr}, t1; sd t0, 48(a0); "
            code += f"tcsrr t0, {csr}; sd t0, 56(a0); "
            values += [values[-1], b, b | c, b | c, (b | c) & ~c]
        yield seen(f"{code}li t1, {reset}; tcsrw {csr}, t1", values)
    fixed = {"tinfo": 8 | 8 << 8 | 256 << 16 | 8 << 32 | 4 << 40, "ttid": 0,
             "tpeid": 0, "tclid": 0, "tnthr": 1, "tsmbase": 0x100000000,
             "tsmsize": 256 << 10, "tl2base": 0x180000000,
             "tl2size": 4 << 20, "tgld_cnt": 0, "tgst_cnt": 0, "tsld_cnt": 0,
             "tsst_cnt": 0, "tmapend": 0, "mmapend": 0, "alupend": 0}
    yield seen("; ".join(f"tcsrr t0, {csr}; sd t0, {8 * i}(a0)"
                         for i, csr in enumerate(fixed)),
               list(fixed.values()))


def main():
    r = random.Random(11)
    wrong = sum(check(list(group(r))) for group in (
        scalars_in, scalars_out, vectors, slides, registers, tile_registers))
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
