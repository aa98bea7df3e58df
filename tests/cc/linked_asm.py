#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""OpenCL C and assembly call each other.

    linked_asm.py BIN EXAMPLE [--count N] [--seed N]

Random prototypes: a function in assembly stores what it finds in the registers
and on the stack where docs/abi.md says that arguments are (this script lays
them out by itself), and calls one in OpenCL C with the same arguments, whose
result, of a random type too, it hands on.  The callers have divided lanes or
not, memory of their own or none, and keep values across the call.  Then what
is refused, each with its message, and examples/linked."""
import argparse
import random
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

GRID, WORDS = 40, 64
# Letters of struct; size in bytes.
SCALARS = {'char': 'b', 'uchar': 'B', 'short': 'h', 'ushort': 'H', 'int': 'i',
           'uint': 'I', 'long': 'q', 'ulong': 'Q', 'float': 'f',
           'double': 'd', 'half': 'e', 'bool': '?'}
WIDTHS = [1, 1, 1, 2, 3, 4, 8, 16]
failed = []


def run(*command):
    return subprocess.run(list(map(str, command)), capture_output=True,
                          text=True)


def check(what, ok, *more):
    if not ok:
        failed.append(' '.join(map(str, (what, *more))))


def bits_of(kind, x):
    """The words of an element; bits above its size are not looked at."""
    if kind in 'bBhHiI?':
        return [int(x) & ((1 << 8 * struct.calcsize(kind)) - 1)]
    raw = struct.pack('<' + kind, x)
    return [int.from_bytes(raw[k:k + 4], 'little')
            for k in range(0, len(raw), 4)]


def lay_out(elements):
    """('v' or 's', number or offset) of each element; bytes of the stack."""
    reg, stack, places = 0, 0, []
    for kind in elements:
        n = 2 if kind in 'qQd' else 1
        at = reg + reg % 2 if n == 2 else reg
        if stack or at + n > 32:
            places.append(('s', stack))
            stack += 4 * n
        else:
            places.append(('v', at))
            reg = at + n
    return places, stack


class Prototype:
    def __init__(self, rng):
        self.rng = rng
        self.params = [self.type() for _ in range(rng.randrange(13))]
        self.result = self.type()
        self.divided = rng.random() < .6
        self.array = rng.random() < .4
        self.inside = rng.random() < .4  # called by a function of OpenCL C
        # The first is where the function stores what it finds.
        self.elements = ['I'] + [SCALARS[base] for base, width in self.params
                                 for _ in range(width)]
        self.places, self.stack = lay_out(self.elements)

    def type(self):
        base = self.rng.choice(list(SCALARS))
        return base, 1 if base == 'bool' else self.rng.choice(WIDTHS)

    def number(self, p, k, i):
        """Element k of argument p in work-item i."""
        base, _ = self.params[p]
        x = (p * 37 + k * 11 + i * (p % 3)) % 100
        return x % 2 == 1 if base == 'bool' else \
            x * 2 ** 32 + 5 if base in ('long', 'ulong') else float(x) \
            if base in ('float', 'double', 'half') else x

    def value(self, p):
        base, width = self.params[p]
        numbers = []
        for k in range(width):
            x = f'(({p * 37 + k * 11} + i * {p % 3}) % 100)'
            numbers.append(f'({x} % 2 == 1)' if base == 'bool' else
                           f'((long){x} * 0x100000000L + 5)'
                           if 'long' in base else x)
        name = base + str(width) * (width > 1)
        return f'({name})({", ".join(f"({base}){x}" for x in numbers)})'

    def names(self):
        return [base + str(width) * (width > 1) for base, width in
                self.params]

    def sum_of(self, p):
        """Of an argument, as OpenCL C."""
        base, width = self.params[p]
        return ' + '.join(
            f'(ulong)a{p}{f".s{k:x}" if width > 1 else ""}'
            for k in range(width))

    def total(self, i):
        s = 0
        for p, (_, width) in enumerate(self.params):
            s = (s * 3 + sum(int(self.number(p, k, i))
                             for k in range(width))) % 2 ** 64
        return s

    def source(self):
        base, width = self.result
        result = base + str(width) * (width > 1)
        params = ''.join(f', {t} a{p}' for p, t in enumerate(self.names()))
        sums = ''.join(f's = s * 3 + {self.sum_of(p)};\n'
                       for p in range(len(self.params)))
        values = ''.join(f', {self.value(p)}'
                         for p in range(len(self.params)))
        spoil = 'uint t[6]; for (int k = 0; k < 6; k++) t[k] = o[k] + s;\n' \
            's += t[s & 3] - t[s & 3];\n' * self.array
        last = f'.s{width - 1:x}' if width > 1 else ''
        call = f'r = found(o + i * {WORDS}{values}); e = r{last};'
        if self.inside:
            before = (f'__attribute__((noinline)) {result} inner(global uint '
                      f'*o, int i)\n{{ {result} r; {base} e = 0;\n{call}\n'
                      'return r; }\n')
            call = f'r = inner(o, i); e = r{last};'
        else:
            before = ''
        array = 'ulong q[4] = { i, i + 1, i + 2, i + 3 };\n' * self.array
        return f'''#pragma OPENCL EXTENSION cl_khr_fp16 : enable
extern {result} found(global uint *o{params});
{result} back(global uint *o{params})
{{
ulong s = 0;
{sums}{spoil}return ({result})({'s % 2 == 1' if base == 'bool' else f'({base})(s % 100)'});
}}
{before}kernel void k(global uint *o, global ulong *sums)
{{
int i = get_global_id(0);
ulong kept = i * 5;
{array}{result} r; {base} e = 0;
{'if (i % 3)' * self.divided} {{ {call} }}
sums[i] = (ulong)e + kept{' + q[i & 3] - i - (i & 3)' * self.array};
}}
'''

    def expected_sum(self, i):
        if self.divided and i % 3 == 0:
            return i * 5
        x = self.total(i)
        return (x % 2 if self.result[0] == 'bool' else x % 100) + i * 5

    def assembly(self):
        """Stores v1 to v31 and the stack at v0, calls back(...)."""
        text = f'.ventus_function found, sgpr=32, vgpr=40, calls=back, ' \
               f'private={self.stack}, stack=4\nfound:\n  sw ra, 0(sp)\n'
        text += '  vmv.v.x v32, tp\n'
        for word in range(1, 32):
            text += f'  vsw12.v v{word}, {4 * word}(v0)\n'
        for at in range(0, self.stack, 4):
            text += f'  vlw.v v33, {at}(v32)\n'
            if 32 + at // 4 < WORDS:
                text += f'  vsw12.v v33, {128 + at}(v0)\n'
            text += f'  vsw.v v33, {at + self.stack}(v32)\n'
        return text + f'''  addi sp, sp, 4
  addi tp, tp, {self.stack}
  call back
  addi tp, tp, -{self.stack}
  addi sp, sp, -4
  lw ra, 0(sp)
  ret
'''

    def check(self, out, sums, where):
        for i in range(GRID):
            want = self.expected_sum(i)
            if sums[i] != want:
                check(where, False, f'item {i}: result {sums[i]}, expected '
                      f'{want}')
                return
            if self.divided and i % 3 == 0:
                continue
            k = 0
            for p, (base, width) in enumerate(self.params):
                for w in range(width):
                    k += 1
                    self.check_element(out[i * WORDS:(i + 1) * WORDS], k,
                                       self.number(p, w, i),
                                       f'{where}: item {i}, element {w} of '
                                       f'argument {p} ({base})')

    def check_element(self, out, k, number, where):
        kind, (place, at) = self.elements[k], self.places[k]
        words = bits_of(kind, number)
        first = at if place == 'v' else 32 + at // 4
        mask = (1 << 8 * min(4, struct.calcsize(kind))) - 1
        if kind == '?':
            mask = 0xffffffff
        got = [x & mask for x in out[first:first + len(words)]]
        if first + len(words) <= WORDS:
            check(where, got == words, got, 'expected', words)


def words_of(path, kind):
    raw = path.read_bytes()
    return struct.unpack(f'<{len(raw) // struct.calcsize(kind)}{kind}', raw)


def run_prototype(bin_, folder, seed):
    p = Prototype(random.Random(seed))
    where = f'seed {seed}'
    (folder / 'a.cl').write_text(p.source())
    (folder / 'b.s').write_text(p.assembly())
    elf, ventus = folder / 'k.elf', bin_ / 'ventus'
    if seed % 3:
        done = run(bin_ / 'ventus-cc', '-w', *(['-O0'] * (seed % 5 == 0)),
                   folder / 'a.cl', folder / 'b.s', '-o', elf)
    else:
        text = p.source().replace(' back(', ' __attribute__((used)) back(')
        (folder / 'a.cl').write_text(text)
        run(bin_ / 'ventus-cc', '-w', '--emit', 'o', '-o', folder / 'a.o',
            folder / 'a.cl')
        run(ventus, 'as', '-o', folder / 'b.o', folder / 'b.s')
        done = run(ventus, 'link', '-o', elf, folder / 'a.o', folder / 'b.o')
    check(where, done.returncode == 0, done.stderr[-600:])
    if done.returncode:
        return
    done = run(ventus, 'exec', elf, 'k', '--grid', GRID, '--local', GRID // 2,
               '--lanes', [4, 8, 16, 32][seed % 4],
               '--arg', f'zeros:{GRID * WORDS}', '--arg', f'zeros:{GRID * 2}',
               '--dump', f'0={folder}/o', '--dump', f'1={folder}/s')
    check(where, done.returncode == 0, done.stderr[-600:])
    if done.returncode == 0:
        p.check(words_of(folder / 'o', 'I'), words_of(folder / 's', 'Q'),
                where)


CALLER = '''extern float far(float x);
__attribute__((used)) float near(float x) { return x + 1; }
kernel void k(global float *o) { o[0] = far(o[1]); }
'''
FAR = '.ventus_function far, {}\nfar: {}\nret\n'
# What the assembly is; words of the message.
REFUSED = [
    ('', "k.cl:3:41: error: undefined function 'far'"),
    (FAR.format('sgpr=4', '') + '.globl near\nnear: ret\n',
     "k.cl:2: error: 'near' is defined here and in '"),
    (FAR.format('calls=near', 'call nowhere\ncall near'),
     "undefined symbol 'nowhere', which is used at far+0x0"),
    (FAR.format('calls=other', 'call other') +
     '.ventus_function other, calls=far\nother: call far\n',
     "function 'far' calls itself (far calls other calls far)"),
    (FAR.format('stack=1000, calls=near', 'call near') +
     '.globl k2\nk2:', None),
    (FAR.format('stack=900, calls=o', 'call o') +
     '.ventus_function o, stack=400\no: ret',
     'need 1304 bytes of the warp\'s stack, which has 1024'),
    (FAR.format('stacks=4', ''), 'expected sgpr=, vgpr=, private=, stack= or '
                                 "calls=, found 'stacks'"),
    (FAR.format('vgpr=300', ''), 'vgpr=300 is outside 0..256'),
    (FAR.format('vgpr=3', '') + '.ventus_function far',
     "function 'far' is already described"),
]


def check_refused(bin_, folder):
    source, assembly = folder / 'k.cl', folder / 'f.s'
    source.write_text(CALLER)
    for text, words in REFUSED:
        assembly.write_text(text)
        done = run(bin_ / 'ventus-cc', source, assembly, '-o',
                   folder / 'r.elf')
        ok = done.returncode == 0 if words is None else \
            done.returncode == 1 and words in done.stderr
        check(f'expected {words}:', ok, done.stderr)
    image = FAR.format('', '').replace(', \n', '\n') + '.word near\n'
    assembly.write_text(image)
    source.write_text('__attribute__((used)) int near(read_only image2d_t i) '
                      '{ return get_image_width(i); }\n' +
                      CALLER.replace('__attribute__((used)) float near',
                                     'float nearer'))
    done = run(bin_ / 'ventus-cc', source, assembly, '-o', folder / 'r.elf')
    check('an image:', "'near' cannot be called by other objects" in
          done.stderr, done.stderr)
    run(bin_ / 'ventus', 'as', '-march=ventus2', '-o', folder / 'v2.o',
        assembly)
    done = run(bin_ / 'ventus-cc', source, folder / 'v2.o', '-o',
               folder / 'r.elf')
    check('version 2:', 'is for version 2 of the instruction set' in
          done.stderr or 'cannot be called' in done.stderr, done.stderr)


def kernel_record(bin_, elf):
    """sgprs, vgprs, private memory of the only kernel: docs/abi.md."""
    raw = elf.read_bytes()
    at = raw.index(b'VTKN') + 32
    return struct.unpack_from('<2I', raw, at + 8) + \
        struct.unpack_from('<I', raw, at + 20)


def check_records(bin_, folder):
    """The kernel's record tells what the functions need, too."""
    source, assembly, elf = folder / 'k.cl', folder / 'f.s', folder / 'r.elf'
    source.write_text(CALLER)
    found = []
    for text in (FAR.format('sgpr=33, vgpr=90, private=20, stack=0', ''),
                 FAR.format('sgpr=1, vgpr=1, private=8, stack=0, calls=o',
                            'call o') +
                 '.ventus_function o, vgpr=101, private=40, sgpr=50\no: ret',
                 '.globl far\nfar: ret'):
        assembly.write_text(text)
        done = run(bin_ / 'ventus-cc', source, assembly, '-o', elf)
        check('records', done.returncode == 0, done.stderr)
        found.append(kernel_record(bin_, elf))
    check('records', found == [(36, 92, 20), (52, 104, 48), (64, 256, 1024)],
          found)


