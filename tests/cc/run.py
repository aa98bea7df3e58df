#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles OpenCL kernels and compares what they compute.

    run.py VENTUS FILE.cl... --compiler CC_COMPILE

A file says in comments what to launch and what to expect, as the examples in
assembly do; @kernel begins another launch:

    // @kernel saxpy
    // @grid 256 @local 64
    // @f32 alpha 2.5
    // @each a u32 4 [i * i for i in range(4)]      arguments a0, a1, a2, a3
    // @in    x f32 [float(i % 17) for i in range(256)]
    // @inout y f32 [float(i) for i in range(256)]
    // @out   z u32 16
    // @localmem scratch 256
    // @expect y = [2.5 * p + q for p, q in zip(x, y)]
    // @tolerance 1e-6
    // @def f(n): return n + 1

// @options -cl-std=CL3.0, anywhere, is for the compiler; // @skip SETTING...
leaves a launch out, or all if it stands before the first.

Arguments are in the order of the kernel's parameters.  Expressions are
Python; they know the inputs, the math module, and f32(x) and f16(x), x rounded
to float and to half.
Expected values never come from the compiler.  Every launch runs at several
widths of the machine and with several settings of the compiler.
"""
import argparse
import ctypes
import math
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

FORMATS = {'u8': 'B', 'i8': 'b', 'u16': 'H', 'i16': 'h', 'u32': 'I',
           'i32': 'i', 'f16': 'e', 'f32': 'f', 'u64': 'Q', 'i64': 'q', 'f64': 'd'}
SETTINGS = {'default': '', 'off': '--off', 'spill': '--spill',
            'upstream': '--upstream', 'o0': '-O0', 'o1': '-O1',
            'v2': '--v2', 'v2-off': '--v2 --off', 'v2-spill': '--v2 --sgprs 14 --vgprs 20',
            'v2-o0': '--v2 -O0', 'o0-g': '-O0 -g', 'v2-o0-g': '--v2 -O0 -g'}


def f32(x):
    return ctypes.c_float(x).value


def f16(x):
    try:
        return struct.unpack('<e', struct.pack('<e', x))[0]
    except OverflowError:
        return math.copysign(math.inf, x)


class Launch:
    def __init__(self, kernel):
        self.kernel = kernel
        self.grid, self.local = '1', None
        self.args, self.expect, self.names = [], [], {}
        self.tolerance, self.skip = 1e-5, set()
        self.common = {}

    def eval(self, text):
        return eval(text, {**self.common, **self.names})


def wrap(fmt, x):
    if fmt in 'efd':
        return f16(x) if fmt == 'e' else float(x)
    size = 8 * struct.calcsize('<' + fmt)
    x = int(x) & ((1 << size) - 1)
    if fmt.islower() and x >> (size - 1):
        x -= 1 << size
    return x


def parse(path):
    launches, common = [], {'math': math, 'f32': f32, 'f16': f16, 'sum_': sum,
                            'struct': struct}
    launch, everywhere = None, set()
    for line in path.read_text(encoding='utf-8').splitlines():
        match = re.match(r'//\s+@(\w+)\s*(.*)', line)
        if not match:
            continue
        word, rest = match.groups()
        if word == 'def':
            exec('def ' + rest, common)
        elif word == 'options':
            continue
        elif word == 'kernel':
            launch = Launch(rest.strip())
            launch.skip |= everywhere
            launches.append(launch)
            launch.common = common
        elif word == 'grid':
            found = re.match(r'(\S+)(?:\s+@local\s+(\S+))?', rest)
            launch.grid, launch.local = found.groups()
        elif word in ('in', 'inout'):
            name, kind, text = rest.split(None, 2)
            fmt = FORMATS[kind]
            values = [wrap(fmt, x) for x in launch.eval(text)]
            if fmt == 'f':
                values = [f32(x) for x in values]
            launch.names[name] = values
            launch.args.append((name, kind, values))
        elif word == 'out':
            name, kind, count = rest.split()
            launch.args.append((name, kind,
                                [0] * launch.eval(count)))
        elif word == 'localmem':
            name, size = rest.split()
            launch.args.append((name, 'local', size))
        elif word == 'each':
            name, kind, count, text = rest.split(None, 3)
            launch.names[name] = launch.eval(text)
            assert len(launch.names[name]) == int(count), name
            launch.args += [(f'{name}{i}', kind, x)
                            for i, x in enumerate(launch.names[name])]
        elif word in FORMATS:
            name, text = rest.split(None, 1)
            value = launch.eval(text)
            launch.names[name] = value
            launch.args.append((name, word, value))
        elif word == 'expect':
            name, text = re.match(r'(\S+)\s*=\s*(.*)', rest).groups()
            launch.expect.append((name, text))
        elif word == 'tolerance':
            launch.tolerance = float(rest)
        elif word == 'skip':
            (launch.skip if launch else everywhere).update(rest.split())
        else:
            sys.exit(f'{path}: unknown directive @{word}')
    return launches


def same(a, b, tolerance):
    if isinstance(a, float) or isinstance(b, float):
        if math.isnan(a) or math.isnan(b):
            return math.isnan(a) and math.isnan(b)
        return a == b or abs(a - b) <= tolerance * max(abs(a), abs(b))
    return a == b


def run(ventus, elf, launch, lanes, setting, folder, extra=()):
    """What is wrong, a line each; with `extra` options first what they print."""
    command = [ventus, 'exec', str(elf), launch.kernel, '--grid', launch.grid,
               '--lanes', str(lanes), '--limit', '100000000']
    if launch.local:
        command += ['--local', launch.local]
    if setting == 'upstream':
        command += ['--set', 'all_lanes=true', '--set', 'ignore_vm=true']
    outputs = {}
    for number, (name, kind, value) in enumerate(launch.args):
        if kind == 'local':
            command += ['--arg', f'local:{value}']
        elif isinstance(value, list):
            path = folder / f'{name}.bin'
            path.write_bytes(struct.pack(f'<{len(value)}{FORMATS[kind]}',
                                         *value))
            command += ['--arg', f'buf:{path}',
                        '--dump', f'{number}={folder}/{name}.out']
            outputs[name] = (kind, len(value))
        else:
            command += ['--arg', f'{kind}:{value}']
    done = subprocess.run([*command, *extra], capture_output=True, text=True)
    if done.returncode:
        return [(done.stderr or done.stdout).strip()]
    errors = [done.stdout.strip()] if extra else []
    launch.names['address_bits'] = 64 if setting.startswith('v2') else 32
    for name, text in launch.expect:
        part = re.match(r'(\w+)(\[.*\])?', name)
        kind, count = outputs[part[1]]
        data = (folder / f'{part[1]}.out').read_bytes()
        size = struct.calcsize('<' + FORMATS[kind])
        got = struct.unpack(f'<{count}{FORMATS[kind]}', data[:count * size])
        if part[2]:
            got = eval('got' + part[2])
        want = [wrap(FORMATS[kind], x) for x in launch.eval(text)]
        if len(got) != len(want):
            errors.append(f'{name}: {len(got)} values, expected {len(want)}')
        wrong = [k for k, (a, b) in enumerate(zip(got, want))
                 if not same(a, b, launch.tolerance)]
        if wrong:
            k = wrong[0]
            errors.append(f'{name}: {len(wrong)} of {len(got)} wrong, first '
                          f'[{k}]: {got[k]}, expected {want[k]}')
    return errors


def switches(setting):
    """Of the compiler; no-NAME leaves one optimisation out."""
    if setting.startswith('no-'):
        return ['--no', setting[3:]]
    return SETTINGS[setting].split()


def compile_file(options, file, setting, folder):
    """The linked program, or None and the compiler's messages."""
    code, elf = folder / 'k.o', folder / 'k.elf'
    words = switches(setting)
    for more in re.findall(r'^// @options (.*)', file.read_text(), re.M):
        words += more.split()
    for command in ([options.compiler, *words, '-o', code, file],
                    [options.ventus, 'link', '-o', elf, code]):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            return None, done.stderr
    return elf, ''


