#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which functions are called, and what is said of them.

    called.py VENTUS CALLS.cl"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

FAULT = '''__attribute__((noinline)) void put(__global int *o, int i)
{
    if (i & 1)
        o[i] = i;
    else
        o[i * 100000] = 2;
}
__kernel void k(__global int *o)
{
    int i = get_global_id(0);
    if (i < 5)
        put(o, i);
}
'''
RECURSION = '''__attribute__((noinline)) int g(int x);
__attribute__((noinline)) int f(int x) { return x > 0 ? g(x - 1) * 2 : 1; }
__attribute__((noinline)) int g(int x) { return x > 3 ? f(x - 2) : x; }
__kernel void k(__global int *o) { o[0] = f(o[1]); }
'''
# What the back end cannot call is inlined although it asks not to be.
INLINED = '''#define N __attribute__((noinline))
N void prints(constant char *s) { printf("%s", s); }
N int above(int i) { prints("s"); return i; }
__kernel void k(__global int *o)
{
    o[0] = above(3);
}
'''
# Takes n as a scalar if all calls pass one.
UNIFORM = '''__attribute__((noinline)) int sum(__global int *a, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s = s * 3 + a[i];
    return s;
}
__kernel void k(__global int *o, __global int *a, int n)
{
    o[get_global_id(0)] = sum(a, n) + sum(a + 1, OTHER);
}
'''
# All in registers.
REGISTERS = '''__attribute__((noinline)) float8 scaled(float8 a, double b, long c)
{
    return a * (float)b + (float)c;
}
__kernel void k(__global float8 *o, double b, long c)
{
    o[get_global_id(0)] = scaled(o[get_global_id(1)], b, c);
}
'''

# Linked with OpenCL C: `ld` is in version 2 only.
ASSEMBLY = '''    .text
    .globl answer
answer:
    mv a0, x0
    mv a1, x0
    ld a0, 0(x0)
    ret
'''
EXTERNAL = '''int answer(void);
__kernel void k(__global int *o) { o[get_global_id(0)] = answer(); }
'''


def run(*command):
    return subprocess.run(list(map(str, command)), capture_output=True,
                          text=True)


def functions(done):
    return set(re.findall(r'^(\w+) .* function$', done.stderr, re.M))


def main():
    ventus, calls = sys.argv[1:]
    errors = []

    def expect(what, got, want):
        if got != want:
            errors.append(f'{what}: {got}, expected {want}')

    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for name, text in (('fault', FAULT), ('again', RECURSION),
                           ('inlined', INLINED)):
            (folder / f'{name}.cl').write_text(text)
        elf = folder / 'k.elf'
        cc = ventus, 'cc', '--stats', '-o', elf
        expect('noinline and large', functions(run(*cc, calls)),
               {'steps', 'exchange', 'make', 'turn', 'wide', 'fill', 'middle',
                'outer', 'large', 'changed', 'moved', 'stacked', 'common',
                'around', 'never', 'looked_up', 'wide_result', 'turned', 'in_thirds',
                'folded'})
        expect('-fno-call', functions(run(*cc, '-fno-call', calls)), set())
        expect('upstream', functions(run(*cc, '--profile', 'upstream',
                                         folder / 'fault.cl')), set())
        done = run(*cc, folder / 'inlined.cl')
        expect('inlined', (done.returncode, functions(done)), (0, set()))
        done = run(*cc, folder / 'again.cl')
        expect('recursion', (done.returncode, 'calls itself' in done.stderr),
               (1, True))
        (folder / 'x.cl').write_text(EXTERNAL)
        (folder / 'answer.s').write_text(ASSEMBLY)
        done = run(*cc, '-march=ventus2', folder / 'x.cl', folder / 'answer.s')
        expect('assembly for version 2', (done.returncode, done.stderr[:200]
                                          * done.returncode), (0, ''))
        done = run(*cc, folder / 'x.cl', folder / 'answer.s')
        expect('assembly for version 1', (
            done.returncode, "'ld' is only in version 2" in done.stderr),
            (1, True))
        expect('a function that faults',
               functions(run(*cc, folder / 'fault.cl')), {'put'})
        for other, parts in (('n - 1', False), ('get_local_id(0)', True)):
            (folder / 'u.cl').write_text(UNIFORM.replace('OTHER', other))
            run(*cc, folder / 'u.cl')
            text = run(ventus, 'dis', elf).stdout
            function = text[text.index('\nsum:'):text.index('\nk:')]
            expect(f'lanes part in sum with {other}', 'setrpc' in function,
                   parts)
        (folder / 'r.cl').write_text(REGISTERS)
        run(*cc, folder / 'r.cl')
        text = run(ventus, 'dis', elf).stdout
        expect('private memory at a call',
               re.findall(r'v[ls]w\.v', text), [])
        run(*cc, folder / 'fault.cl')
        (folder / 'zero').write_bytes(bytes(64))
        done = run(ventus, 'exec', elf, 'k', '--grid', '32', '--arg',
                   f'buf:{folder}/zero')
        expect('place of the fault', re.findall(
            r"kernel '(\w+)'.*; (\w+)\+\w+ \(\S+?fault.cl:(\d+)\), "
            r'work-item \((\d)', done.stderr), [('k', 'put', '6', '2')])
    print('\n'.join(errors) or 'all as expected')
    return bool(errors)


if __name__ == '__main__':
    sys.exit(main())
