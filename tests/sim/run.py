#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs kernels in assembly that say themselves what they expect.

    run.py VENTUS [--only-lanes N] [--with "OPTIONS"] FILE.s...

OPTIONS of ventus exec are given to each.

Directives stand in comments, several in a line if they take one word:

    # @grid 96 @local 32        work-items; 2 or 3 numbers with commas
    # @lanes 8,32               only these warp sizes, else 4 8 16 32 64
    # @in NAME TYPE LIST        a buffer; @inout is also looked at
    # @out NAME TYPE COUNT      a buffer of zeros
    # @zeros NAME WORDS         a buffer that is not looked at, however large
    # @u32 NAME VALUE           a value; also i32 u64 i64 f32 f64
    # @localmem NAME BYTES      local memory
    # @private BYTES            private memory of a work-item
    # @set KEY=VALUE            a setting of the device
    # @isa 2                    version of the instruction set
    # @kernel NAME              if the file has several
    # @def F(X): return ...     a Python function for the others
    # @expect NAME[SLICE] = LIST
    # @fault WORDS              it must fail with a message that has the words

Arguments are passed in the order of their directives.  LIST and VALUE are
Python: the names of buffers are their contents before the launch, LANES is
the warp size, sum_ adds without rounding.  Types: u32 i32 f32 u64 i64 f64
u16 i16 f16 u8 i8.  Expected numbers are rounded to the type of the buffer.
"""
import concurrent.futures
import math
import os
import re
import struct
import subprocess
import sys
import tempfile

LANES = (4, 8, 16, 32, 64)
FORMATS = {'u32': 'I', 'i32': 'i', 'f32': 'f', 'u64': 'Q', 'i64': 'q',
           'f64': 'd', 'u16': 'H', 'i16': 'h', 'f16': 'e', 'u8': 'B',
           'i8': 'b'}
ONE_WORD = {'grid', 'local', 'lanes', 'private', 'set', 'isa', 'kernel'}


class Bad(Exception):
    """A directive that makes no sense."""


def sum_(values):
    values = list(values)
    floats = any(isinstance(v, float) for v in values)
    return math.fsum(values) if floats else sum(values)


def pack(kind, values):
    """Little endian bytes; integers wrap."""
    code = FORMATS[kind]
    if code in 'fde':
        return b''.join(pack_float(code, v) for v in values)
    bits = 8 * struct.calcsize('<' + code)
    return b''.join((int(v) % (1 << bits)).to_bytes(bits // 8, 'little')
                    for v in values)


def pack_float(code, value):
    try:
        return struct.pack('<' + code, value)
    except OverflowError:
        return struct.pack('<' + code, math.copysign(math.inf, value))


def same(kind, a, b):
    if a == b:
        return True
    if FORMATS[kind] not in 'fde':
        return False
    x, y = (struct.unpack('<' + FORMATS[kind], v)[0] for v in (a, b))
    return math.isnan(x) and math.isnan(y)


class Test:
    """The directives of a file, for one warp size."""

    extra = ()

    def __init__(self, path, lanes):
        self.path, self.lanes = path, lanes
        self.names = {'sum_': sum_, 'math': math, 'struct': struct,
                      'LANES': lanes}
        self.options, self.args, self.buffers = [], [], {}
        self.expects, self.faults, self.only = [], [], LANES
        self.kernel = []
        for directive, rest in self.directives():
            self.take(directive, rest)

    def directives(self):
        with open(self.path, encoding='utf-8') as f:
            comments = [m[1] for m in re.finditer(r'^#\s*(@.*)$', f.read(),
                                                  re.M)]
        # A function may be used above the line that defines it.
        comments.sort(key=lambda c: not c.startswith('@def'))
        for text in comments:
            while text:
                name, _, rest = text[1:].partition(' ')
                if name in ONE_WORD:
                    word, _, text = rest.strip().partition(' ')
                    text = text.strip()
                    yield name, word
                    if text and text[0] != '@':
                        raise Bad(f'@{name}: what is {text!r}?')
                else:
                    yield name, rest.strip()
                    break

    def value(self, text):
        return eval(text, self.names)  # pylint: disable=eval-used

    def take(self, name, rest):
        if name in ('grid', 'local'):
            self.options += ['--' + name, rest]
        elif name == 'lanes':
            self.only = tuple(int(n) for n in rest.split(','))
        elif name == 'private':
            self.options += ['--set', 'private_size=' + rest]
        elif name == 'set':
            self.options += ['--set', rest]
        elif name == 'isa':
            self.options += ['-march=ventus' + rest]
        elif name == 'kernel':
            self.kernel = [rest]
        elif name == 'def':
            exec('def ' + rest, self.names)  # pylint: disable=exec-used
        elif name == 'fault':
            self.faults.append(rest)
        elif name == 'expect':
            self.take_expect(rest)
        elif name in ('in', 'inout', 'out'):
            self.take_buffer(name, *rest.split(None, 2))
        elif name == 'zeros':
            self.args.append(f'zeros:{self.value(rest.split(None, 1)[1])}')
        elif name == 'localmem':
            self.args.append('local:' + rest.split()[1])
        elif name in FORMATS:
            self.args.append(f'{name}:{self.value(rest.split(None, 1)[1])}')
        else:
            raise Bad(f'unknown directive @{name}')

    def take_buffer(self, name, buffer, kind, text):
        values = self.value(text)
        if name == 'out':
            values = [0] * values
        self.names[buffer] = values
        self.buffers[buffer] = (len(self.args), kind, pack(kind, values))
        self.args.append(buffer)

    def take_expect(self, rest):
        m = re.match(r'(\w+)(\[[^\]]*\])?\s*=(?!=)\s*(.*)$', rest)
        if not m or m[1] not in self.buffers:
            raise Bad(f'@expect NAME = LIST, not {rest!r}')
        self.expects.append((m[1], m[2] or '[:]', m[3]))

    def command(self, ventus, folder):
        command = [ventus, 'exec', self.path, *self.kernel, '--lanes',
                   str(self.lanes), *self.options, *self.extra]
        for arg in self.args:
            if arg in self.buffers:
                path = os.path.join(folder, arg)
                with open(path, 'wb') as f:
                    f.write(self.buffers[arg][2])
                arg = 'buf:' + path
            command += ['--arg', arg]
        for name, (index, _, _) in self.buffers.items():
            command += ['--dump', f'{index}={os.path.join(folder, name)}']
        return command

    def run(self, ventus):
        """What is wrong, or None."""
        if not self.expects and not self.faults:
            raise Bad('neither @expect nor @fault')
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(self.command(ventus, folder), text=True,
                                  capture_output=True, check=False)
            if self.faults:
                return self.check_fault(done)
            if done.returncode:
                return f'exit status {done.returncode}: {done.stderr.strip()}'
            for name, part, text in self.expects:
                wrong = self.check(folder, name, part, text)
                if wrong:
                    return wrong
        return None

    def check_fault(self, done):
        if done.returncode != 1:
            return f'exit status {done.returncode}, expected a fault'
        for words in self.faults:
            if words not in done.stderr:
                return f'expected "{words}", found: {done.stderr.strip()}'
        return None

    def check(self, folder, name, part, text):
        kind = self.buffers[name][1]
        size = struct.calcsize('<' + FORMATS[kind])
        with open(os.path.join(folder, name), 'rb') as f:
            data = f.read()
        found = [data[i:i + size] for i in range(0, len(data), size)]
        where = list(range(len(found)))
        found, where = (eval('v' + part, {'v': v})  # pylint: disable=eval-used
                        for v in (found, where))
        wanted = list(self.value(text))
        if len(wanted) != len(found):
            return f'{name}{part}: {len(found)} values, {len(wanted)} expected'
        for i, a, b in zip(where, found, wanted):
            if not same(kind, a, pack(kind, [b])):
                shown = struct.unpack('<' + FORMATS[kind], a)[0]
                return f'{name}[{i}] is {shown!r}, expected {b!r}'
        return None


def run_one(job):
    ventus, path, lanes = job
    try:
        test = Test(path, lanes)
        if lanes not in test.only:
            return None
        wrong = test.run(ventus)
    except Exception as e:  # pylint: disable=broad-except
        wrong = f'{type(e).__name__}: {e}'
    return f'{path}: {lanes} lanes: {wrong}' if wrong else ''


def main():
    ventus, *files = sys.argv[1:]
    lanes = LANES
    if files and files[0] == '--only-lanes':
        lanes, files = (int(files[1]),), files[2:]
    if files and files[0] == '--with':
        Test.extra, files = files[1].split(), files[2:]
    jobs = [(ventus, f, n) for f in sorted(files) for n in lanes]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = [r for r in pool.map(run_one, jobs) if r is not None]
    failures = [r for r in results if r]
    print('\n'.join(failures + [f'{len(results) - len(failures)} passed, '
                                f'{len(failures)} failed']))
    return failures != [] or not results


if __name__ == '__main__':
    sys.exit(main())