STRUCTS = '''struct six { int a[6]; char c; };
extern int take(struct six x, int i);
extern struct six make(int i, struct six y);
int back_take(struct six x, int i)
{
    x.a[i % 6] += 5;
    return x.a[0] + x.a[i % 6] + x.c;
}
struct six back_make(int i, struct six y)
{
    y.a[i % 6] = i * 7;
    y.c++;
    return y;
}
kernel void k(global int *o)
{
    int i = get_global_id(0), r = 0;
    struct six x = { { i, 2, i * i, 4, 5, 6 }, 3 }, y = x;
    if (i & 1) {
        y = make(i, x);
        r = take(y, i);
    }
    o[i] = r + x.a[i % 6] * 1000 + y.a[i % 6] * 100000 + y.c;
}
'''
HAND_ON = '''.ventus_function {0}, private=0, stack=4, calls=back_{0}
{0}: sw ra, 0(sp)
  addi sp, sp, 4
  call back_{0}
  addi sp, sp, -4
  lw ra, 0(sp)
  ret
'''


def structs(i):
    x = [i, 2, i * i, 4, 5, 6]
    y, r, c = list(x), 0, 3
    if i & 1:
        y[i % 6] = i * 7
        r, c = 5 * (i % 6 == 0) + y[0] + y[i % 6] + 5 + 4, 4
    return r + x[i % 6] * 1000 + y[i % 6] * 100000 + c


