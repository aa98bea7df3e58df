#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Objects that declare a variable or a function with another type do not link.

    extern_types.py BIN

The message names both objects and both types, whichever object comes first.  What
C has as one type, and clang in several ways, links."""
import itertools
import subprocess
import sys
import tempfile
from pathlib import Path

# uses, definitions, what the message says of the two; None: they link
PAIRS = [
    ('extern global float x; kernel void a(global float *o) { o[0] = x; }',
     'global int x = 3;', ('global float', 'global int')),
    ('extern global short x[]; kernel void a(global int *o) { o[0] = x[1]; }',
     'global int x[4];', ('global short[]', 'global int[4]')),
    ('extern global int x[9]; kernel void a(global int *o) { o[0] = x[8]; }',
     'global int x[4];', ('global int[9]', 'global int[4]')),
    ('extern constant int x; kernel void a(global int *o) { o[0] = x; }',
     'global int x = 3;', ('constant int', 'global int')),
    ('struct s { int a; double b; }; extern global struct s x;'
     'kernel void a(global int *o) { o[0] = x.a; }',
     'struct s { int a; }; global struct s x;',
     ('global struct of 16 bytes', 'global struct of 4 bytes')),
    ('struct s { int a; }; extern global struct s x;'
     'kernel void a(global int *o) { o[0] = x.a; }',
     'global int x = 3;', ('global struct of 4 bytes', 'global int')),
    ('float f(int a, float b);'
     'kernel void a(global float *o) { o[0] = f(1, 2); }',
     'float f(float a, int b) { return a + b; }',
     ('float (int, float)', 'float (float, int)')),
    ('int f(global int *p); kernel void a(global int *o) { o[0] = f(o); }',
     'int f(local int *p) { return *p; }',
     ('int (pointer to global)', 'int (pointer to local)')),
    # one type
    ('extern global uint x; kernel void a(global uint *o) { o[0] = x; }',
     'global int x = 3;', None),
    ('extern global int x[9], y[];'
     'kernel void a(global int *o) { o[0] = x[8] + y[2]; }',
     'global int x[9] = { 1, 2 }, y[3] = { 5 };', None),
    ('struct s { char c; int i; short t; }; extern global struct s x, y[2];'
     'kernel void a(global int *o) { o[0] = x.i + y[1].t; }',
     'struct s { char c; int i; short t; };'
     'global struct s x = { 1, 2, 3 }, y[2] = { { 4, 5, 6 } };', None),
    ('union u { int i; float f; double d; }; extern global union u x;'
     'kernel void a(global float *o) { o[0] = x.f; }',
     'union u { int i; float f; double d; };'
     'global union u x = { .f = 1.5f };', None),
    ('extern global int *global x; extern constant char *constant y;'
     'kernel void a(global int *o) { o[0] = *x + *y; }',
     'global int z = 1; global int *global x = &z;'
     'constant char text[] = "t"; constant char *constant y = text;', None),
    ('struct s { int a[9]; }; int f(struct s x, float4 v, bool b, image2d_t i);'
     'kernel void a(global int *o, image2d_t i) {'
     ' struct s x = { { o[0] } }; o[0] = f(x, 1.0f, o[1], i); }',
     'struct s { int a[9]; };'
     'int f(struct s x, float4 v, bool b, image2d_t i) {'
     ' return x.a[0] + (int)v.x + b + get_image_width(i); }', None),
    ('static global int x = 1; kernel void a(global int *o) { o[0] = x++; }',
     'static global float x = 2; kernel void b(global float *o) { o[0] = x++; }',
     None),
]


def cc(bin_, *words):
    return subprocess.run([f'{bin_}/ventus-cc', *words], capture_output=True,
                          text=True, check=False)


def check(bin_, march, pair, folder):
    """What is wrong, or nothing."""
    use, definition, said = pair
    names = [str(folder / 'use'), str(folder / 'definition')]
    types = dict(zip(names, said or ('', '')))
    for name, source in zip(names, (use, definition)):
        Path(name).with_suffix('.cl').write_text(source + '\n')
        done = cc(bin_, f'-march={march}', '-cl-std=CL3.0', '--emit', 'bc',
                  '-o', f'{name}.bc', f'{name}.cl')
        if done.returncode:
            return done.stderr
    for first, second in itertools.permutations(names):
        done = cc(bin_, f'-march={march}', '-o', str(folder / 'all.elf'),
                  f'{first}.bc', f'{second}.bc')
        symbol = 'f' if ' f(' in use else 'x'
        expected = '' if said is None else (
            f"{second}.bc: error: '{symbol}' is {types[second]} here, and "
            f'{types[first]} in {first}.bc\n')
        if (done.returncode != 0) != (said is not None) or \
                done.stderr != expected:
            return f'expected {expected!r}\n   found {done.stderr!r}'
    return None


def main():
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for march, pair in itertools.product(('ventus1', 'ventus2'), PAIRS):
            wrong = check(sys.argv[1], march, pair, Path(folder))
            if wrong:
                failed = True
                print(f'{march}: {pair[0]}\n{pair[1]}\n{wrong}')
    sys.exit(failed)


if __name__ == '__main__':
    main()