# What upstream's simulator and RTL execute differently, from the notes on
# their sources: nothing of it may be in code for both.
DIFFER = (r'regpairi?|regexti|vmerge\S*|vf?mv\.[xf]\.s|vfmv\.s\.f|vm\w+\.mm|'
          r'vmsleu?\.v[vxi]|vmsgtu?\.v[xi]|(?:amo\w+|lr|sc)\.[wd]\S*|'
          r'barriersub|v[ls][uo]xei\d+\.v|vle8\S*|vle16\S*|.*\bv0\.t')
REFUSED = 'register pairs', 'atomics are not executed'


def check_upstream(options, elf):
    text = subprocess.run([options.ventus, 'dis', elf], check=True,
                          capture_output=True, text=True).stdout
    found = re.findall(rf'\*/\s+({DIFFER})(?=\s|$)', text, re.M)
    found += [f'{op} {imm}' for op, imm in re.findall(
        r'\*/\s+(v(?:add|sub)12\.vi) .*, (-?\d+)$', text, re.M)
        if not 0 <= int(imm) < 2048]
    return [f'{word} in code for upstream' for word in sorted(set(found))]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('ventus')
    parser.add_argument('files', nargs='+')
    parser.add_argument('--compiler', required=True)
    parser.add_argument('--lanes', default='4,8,16,32')
    parser.add_argument('--settings', default='default,off,spill')
    options = parser.parse_args()
    failed = runs = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for file in map(Path, options.files):
            launches = parse(file)
            for setting in options.settings.split(','):
                elf, message = compile_file(options, file, setting, folder)
                if not elf and setting == 'upstream' and any(
                        reason in message for reason in REFUSED):
                    print(f'{file}: has no code for upstream')
                    continue
                if not elf:
                    failed += 1
                    print(f'{file} [{setting}]: does not compile\n{message}')
                    continue
                if setting == 'upstream':
                    for error in check_upstream(options, elf):
                        failed += 1
                        print(f'{file}: {error}')
                for launch in launches:
                    if setting in launch.skip:
                        continue
                    for lanes in map(int, options.lanes.split(',')):
                        runs += 1
                        errors = run(options.ventus, elf, launch, lanes,
                                     setting, folder)
                        failed += bool(errors)
                        for error in errors:
                            print(f'{file}: {launch.kernel} [{setting}, '
                                  f'{lanes} lanes]: {error}')
    print(f'{runs} launches, {failed} failed')
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