def check_structs(bin_, folder):
    """By value and as results, through assembly that hands them on."""
    elf = folder / 's.elf'
    (folder / 's.cl').write_text(STRUCTS)
    (folder / 's.s').write_text(HAND_ON.format('take') +
                                HAND_ON.format('make'))
    done = run(bin_ / 'ventus-cc', folder / 's.cl', folder / 's.s', '-o', elf)
    check('structs', done.returncode == 0, done.stderr)
    done = run(bin_ / 'ventus', 'exec', elf, 'k', '--grid', 30, '--arg',
               'zeros:30', '--dump', f'0={folder}/o')
    check('structs', done.returncode == 0, done.stderr)
    got, want = words_of(folder / 'o', 'i'), [structs(i) for i in range(30)]
    check('structs', list(got) == want, got, want)


def check_example(bin_, folder, example):
    elf = folder / 'e.elf'
    done = run(bin_ / 'ventus-cc', example / 'image.cl',
               example / 'sharpen.s', '-o', elf)
    check('example', done.returncode == 0, done.stderr)
    pixels = [(i * 0x9e3779b1) % 2 ** 32 for i in range(60)]
    line = [float(i * i % 50) for i in range(60)]
    (folder / 'pixels').write_bytes(struct.pack('<60I', *pixels))
    (folder / 'line').write_bytes(struct.pack('<60f', *line))
    done = run(bin_ / 'ventus', 'exec', elf, 'filter', '--grid', 60,
               '--local', 60, '--arg', f'buf:{folder}/pixels', '--arg',
               f'buf:{folder}/line', '--arg', 'f32:3', '--dump',
               f'0={folder}/o', '--dump', f'1={folder}/l')
    check('example', done.returncode == 0, done.stderr)
    want = [sum(min(255, (p >> s & 255) + (0x01020304 * i >> s & 255)) << s
                for s in (0, 8, 16, 24)) for i, p in enumerate(pixels)]
    check('example, pixels', list(words_of(folder / 'o', 'I')) == want)
    want = [line[i - 1] + line[i] / 2 + line[i + 1] if i % 2 and i < 59
            else line[i] for i in range(60)]
    check('example, line', list(words_of(folder / 'l', 'f')) == want)


