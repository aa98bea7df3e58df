#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Instructions a warp takes for functions that saturate, average or convert.

    bench_fixed.py VENTUS [VENTUS...]

A kernel for each function and type, c[i] = f(a[i], b[i]): all that one warp
executes, addresses, loads and stores and the start code included.  Of several
builds each gets a column.
"""
import re
import subprocess
import sys
import tempfile

INTS = 'char uchar short ushort int uint'.split()
WIDTHS = ('', '4', '16')
SAT = [('int', 'char'), ('int', 'uchar'), ('int', 'short'), ('short', 'char'),
       ('float', 'char'), ('float', 'uchar')]


def cases():
    """(name, type of a and b, type of c, expression)"""
    for f in ('add_sat', 'sub_sat', 'hadd', 'rhadd'):
        for t in INTS:
            for n in WIDTHS:
                yield f'{f} {t}{n}', t + n, t + n, f'{f}(a[i], b[i])'
    for s, d in SAT:
        for n in WIDTHS:
            yield (f'convert_{d}{n}_sat({s}{n})', s + n, d + n,
                   f'convert_{d}{n}_sat(a[i])')
    for n in WIDTHS:
        yield (f'half{n} to float{n}', 'half' + n, 'float' + n,
               f'convert_float{n}(a[i])')
        yield (f'float{n} to half{n}', 'float' + n, 'half' + n,
               f'convert_half{n}(a[i])')


def instructions(ventus, folder, source):
    path = f'{folder}/k.cl'
    with open(path, 'w') as f:
        f.write('#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n' + source)
    subprocess.run([ventus, 'cc', path, '-o', f'{folder}/k.elf'], check=True)
    out = subprocess.run(
        [ventus, 'exec', f'{folder}/k.elf', 'k', '--grid', '32', '--local',
         '32', '--lanes', '32', '--stats'] + ['--arg', 'iota:512'] * 3,
        check=True, capture_output=True, text=True)
    return int(re.search(r'warp-instructions +([\d,]+)', out.stdout)[1]
               .replace(',', ''))


def kernel(s, d, body):
    return (f'kernel void k(global {s} *a, global {s} *b, global {d} *c)\n'
            f'{{ size_t i = get_global_id(0); {body} }}\n')


def main():
    total = [0] * (len(sys.argv) - 1)
    with tempfile.TemporaryDirectory() as folder:
        for name, s, d, f in cases():
            counts = [instructions(v, folder, kernel(s, d, f'c[i] = {f};'))
                      for v in sys.argv[1:]]
            total = [t + c for t, c in zip(total, counts)]
            print(f'{name:32}', *(f'{c:6}' for c in counts), flush=True)
    print(f'{"sum":32}', *(f'{c:6}' for c in total))


if __name__ == '__main__':
    main()
