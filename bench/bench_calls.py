#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What calls cost: a kernel that calls 50 functions.

    bench_calls.py [--build DIR] [--runs N]

Makes a program of 50 functions that are not inlined, of one, four and ten
parameters, with results of one to four words, some called with the same for
all lanes, some where lanes have parted; the last one sums what the others give.
Compiles it, runs it with 64 work-items and looks whether the sums are what
Python computes.  Prints, as other benchmarks do,

    calls.static   instructions of kernel and functions
    calls.dynamic  warp-instructions of the run
    calls.compile  CPU milliseconds, the least of N compilations
"""
import argparse
import json
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
FUNCTIONS, ITEMS = 50, 64
MASK = 0xffffffff


def source():
    text, calls = '#define CALLED __attribute__((noinline))\n', ''
    for k in range(FUNCTIONS):
        a, b = 3 + 2 * k, 7 * k + 1
        if k % 5 == 4:
            more = ''.join(f', uint p{i}' for i in range(8))
            mix = ''.join(f' ^ (p{i} + {i * k}u)' for i in range(8))
            text += (f'CALLED uint f{k}(uint x, uint n{more})\n'
                     f'{{ return (x * {a}u + n){mix}; }}\n')
            args = ', '.join(f's + {i}u' for i in range(8))
            calls += f's += f{k}(s, n, {args});\n'
        elif k % 5 == 3:
            text += (f'CALLED uint4 f{k}(uint4 v, uint n)\n'
                     f'{{ return v.wzyx * {a}u + n; }}\n')
            calls += (f'{{ uint4 r = f{k}((uint4)(s, i, n, {b}u), n); '
                      's ^= r.x + r.y + r.z + r.w; }\n')
        elif k % 5 == 2:
            text += (f'CALLED uint f{k}(global const uint *t, uint n, uint x)\n'
                     f'{{ return t[n & 15] * {a}u + x; }}\n')
            calls += f's ^= f{k}(t, n + {b}u, s);\n'
        else:
            text += (f'CALLED uint f{k}(uint x, uint n)\n'
                     f'{{ return (x ^ {b}u) * {a}u + n; }}\n')
            test = f'if (i % 3 == {k % 3})\n' if k % 5 else ''
            calls += f'{test}s = f{k}(s, n + {k}u);\n'
    return (text + 'kernel void k(global uint *o, global const uint *t, '
            'uint n)\n{\nuint i = get_global_id(0), s = i;\n'
            f'for (uint r = 0; r < 4; r++) {{\n{calls}n++;\n}}\no[i] = s;\n}}\n')


def expected(i, table, n):
    s = i
    for _ in range(4):
        for k in range(FUNCTIONS):
            a, b = 3 + 2 * k, 7 * k + 1
            if k % 5 == 4:
                x = s * a + n
                for p in range(8):
                    x ^= (s + p + p * k) & MASK
                s += x
            elif k % 5 == 3:
                r = [(v * a + n) & MASK for v in (b, n, i, s)]
                s ^= sum(r) & MASK
            elif k % 5 == 2:
                s ^= table[(n + b) & 15] * a + s
            elif k % 5 == 0 or i % 3 == k % 3:
                s = (s ^ b) * a + n + k
            s &= MASK
        n += 1
    return s


def cpu_ms():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1e3 * (used.ru_utime + used.ru_stime)


def compile_program(bin_, folder):
    before = cpu_ms()
    done = subprocess.run([bin_ / 'ventus-cc', '--stats', '-o',
                           folder / 'k.elf', folder / 'k.cl'],
                          capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    lines = re.findall(r' (\d+) instructions', done.stderr)
    if len(lines) != FUNCTIONS + 1:
        sys.exit(f'{len(lines)} functions, expected {FUNCTIONS + 1}')
    return sum(map(int, lines)), cpu_ms() - before


def run(bin_, folder):
    n = 5
    done = subprocess.run([bin_ / 'ventus', 'exec', folder / 'k.elf', 'k',
                           '--grid', str(ITEMS), '--local', str(ITEMS),
                           '--arg', f'zeros:{ITEMS}', '--arg', 'iota:16',
                           '--arg', f'u32:{n}', '--dump',
                           f'0={folder}/out', '--stats', '--json'],
                          capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    out = (folder / 'out').read_bytes()
    got = [int.from_bytes(out[4 * i:4 * i + 4], 'little')
           for i in range(ITEMS)]
    want = [expected(i, range(16), n) for i in range(ITEMS)]
    if got != want:
        sys.exit(f'wrong: {got[:4]}, expected {want[:4]}')
    return json.loads(done.stdout)['stats']['warp_instructions']


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    ap.add_argument('--build', default=HERE / '../build/release')
    ap.add_argument('--runs', type=int, default=5)
    args = ap.parse_args()
    bin_ = Path(args.build).resolve() / 'bin'
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        (folder / 'k.cl').write_text(source())
        results = [compile_program(bin_, folder) for _ in range(args.runs)]
        print(f'calls.static {results[0][0]} instructions')
        print(f'calls.dynamic {run(bin_, folder)} warp-instructions')
        print(f'calls.compile {min(ms for _, ms in results):.1f} ms')


if __name__ == '__main__':
    main()
