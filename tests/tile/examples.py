#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The C examples of examples/tile, compiled by clang, against the host.

    examples.py VENTUS CLANG EXAMPLES INCLUDE"""
import math
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile

import arith


class Tools:
    def __init__(self, ventus, clang, examples, include, folder):
        self.ventus, self.clang, self.examples = ventus, clang, examples
        self.include, self.folder = include, folder

    def path(self, name):
        return os.path.join(self.folder, name)

    def build(self, name):
        subprocess.run(
            [self.clang, "--target=riscv64", "-march=rv64gc", "-mno-relax",
             "-O2", "-ffreestanding", "-nostdlib", "-fuse-ld=lld", "-I",
             self.include, os.path.join(self.examples, "start.S"),
             os.path.join(self.examples, name + ".c"), "-o",
             self.path(name + ".elf")], check=True)

    def run(self, name, data, size, *options):
        command = [self.ventus, "tile", "run", self.path(name + ".elf"),
                   "--check", "--dump", f"output,{size}={self.path('out')}",
                   *options]
        for symbol, contents in data.items():
            with open(self.path(symbol), "wb") as f:
                f.write(contents)
            command += ["--load", f"{symbol}={self.path(symbol)}"]
        p = subprocess.run(command, capture_output=True, text=True,
                           check=False)
        if p.returncode:
            print(f"{name} {options}: status {p.returncode}\n{p.stderr}")
            return None
        with open(self.path("out"), "rb") as f:
            return f.read()


MODES = [[], ["--mode", "deferred", "--seed", "1"],
         ["--mode", "deferred", "--seed", "2"]]


def rows_of(values, fmt, count, k, pitch):
    """Values by rows, padded with zeros to the pitch."""
    size = arith.SIZE[fmt]
    return b"".join(
        b"".join(v.to_bytes(size, "little")
                 for v in values[k * r:k * r + k]).ljust(pitch, b"\0")
        for r in range(count))


def gemm(tools, r):
    tools.build("gemm")
    wrong = 0
    for number, fmt, m, n, k in ((0, "s8", 16, 16, 64), (0, "s8", 11, 5, 77),
                                 (0, "s8", 1, 9, 31), (8, "f16", 13, 9, 40),
                                 (9, "bf16", 8, 10, 33),
                                 (12, "e4m3", 9, 9, 65),
                                 (13, "e5m2", 10, 7, 70)):
        size = arith.SIZE[fmt]
        pitch, pitch_c = (k * size + 31) // 32 * 32, (n * 4 + 31) // 32 * 32
        a = [arith.random_bits(r, fmt) for _ in range(m * k)]
        b = [arith.random_bits(r, fmt) for _ in range(n * k)]
        data = {"input": struct.pack("<4I", number, m, n, k),
                "a": rows_of(a, fmt, m, k, pitch),
                "b": rows_of(b, fmt, n, k, pitch)}
        for options in MODES:
            out = tools.run("gemm", data, pitch_c * m, *options)
            if out is None or any(
                    struct.unpack_from("<I", out, pitch_c * i + 4 * j)[0]
                    != dot(a[k * i:k * i + k], b[k * j:k * j + k], fmt)
                    for i in range(m) for j in range(n)):
                wrong += 1
                print(f"gemm {fmt} {m} x {n} x {k} {options}: wrong")
    return wrong


def dot(a, b, fmt):
    """In the order of k, bit by bit; the padding adds +0 products."""
    if fmt == "s8":
        return sum(int(arith.unpack(fmt, x) * arith.unpack(fmt, y))
                   for x, y in zip(a, b)) & 0xffffffff
    acc = 0
    for x, y in zip(a, b):
        acc = arith.fma(x, y, acc, fmt, fmt)
    return 0 if acc == 1 << 31 else acc


def close(out, want):
    got = struct.unpack(f"<{len(want)}f", out)
    return all(abs(x - y) <= 1e-5 * max(1, abs(y)) for x, y in zip(got, want))


def check(name, tools, data, want):
    tools.build(name)
    wrong = 0
    for options in MODES:
        out = tools.run(name, data, 4 * len(want), *options)
        if out is None or not close(out, want):
            wrong += 1
            print(f"{name} {options}: wrong")
    return wrong


def softmax_row(x):
    e = [math.exp(v - max(x)) for v in x]
    return [v / sum(e) for v in e]


def softmax(tools, r):
    x = [[r.gauss(0, 3) for _ in range(8)] for _ in range(24)]
    data = {"input": struct.pack("<I", 24),
            "a": struct.pack("<192f", *sum(x, []))}
    return check("softmax", tools, data, sum(map(softmax_row, x), []))


def layernorm(tools, r):
    x = [[r.gauss(1, 3) for _ in range(8)] for _ in range(16)]
    data = {"input": struct.pack("<I", 16),
            "a": struct.pack("<128f", *sum(x, []))}
    want = []
    for row in x:
        mean = sum(row) / 8
        variance = sum((v - mean) ** 2 for v in row) / 8
        want += [(v - mean) / math.sqrt(variance + 1e-5) for v in row]
    return check("layernorm", tools, data, want)


def attention(tools, r):
    q, k, v = ([[r.gauss(0, 1) for _ in range(8)] for _ in range(8)]
               for _ in range(3))
    data = {"input": struct.pack("<192f", *sum(q + k + v, []))}
    want = []
    for row in q:
        w = softmax_row([sum(x * y for x, y in zip(row, key)) / math.sqrt(8)
                         for key in k])
        want += [sum(w[i] * v[i][c] for i in range(8)) for c in range(8)]
    return check("attention", tools, data, want)


def conv(tools, r):
    width, height = 16, 5
    pixels = [r.randrange(-128, 128) for _ in range(width * height * 32)]
    weights = [r.randrange(-128, 128) for _ in range(9 * 8 * 32)]
    data = {"input": struct.pack("<2I", width, height),
            "a": struct.pack(f"<{len(pixels)}b", *pixels),
            "b": struct.pack(f"<{len(weights)}b", *weights)}
    want = []
    for y in range(height):
        for x in range(width):
            for o in range(8):
                total = 0
                for tap in range(9):
                    py, px = y + tap // 3 - 1, x + tap % 3 - 1
                    if 0 <= py < height and 0 <= px < width:
                        at, w = (py * width + px) * 32, (tap * 8 + o) * 32
                        total += sum(pixels[at + c] * weights[w + c]
                                     for c in range(32))
                want.append(total)
    tools.build("conv")
    wrong = 0
    for options in MODES:
        out = tools.run("conv", data, 4 * len(want), *options)
        if out is None or out != struct.pack(f"<{len(want)}i", *want):
            wrong += 1
            print(f"conv {options}: wrong")
    return wrong


def pipeline(tools, r):
    m, n, k = 16, 24, 96
    a = [[r.randrange(-128, 128) for _ in range(k)] for _ in range(m)]
    b = [[r.randrange(-128, 128) for _ in range(k)] for _ in range(n)]
    data = {"input": struct.pack("<3I", m, n, k),
            "a": struct.pack(f"<{m * k}b", *sum(a, [])),
            "b": struct.pack(f"<{n * k}b", *sum(b, []))}
    want = [sum(x * y for x, y in zip(row, column)) for row in a
            for column in b]
    tools.build("pipeline")
    wrong = 0
    for options in MODES:
        out = tools.run("pipeline", data, 4 * m * n, "--threads", "2",
                        *options)
        if out is None or out != struct.pack(f"<{m * n}i", *want):
            wrong += 1
            print(f"pipeline {options}: wrong")
    return wrong


def main():
    ventus, clang, examples, include = sys.argv[1:5]
    if not shutil.which(clang) or not shutil.which("ld.lld-19"):
        sys.exit(77)
    r = random.Random(9)
    with tempfile.TemporaryDirectory() as folder:
        tools = Tools(ventus, clang, examples, include, folder)
        wrong = sum(f(tools, r) for f in (gemm, softmax, layernorm, attention,
                                          conv,
                                          pipeline))
    print(f"{wrong} wrong")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
