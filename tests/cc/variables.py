#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Variables as a debugger sees them against what the program itself prints.

    variables.py VENTUS VARIABLES_DEV FILE.cl [OPTION...]

At each PROBE of FILE.cl (variables.cl says how) the values of the named
variables by the debug information must be those that the instrumented program
stores there.  With -O0 each of them must be known."""
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

from debug_reader import Debug, State

ITEMS, GROUP, CAP = 24, 8, 4096
PRIVATE_B, LOCAL_B = 4096, 16384
RECORD = struct.Struct(f'<3I64I256I{PRIVATE_B}s{LOCAL_B}s')
STORES = re.compile(r'/\* ([0-9a-f]+) .*?\*/ +amoswap\.[wd] ')


def run(*command):
    r = subprocess.run(list(map(str, command)), capture_output=True)
    if r.returncode:
        sys.exit(f'{" ".join(map(str, command))}\n{r.stderr.decode()}')
    return r.stdout


def probes_of(text):
    """{line: (number, names)}, and the lines where each function begins."""
    out = {}
    for i, line in enumerate(text.splitlines(), 1):
        m = re.match(r' *PROBE\d\((\d+), ([^)]*)\);', line)
        if m:
            out[i] = int(m[1]), m[2].split(', ')
    return out


def traces(data):
    """By work-item, the [(number, bytes)] that it stored."""
    out = []
    for item in range(ITEMS):
        words = struct.unpack_from(f'<{CAP}I', data, 4 * CAP * item)
        assert words[0] < CAP - 8, 'the trace is full'
        at, entries = 1, []
        while at < 1 + words[0]:
            number, n = words[at:at + 2]
            size = (n + 3) // 4
            entries.append((number, struct.pack(
                f'<{size}I', *words[at + 2:at + 2 + size])[:n]))
            at += 2 + size
        out.append(entries)
    return out


class Test:
    def __init__(self, ventus, device, source, options):
        self.ventus, self.device, self.source = ventus, device, source
        self.options = options
        self.isa = 'isa=v2' if '-march=ventus2' in options else 'isa=v1'
        self.probes = probes_of(Path(source).read_text())
        self.known = self.unknown = self.wrong = 0

    def compile(self, folder, *more):
        path = Path(folder) / ('k' + str(len(more)) + '.elf')
        run(self.ventus, 'cc', '-w', *self.options, *more, self.source, '-o',
            path)
        return path

    def stops(self, elf, debug):
        """{pc: line}: the stores of probes, at -O0 their first instruction."""
        text = run(self.ventus, 'dis', elf).decode()
        stores = {int(m[1], 16) for m in STORES.finditer(text)}
        out = {}
        for low, high, line in debug.rows():
            if line not in self.probes:
                continue
            for pc in stores & set(range(low, high)):
                out[pc] = line
        return out

    def compare(self, debug, pc, line, state, expected, item):
        number, names = self.probes[line]
        visible = debug.visible(pc)
        for name in names:
            where = f'{self.source}:{line}: {name} of item {item} at 0x{pc:x}'
            if not expected or expected[0][0] != number:
                sys.exit(f'{where}: not the probe that was expected')
            _, right = expected.pop(0)
            if name not in visible:
                print(f'{where}: not in scope')
                self.wrong += 1
                continue
            fields = debug.value(visible[name], pc, state)
            if fields is None:
                self.unknown += 1
                if '-O0' in self.options:
                    print(f'{where}: optimised out')
                    self.wrong += 1
                continue
            for offset, found in fields:
                want = right[offset:offset + len(found or b'')]
                if found is None:
                    self.unknown += 1
                    if '-O0' in self.options:
                        print(f'{where}: byte {offset} optimised out')
                        self.wrong += 1
                elif found != want:
                    print(f'{where}: byte {offset}: {found.hex()}, not '
                          f'{want.hex()}')
                    self.wrong += 1
                else:
                    self.known += 1

    def kernel(self, name, folder):
        expected = traces(run(
            self.device, self.compile(folder, '-DINSTRUMENTED'), name, ITEMS,
            GROUP, 4 * CAP * ITEMS, self.isa))
        elf = self.compile(folder, '-g', '-DPLAIN')
        debug = Debug(elf)
        stops = self.stops(elf, debug)
        out = run(self.device, elf, name, ITEMS, GROUP, 4 * CAP * ITEMS,
                  self.isa, *map(hex, stops))
        for i in range((len(out) - 4 * CAP * ITEMS) // RECORD.size):
            pc, item, warps, *regs = RECORD.unpack_from(out, i * RECORD.size)
            state = State(regs[:64], regs[64:320], regs[320], regs[321], warps)
            self.compare(debug, pc, stops[pc], state, expected[item], item)
        left = sum(map(len, expected))
        if left:
            sys.exit(f'{self.source}: {name}: {left} probes were not reached')


def main():
    ventus, device, source, *options = sys.argv[1:]
    test = Test(ventus, device, source, options)
    kernels = re.findall(r'__kernel void (\w+)', Path(source).read_text())
    with tempfile.TemporaryDirectory() as folder:
        for name in kernels:
            before = test.known, test.unknown, test.wrong
            test.kernel(name, folder)
            now = test.known, test.unknown, test.wrong
            print('{:10} {} right, {} optimised out, {} wrong'.format(
                name, *(b - a for a, b in zip(before, now))))
    if test.wrong or not test.known:
        sys.exit(f'{test.wrong} wrong of {test.known + test.wrong}')


main()
