#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random kernels against the host's C compiler.

    random_kernels.py VENTUS --compiler CC_COMPILE --start START.S
        [--seed N] [--count N]

Kernels are OpenCL C that is C as well: nested divergence, loops with several
exits, switch, early return, uniform values changed inside divergent code,
barriers in uniform code, local memory, all integer widths.  gcc compiles the
same text and runs every work-item; barriers switch between their contexts.
A failure leaves its file in the current folder.
"""
import argparse
import random
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

ITEMS, GROUP, OUT = 96, 48, 6
SETTINGS = ['', '', '--off', '--spill', '--upstream']

HOST = r'''
#include <stdio.h>
#include <string.h>
#include <ucontext.h>
typedef unsigned char uchar; typedef unsigned short ushort;
typedef unsigned int uint; typedef unsigned long ulong;
#define kernel
#define global
#define constant static const
#define local static
#define CLK_LOCAL_MEM_FENCE 1
enum { ITEMS = %d, GROUP = %d, OUT = %d };
static ucontext_t item[GROUP], home;
static int current, group, finished[GROUP];
#define get_global_id(d) (group * GROUP + current)
#define get_local_id(d) current
#define get_group_id(d) group
#define barrier(x) swapcontext(&item[current], &home)
static int a[64], n_arg, m_arg;
static long o[ITEMS * OUT];
%s
static void run(int which) {
    switch (which) {
%s
    }
    finished[current] = 1;
}
static char stack[GROUP][65536];
int main(void) {
    FILE *in = fopen("a.bin", "rb");
    if (fread(a, 4, 64, in) != 64) return 1;
    n_arg = a[0] & 15; m_arg = a[1];
    FILE *out = fopen("want.bin", "wb");
    for (int which = 0; which < %d; which++) {
        memset(o, 0, sizeof o);
        for (group = 0; group < ITEMS / GROUP; group++) {
            for (int k = 0; k < GROUP; k++) {
                finished[k] = 0;
                getcontext(&item[k]);
                item[k].uc_stack.ss_sp = stack[k];
                item[k].uc_stack.ss_size = sizeof stack[k];
                item[k].uc_link = &home;
                makecontext(&item[k], (void (*)(void))run, 1, which);
            }
            for (int left = 1; left;) {
                left = 0;
                for (current = 0; current < GROUP; current++)
                    if (!finished[current]) {
                        swapcontext(&home, &item[current]);
                        left |= !finished[current];
                    }
            }
        }
        fwrite(o, sizeof o, 1, out);
    }
    return fclose(out);
}
'''


class Kernel:
    """One random kernel, as text."""

    def __init__(self, rng, name):
        self.rng, self.name = rng, name
        self.lines, self.depth, self.loops = [], 1, 0
        self.counter, self.local, self.last = 0, rng.random() < .5, False
        self.array = rng.random() < .4

    def add(self, text):
        self.lines.append('    ' * self.depth + text)

    def leaf(self, kind):
        rng = self.rng
        if kind == 'long':
            return rng.choice(['w0', 'w1', '(long)v0', '((long)v1 * 1048576)',
                               f'{rng.randrange(-2**40, 2**40)}L'])
        choices = ['v0', 'v1', 'v2', 'v3', 'v0', 'v1', 'i', 'l', 'n', 'm',
                   'u0', 'u1', '(int)w0', '(int)(w1 >> 32)', '(int)c0',
                   '(int)s0', '(int)f0', str(rng.randrange(-20, 20)),
                   str(rng.randrange(-2**31, 2**31 - 1)),
                   'a[i & 63]', f'a[{rng.randrange(64)}]', 'a[u0 & 63]']
        if self.array:
            choices += ['p[v1 & 7]', f'p[{rng.randrange(8)}]']
        if self.local:
            choices += ['t[l]']
        return rng.choice(choices)

    def expr(self, kind='int', depth=3):
        rng = self.rng
        if depth == 0 or rng.random() < .2:
            return self.leaf(kind)
        x = self.expr(kind, depth - 1)
        y = self.expr(kind, depth - 1)
        bits = 63 if kind == 'long' else 31
        unsigned = 'ulong' if kind == 'long' else 'uint'
        form = rng.randrange(16)
        if form < 5:
            return f'({kind})(({unsigned}){x} {rng.choice("+-*&|^")} ' \
                   f'({unsigned}){y})'
        if form == 5:
            return f'({kind})(({unsigned}){x} << ({y} & {bits}))'
        if form == 6:
            return f'({x} >> ({y} & {bits}))'
        if form == 7:
            return f'({kind})(({unsigned}){x} >> ({y} & {bits}))'
        if form == 8:
            return f'({x} {rng.choice("/%")} (({y} & 1023) | 1))'
        if form == 9:
            return f'({kind})(({unsigned}){x} {rng.choice("/%")} ' \
                   f'(({unsigned}){y} | 1))'
        if form < 12:
            return f'({self.test(depth - 1)} ? {x} : {y})'
        if form == 12 and kind == 'int':
            return f'a[{x} & 63]'
        if form == 13 and kind == 'int':
            return f'({rng.choice(["char", "uchar", "short", "ushort"])}){x}'
        if form == 14:
            return f'({kind})(0 - ({unsigned}){x})'
        return f'({kind})(({unsigned}){x} + ({unsigned}){y})'

    def test(self, depth=2):
        rng = self.rng
        op = rng.choice(['<', '>', '<=', '>=', '==', '!='])
        kind = rng.choice(['int', 'int', 'int', 'uint', 'long', 'float'])
        if kind == 'float':
            return f'(f0 {op} (float)({self.expr("int", 1)} & 255))'
        if kind == 'long':
            return f'({self.expr("long", 1)} {op} {self.expr("long", 1)})'
        x, y = self.expr('int', depth), self.expr('int', depth)
        if kind == 'uint':
            return f'((uint){x} {op} (uint){y})'
        text = f'({x} {op} {y})'
        if rng.random() < .2:
            text = f'({text} {rng.choice(["&&", "||"])} {self.test(1)})'
        return text

    def condition(self):
        rng = self.rng
        kind = rng.random()
        if kind < .35:
            return f'(i ^ {self.leaf("int")}) & ' \
                   f'{rng.choice([1, 2, 3, 4, 6])}'
        if kind < .5:
            return f'(n ^ u0) & {rng.choice([1, 2, 3])}'
        return self.test()

    def assign(self):
        rng = self.rng
        kind = rng.random()
        if kind < .55:
            to = rng.choice(['v0', 'v1', 'v2', 'v3', 'v0', 'u0', 'u1'])
            value = self.expr()
            if to in ('u0', 'u1') and rng.random() < .6:
                value = rng.choice(['u0 ^ 1', 'n ^ u1', 'a[u0 & 63]',
                                    'm ^ u0', '(u1 & 0xffff) * 3 + n'])
            form = rng.choice(['{0} = {1};', '{0} ^= {1};',
                               '{0} = (int)((uint){0} + (uint){1});'])
            self.add(form.format(to, value))
        elif kind < .7:
            form = rng.choice(['{0} = {1};',
                               '{0} = (long)((ulong){0} + (ulong){1});'])
            self.add(form.format(rng.choice(['w0', 'w1']),
                                 self.expr('long')))
        elif kind < .8:
            to = rng.choice(['c0', 's0'])
            kind = 'char' if to == 'c0' else 'ushort'
            self.add(f'{to} = ({kind})((uint){to} + '
                     f'(uint){self.expr("int", 2)});')
        elif kind < .88:
            self.add(f'f0 = f0 * 0.5f + (float)({self.expr("int", 2)} '
                     '& 255);')
        elif self.array:
            self.add(f'p[{self.expr("int", 2)} & 7] = {self.expr()};')
        elif self.local:
            self.add(f't[l] = {self.expr()};')

    def statement(self, loop, budget):
        rng = self.rng
        kind = rng.random()
        if budget <= 0 or kind < .45:
            self.assign()
        elif kind < .68:
            self.add(f'if ({self.condition()}) {{')
            self.block(loop, budget - 1)
            if rng.random() < .5:
                self.add('} else {')
                self.block(loop, budget - 1)
            self.add('}')
        elif kind < .84 and self.loops < 2:
            self.loop(budget)
        elif kind < .9:
            self.add(f'switch ({self.expr("int", 2)} & 7) {{')
            for case in sorted(rng.sample(range(8), rng.randrange(1, 5))):
                self.add(f'case {case}:')
                self.block(loop and 'switch', budget - 2)
                if rng.random() < .7:
                    self.add('    break;')
            if rng.random() < .5:
                self.add('default:')
                self.block(loop and 'switch', budget - 2)
            self.add('    ;')
            self.add('}')
        elif loop:
            word = rng.choice(['break', 'continue'])
            if loop == 'switch':
                word = 'continue'
            self.add(f'if ({self.condition()})')
            self.add(f'    {word};')
        elif self.last and rng.random() < .5:
            self.add(f'if ({self.condition()}) {{')
            self.depth += 1
            self.finish()
            self.add('return;')
            self.depth -= 1
            self.add('}')
        else:
            self.assign()

    def loop(self, budget):
        rng = self.rng
        self.loops += 1
        k = f'k{self.counter}'
        self.counter += 1
        bound = rng.choice(['n', '(i & 7)', '(v0 & 7)', '5', '(u0 & 7)',
                            '(l & 3) + 2'])
        if rng.random() < .6:
            self.add(f'for (int {k} = 0; {k} < {bound}; {k}++) {{')
        else:
            self.add(f'for (int {k} = 0; {k} < 9; {k}++) {{')
            self.add(f'    if (!({self.condition()}))')
            self.add('        break;')
        self.add(f'    v{rng.randrange(4)} ^= {k} * 5 + 1;')
        self.block('loop', budget - 1)
        self.add('}')
        self.loops -= 1

    def block(self, loop, budget):
        self.depth += 1
        for _ in range(self.rng.randrange(1, 4)):
            self.statement(loop, budget)
        self.depth -= 1

    def finish(self):
        self.add(f'o += i * {OUT};')
        for k, v in enumerate(['v0', 'v1 ^ v2', 'v3 ^ u0 ^ u1 ^ v2', 'w0',
                               'w1 ^ c0 ^ s0', '(int)f0']):
            self.add(f'o[{k}] = {v};')

    def text(self):
        rng = self.rng
        self.add('int i = get_global_id(0), l = get_local_id(0);')
        self.add('int v0 = i * 7, v1 = a[i & 63], v2 = n - l, v3 = 1;')
        self.add('int u0 = n, u1 = m;')
        self.add('long w0 = i, w1 = (long)m * 77777;')
        self.add('char c0 = (char)i; ushort s0 = 9; float f0 = l;')
        if self.array:
            self.add('int p[8] = { 3, 1, i, 4, n, 9, l, 6 };')
        if self.local:
            self.add(f'local int t[{GROUP}];')
            self.add('t[l] = v1;')
        segments = rng.randrange(1, 4) if self.local else 1
        for k in range(segments):
            self.last = k == segments - 1
            for _ in range(rng.randrange(2, 6)):
                self.statement(None, 3)
            if not self.last:
                self.add('barrier(CLK_LOCAL_MEM_FENCE);')
                self.add(f'v{rng.randrange(4)} ^= t[(l + '
                         f'{rng.randrange(1, GROUP)}) % {GROUP}];')
                self.add('barrier(CLK_LOCAL_MEM_FENCE);')
        self.finish()
        body = '\n'.join(self.lines)
        return (f'kernel void\n{self.name}(global const int *a, int n, int m,'
                f' global long *o)\n{{\n{body}\n}}\n')


def batch(options, seed, folder, count):
    rng = random.Random(seed)
    names = [f'k{k}' for k in range(count)]
    source = '#pragma OPENCL FP_CONTRACT OFF\n' + ''.join(
        Kernel(rng, name).text() for name in names)
    (folder / 'k.cl').write_text(source)
    values = [rng.randrange(-2**31, 2**31) for _ in range(64)]
    (folder / 'a.bin').write_bytes(struct.pack('<64i', *values))
    cases = ''.join(f'    case {k}: {name}(a, n_arg, m_arg, o); break;\n'
                    for k, name in enumerate(names))
    host = HOST % (ITEMS, GROUP, OUT, source, cases, count)
    (folder / 'host.c').write_text(host)
    subprocess.run(['gcc', '-w', '-O1', '-fwrapv', '-ffp-contract=off',
                    '-fno-strict-aliasing', 'host.c', '-o', 'host'],
                   cwd=folder, check=True)
    subprocess.run(['./host'], cwd=folder, check=True, timeout=60)
    want = (folder / 'want.bin').read_bytes()
    setting = rng.choice(SETTINGS)
    if options.setting is not None:
        setting = options.setting
    start, code, elf = (folder / x for x in ('start.o', 'k.o', 'k.elf'))
    for command in ([options.ventus, 'as', '-o', start, options.start],
                    [options.compiler, *setting.split(), '-o', code,
                     folder / 'k.cl'],
                    [options.ventus, 'link', '-o', elf, start, code]):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            lines = [line for line in done.stderr.splitlines()
                     if 'error' in line]
            return [f'[{setting}] ' + '\n'.join(lines)]
    errors = []
    size = 8 * ITEMS * OUT
    for k, name in enumerate(names):
        lanes = rng.choice([2, 4, 8, 16, 32, 64])
        done = subprocess.run(
            [options.ventus, 'exec', elf, name, '--grid', str(ITEMS),
             '--local', str(GROUP), '--lanes', str(lanes),
             '--limit', '100000000', '--arg', f'buf:{folder}/a.bin',
             '--arg', f'i32:{values[0] & 15}', '--arg', f'i32:{values[1]}',
             '--arg', f'zeros:{size // 4}', '--dump', f'3={folder}/got.bin'],
            capture_output=True, text=True)
        if done.returncode:
            errors.append(f'{name} [{setting}, {lanes} lanes]: '
                          f'{done.stderr[:500]}')
            continue
        got = (folder / 'got.bin').read_bytes()[:size]
        if got != want[k * size:(k + 1) * size]:
            a = struct.unpack(f'<{ITEMS * OUT}q', got)
            b = struct.unpack(f'<{ITEMS * OUT}q',
                              want[k * size:(k + 1) * size])
            wrong = [x for x in range(len(a)) if a[x] != b[x]]
            x = wrong[0]
            errors.append(f'{name} [{setting}, {lanes} lanes]: {len(wrong)} '
                          f'wrong, first item {x // OUT} value {x % OUT}: '
                          f'{a[x]}, expected {b[x]}')
    return errors


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('ventus')
    parser.add_argument('--compiler', required=True)
    parser.add_argument('--start', required=True)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--count', type=int, default=20)
    parser.add_argument('--batch', type=int, default=20)
    parser.add_argument('--setting')
    options = parser.parse_args()
    failed = 0
    for number in range(0, options.count, options.batch):
        seed = options.seed + number // options.batch
        with tempfile.TemporaryDirectory() as folder:
            errors = batch(options, seed, Path(folder), options.batch)
            if errors:
                failed += len(errors)
                kept = f'random-{seed}.cl'
                shutil.copy(Path(folder) / 'k.cl', kept)
                print(f'seed {seed} (kept as {kept}):')
                print('\n'.join('  ' + e for e in errors), flush=True)
    print(f'{options.count} kernels, {failed} failed')
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
