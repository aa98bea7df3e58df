#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Machine code of the upstream compiler: same commit logs, right results.

    vectors.py VENTUS VECTORS

Each log must be equal to the stored one, byte for byte; the results are
computed here, from the buffers alone.
"""
import gzip
import math
import struct
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

GAUSSIAN = [f'Fan{k}_{i}' for i in range(4) for k in (1, 2)]


def f32(x):
    return struct.unpack('<f', struct.pack('<f', x))[0]


class Case:
    """X.metadata and X.data; the format is in src/obj/upstream.h."""

    def __init__(self, path):
        words = [int(w, 16) for w in path.read_text().split()]
        words = [lo | hi << 32 for lo, hi in zip(words[::2], words[1::2])]
        count = words[13]
        self.knl = words[7]
        bases, sizes = words[14:14 + count], words[14 + count:14 + 2 * count]
        data = [int(w, 16) for w in path.with_suffix('.data').read_text()
                .split()]
        self.memory = {}
        for base, size in zip(bases, sizes):
            n = (size + 3) // 4
            for i, word in enumerate(data[:n]):
                self.memory[base + 4 * i] = word
            del data[:n]

    def word(self, address):
        return self.memory[address]

    def floats(self, address, count):
        words = [self.memory[address + 4 * i] for i in range(count)]
        return list(struct.unpack(f'<{count}f', struct.pack(f'<{count}I',
                                                            *words)))

    def args(self):
        """The argument buffer: word 1 of the KNL metadata."""
        return self.word(self.knl + 4)

    def items(self):
        """Global size in x and y."""
        return self.word(self.knl + 12) * self.word(self.knl + 16)


def run(ventus, folder, names, dumps):
    """Runs cases with and without logs: logs, and memory {address: bytes}."""
    with tempfile.TemporaryDirectory() as out:
        def once(*options):
            command = [ventus, 'exec', *options]
            command += [str(folder / f'{name}.metadata') for name in names]
            for address, size in dumps:
                command += ['--dump-mem',
                            f'{address:#x},{size}={out}/{address:x}']
            subprocess.run(command, check=True)
            return {address: Path(out, f'{address:x}').read_bytes()
                    for address, _ in dumps}
        memory = once('--all-lanes', '--log-dir', out)
        logs = {name: Path(out, f'{name}.log').read_bytes() for name in names}
        if once('--all-lanes') != memory or once() != memory:
            sys.exit(f'{folder.name}: other results without a log')
        return logs, memory


def check_log(folder, name, log):
    wanted = gzip.decompress((folder / f'{name}.log.gz').read_bytes())
    if log == wanted:
        return []
    pairs = zip(log.splitlines() + [b''], wanted.splitlines() + [b''])
    for number, (a, b) in enumerate(pairs, 1):
        if a != b:
            return [f'{folder.name}/{name}.log:{number}: {a.decode()}\n'
                    f'    upstream: {b.decode()}']
    return [f'{folder.name}/{name}.log: another length']


def unpack(data):
    return list(struct.unpack(f'<{len(data) // 4}f', data))


def check_floats(name, found, wanted, tolerance=0.0):
    for i, (a, b) in enumerate(zip(found, wanted)):
        if not abs(a - b) <= tolerance * max(1.0, abs(b)):
            return [f'{name}: element {i} is {a!r}, expected {b!r}']
    return [] if len(found) == len(wanted) else [f'{name}: lengths differ']


def add(ventus, folder, name, logged=True):
    """c[i] = a[i] + b[i]; vecadd has one dimension, matadd two."""
    case = Case(folder / f'{name}.metadata')
    n = case.items()
    a, b, c = (case.word(case.args() + 4 * i) for i in range(3))
    logs, memory = run(ventus, folder, [name], [(c, 4 * n)])
    wanted = [f32(x + y) for x, y in zip(case.floats(a, n), case.floats(b, n))]
    errors = check_log(folder, name, logs[name]) if logged else []
    return errors + check_floats(folder.name, unpack(memory[c]), wanted)


def nearest(ventus, folder, name):
    """The distance of each (latitude, longitude) to one point."""
    case = Case(folder / f'{name}.metadata')
    at, out, n = (case.word(case.args() + 4 * i) for i in range(3))
    lat, lng = case.floats(case.args() + 12, 2)
    logs, memory = run(ventus, folder, [name], [(out, 4 * n)])
    places = case.floats(at, 2 * n)
    wanted = []
    for p, q in zip(places[::2], places[1::2]):
        x, y = Fraction(p) - Fraction(lat), Fraction(q) - Fraction(lng)
        wanted.append(math.sqrt(x * x + y * y))
    return check_log(folder, name, logs[name]) + check_floats(
        folder.name, unpack(memory[out]), wanted, 1e-6)


def gaussian(ventus, folder, _):
    """Back substitution of what is left gives x with A x = b."""
    case = Case(folder / 'Fan1_0.metadata')
    args = Case(folder / 'Fan2_0.metadata')
    a, b = (args.word(args.args() + 4 * i) for i in (1, 2))
    n = args.word(args.args() + 12)
    logs, memory = run(ventus, folder, GAUSSIAN, [(a, 4 * n * n), (b, 4 * n)])
    errors = [e for name in GAUSSIAN
              for e in check_log(folder, name, logs[name])]
    upper, right, x = unpack(memory[a]), unpack(memory[b]), [0.0] * n
    for i in reversed(range(n)):
        rest = sum(upper[i * n + k] * x[k] for k in range(i + 1, n))
        x[i] = (right[i] - rest) / upper[i * n + i]
    case.memory = {**args.memory, **case.memory}
    matrix, wanted = case.floats(a, n * n), case.floats(b, n)
    product = [sum(matrix[i * n + k] * x[k] for k in range(n))
               for i in range(n)]
    return errors + check_floats('gaussian: A x', product, wanted, 1e-4)


def main():
    ventus, vectors = sys.argv[1:]
    if not Path(vectors).is_dir():
        print(f'{vectors} is not here')
        return 77
    checks = {'gaussian_4w8t': (gaussian, ''), 'matadd_2w8t': (add, 'matadd_0'),
              'nn_4w8t': (nearest, 'NearestNeighbor_0'),
              'vecadd_32b4w8t': (add, 'vecadd_32b4w8t')}
    errors, passed = [], 0
    for folder in sorted(p for p in Path(vectors).iterdir() if p.is_dir()):
        check, name = checks.get(folder.name, (add, 'vecadd_0'))
        found = check(ventus, folder, name)
        errors += found
        passed += not found
    print('\n'.join(errors + [f'{passed} cases passed, {len(errors)} errors']))
    return errors != [] or passed == 0


if __name__ == '__main__':
    sys.exit(main())