def check_alone(bin_, folder):
    """Assembly alone was refused: undefined symbol '_start'."""
    source, elf = folder / 'alone.s', folder / 'alone.elf'
    source.write_text('.globl k\nk: lw t0, 0(a0)\nli t1, 7\nsw t1, 0(t0)\nret\n')
    run(bin_ / 'ventus', 'as', '-o', folder / 'alone.o', source)
    for file in source, folder / 'alone.o':
        done = run(bin_ / 'ventus-cc', file, '-o', elf)
        check(f'{file.name} alone', done.returncode == 0, done.stderr)
        done = run(bin_ / 'ventus', 'exec', elf, '--grid', 1, '--arg', 'zeros:1',
                   '--show', 0)
        check(f'{file.name} runs', done.stdout.split() == ['0:', '7'],
              done.stdout + done.stderr)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('bin', type=Path)
    parser.add_argument('example', type=Path)
    parser.add_argument('--count', type=int, default=40)
    parser.add_argument('--seed', type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for seed in range(args.seed, args.seed + args.count):
            run_prototype(args.bin, folder, seed)
        check_refused(args.bin, folder)
        check_records(args.bin, folder)
        check_structs(args.bin, folder)
        check_alone(args.bin, folder)
        check_example(args.bin, folder, args.example)
    print('\n'.join(failed[:20]) or
          f'{args.count} prototypes, all as expected')
    return bool(failed)


if __name__ == '__main__':
    sys.exit(main())
