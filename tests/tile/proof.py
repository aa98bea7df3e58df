#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The proof programs: examples/tile/*.s against what they should compute.

    proof.py VENTUS CLANG LLD EXAMPLES [SEEDS]

Each runs inorder and, with some seeds, deferred; with the checker on nothing
may be reported.  Then each wait and commit is taken out in turn: the checker
must report that, in both modes."""
import math
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile

WAIT = re.compile(r"^(\w+:)?\s*(twait|tcommit)\b")


def f32(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


class Case:
    """One program: its input, and what must be at `output`."""

    def __init__(self, name, data, size, check, threads=1, waits=True):
        self.name, self.data, self.size = name, data, size
        self.check, self.threads, self.waits = check, threads, waits


def copy(r):
    data = r.randbytes(2048)
    return Case("copy", {"input": data}, 2048, lambda o: o == data)


def strided(r):
    d = r.randbytes(2048)
    want = b"".join(bytes(32) if i == 3 else d[64 + 128 * i:96 + 128 * i]
                    for i in range(8))
    return Case("strided", {"input": d}, 256, lambda o: o == want)


def gather(r):
    d = r.randbytes(2048)
    idx, sidx = r.sample(range(64), 8), r.sample(range(64), 8)
    want = bytearray(2048)
    for i, s in zip(idx, sidx):
        want[32 * s:32 * s + 32] = d[32 * i:32 * i + 32]
    data = d + struct.pack("<8I8I", *idx, *sidx)
    return Case("gather", {"input": data}, 2048, lambda o: o == bytes(want))


def atomic(r):
    old = [r.getrandbits(32) for _ in range(64)]
    c = r.randrange(1000)
    data = struct.pack("<64I", *old) + r.randbytes(256) + struct.pack("<I", c)

    def check(out):
        return out[:256] == data[:256] and \
            struct.unpack("<2I", out[256:264]) == (c, c + 5)
    return Case("atomic", {"input": data}, 320, check)


def tensor(r, x=16, y=24):
    """`x` 60: half of the box is outside of the 64 columns."""
    def tmap(name):
        return lambda symbols: struct.pack(
            "<Q4BI4I3Q4H", symbols[name], 2, 2, 0, 0, 0, 64, 64, 1, 1, 256, 0,
            0, 8, 8, 1, 1)
    source = [r.getrandbits(32) for _ in range(4096)]
    vectors = struct.pack("<8i8i", x, y, 0, 0, 0, 0, 0, 0,
                          0, 8, 0, 0, 0, 0, 0, 0)
    want = [0] * 4096
    for i in range(8):
        for j in range(8):
            if x + j < 64:
                want[64 * (8 + i) + j] = source[64 * (y + i) + x + j]
    return Case("tensor", {
        "input": lambda s: tmap("source")(s) + tmap("output")(s) + vectors,
        "source": struct.pack("<4096I", *source)}, 16384,
        lambda o: o == struct.pack("<4096I", *want))


def gemm8(r):
    a = [[r.randrange(-128, 128) for _ in range(64)] for _ in range(8)]
    b = [[r.randrange(-128, 128) for _ in range(64)] for _ in range(8)]
    c = [r.randrange(-9999, 9999) for _ in range(64)]
    data = struct.pack("<512b512b64i4I", *sum(a, []), *sum(b, []), *c,
                       256, 32, 256, 0)
    want = [c[8 * m + n] + sum(p * q for p, q in zip(a[m], b[n]))
            for m in range(8) for n in range(8)]
    return Case("gemm8", {"input": data}, 256,
                lambda o: list(struct.unpack("<64i", o)) == want)


def quant(r):
    x = [f32(r.gauss(0, 1)) for _ in range(64)]
    s, z = 20.0, -3.0
    data = struct.pack("<64f2f", *x, s, z)

    def check(out):
        for e, v in enumerate(x):
            q = struct.unpack_from("<b", out, 32 * (e // 8) + e % 8)[0]
            exact = math.exp(v) * s + z
            want = max(-128, min(127, round(exact)))
            near_tie = abs(exact - math.floor(exact) - 0.5) < 1e-4
            if q != want and not near_tie:
                return False
        return all(out[32 * m + 8:32 * m + 32] == bytes(24)
                   for m in range(8))
    return Case("quant", {"input": data}, 256, check)


def pipe(r):
    data = [r.getrandbits(32) for _ in range(256)]
    want = struct.pack("<256I", *[2 * v & 0xffffffff for v in data])
    return Case("pipe", {"input": struct.pack("<256I", *data)}, 1024,
                lambda o: o == want, threads=2)


def masks(_):
    want = struct.pack("<10Q", 0xf0, 0xf0, 0x3c, 0xfc, 0xc0, 0xc0, 0, 0x0c, 0,
                       8 | 8 << 8 | 256 << 16 | 8 << 32 | 4 << 40)
    return Case("masks", {}, 128, lambda o: o[:80] == want, waits=False)


CASES = [copy, strided, gather, atomic, tensor,
         lambda r: tensor(r, 60), gemm8, quant, pipe, masks]


class Tools:
    def __init__(self, ventus, clang, lld, examples, folder):
        self.ventus, self.clang, self.lld = ventus, clang, lld
        self.examples, self.folder = examples, folder

    def path(self, name):
        return os.path.join(self.folder, name)

    def build(self, text, name):
        source, elf = self.path(name + ".s"), self.path(name + ".elf")
        with open(source, "w", encoding="utf-8") as f:
            f.write(text)
        subprocess.run([self.ventus, "as", "-march=rv64gcv_xtile", source,
                        "-o", self.path(name + ".o")], check=True)
        subprocess.run([self.lld, self.path(name + ".o"), "-o", elf],
                       check=True)
        out = subprocess.run(["llvm-nm-19", elf], text=True, check=True,
                             capture_output=True).stdout
        return elf, {line.split()[2]: int(line.split()[0], 16)
                     for line in out.splitlines()}

    def run(self, elf, symbols, case, *options):
        command = [self.ventus, "tile", "run", elf, "--check", "--threads",
                   str(case.threads), "--limit", "2000000", *options,
                   "--dump", f"output,{case.size}={self.path('out')}"]
        for name, data in case.data.items():
            with open(self.path(name), "wb") as f:
                f.write(data(symbols) if callable(data) else data)
            command += ["--load", f"{name}={self.path(name)}"]
        p = subprocess.run(command, capture_output=True, text=True,
                           check=False)
        with open(self.path("out"), "rb") as f:
            return p.returncode, f.read(), p.stderr


def modes(seeds):
    return [()] + [("--mode", "deferred", "--seed", str(s))
                   for s in range(seeds)]


def right(tools, make, seeds):
    """Failures of the program as it is."""
    case = make(random.Random(1))
    with open(os.path.join(tools.examples, case.name + ".s"),
              encoding="utf-8") as f:
        text = f.read()
    elf, symbols = tools.build(text, case.name)
    wrong = 0
    for options in modes(seeds):
        status, out, err = tools.run(elf, symbols, case, *options)
        if status or not case.check(out):
            wrong += 1
            print(f"{case.name} {options}: status {status}, result "
                  f"{'right' if case.check(out) else 'wrong'}\n{err}")
    return wrong, text, case


def without_waits(tools, text, case):
    """Each wait taken out: a hazard must be reported, with two pcs."""
    lines, wrong, count = text.split("\n"), 0, 0
    for i, line in enumerate(lines):
        if not WAIT.match(line) or not case.waits:
            continue
        count += 1
        less = lines[:i] + [""] + lines[i + 1:]
        elf, symbols = tools.build("\n".join(less), case.name + str(i))
        for options in modes(2):
            status, _, err = tools.run(elf, symbols, case, *options)
            if status != 3 or "hazard" not in err:
                wrong += 1
                print(f"{case.name} without `{line.strip()}` {options}: "
                      f"status {status}\n{err}")
    return wrong, count


def without_sync(tools):
    """P8 without one t_sync: a wrong result or a deadlock, some seed shows."""
    case = pipe(random.Random(1))
    with open(os.path.join(tools.examples, "pipe.s"), encoding="utf-8") as f:
        lines = f.read().split("\n")
    wrong = 0
    for i, line in enumerate(lines):
        if "tsync" not in line:
            continue
        label = line.split("tsync")[0]
        less = lines[:i] + [label if ":" in label else ""] + lines[i + 1:]
        elf, symbols = tools.build("\n".join(less), f"pipe{i}")
        found = False
        for options in modes(12):
            status, out, err = tools.run(elf, symbols, case, *options)
            found = found or status != 0 or not case.check(out)
            if status == 4 and ("waits at t_sync" not in err):
                print(f"pipe: the deadlock does not say who waits\n{err}")
                wrong += 1
        if not found:
            print(f"pipe without `{line.strip()}`: nothing noticed")
            wrong += 1
    return wrong


def main():
    ventus, clang, lld, examples = sys.argv[1:5]
    seeds = int(sys.argv[5]) if len(sys.argv) > 5 else 4
    if not all(shutil.which(t) for t in (clang, lld, "llvm-nm-19")):
        print("skipped: needs", clang, lld)
        sys.exit(77)
    wrong = waits = 0
    with tempfile.TemporaryDirectory() as folder:
        tools = Tools(ventus, clang, lld, examples, folder)
        for make in CASES:
            bad, text, case = right(tools, make, seeds)
            wrong += bad
            if make in CASES[:5] + CASES[6:]:
                bad, count = without_waits(tools, text, case)
                wrong, waits = wrong + bad, waits + count
        wrong += without_sync(tools)
    print(f"{len(CASES)} programs, {waits} waits taken out, {wrong} wrong")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
