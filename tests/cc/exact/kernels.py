#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the kernels that exact.c runs: a function of the device library each.

    kernels.py OUT.cl OUT.inc

Operands and results travel as bits in 64, so that all kernels have the same
arguments.  OUT.inc has a line of the driver's table for each of them.
"""
import sys

FORMATS = {16: ('half', 'ushort'), 32: ('float', 'uint'), 64: ('double', 'ulong')}
INTEGERS = {'int': 32, 'uint': 32, 'long': 64, 'ulong': 64}
MODES = {'rte': 'FP_RNE', 'rtz': 'FP_RTZ', 'rtn': 'FP_RDN', 'rtp': 'FP_RUP'}

# name: expression of a, b, c (numbers), k (int); q is the integer result.
FUNCTIONS = {
    'add': 'a + b', 'sub': 'a - b', 'mul': 'a * b', 'div': 'a / b',
    'fma': 'fma(a, b, c)', 'sqrt': 'sqrt(a)', 'ceil': 'ceil(a)',
    'floor': 'floor(a)', 'trunc': 'trunc(a)', 'rint': 'rint(a)',
    'round': 'round(a)', 'fabs': 'fabs(a)', 'copysign': 'copysign(a, b)',
    'fmax': 'fmax(a, b)', 'fmin': 'fmin(a, b)', 'maxmag': 'maxmag(a, b)',
    'minmag': 'minmag(a, b)', 'fdim': 'fdim(a, b)',
    'fract': 'fract(a, &second)', 'fract_floor': '(fract(a, &second), second)',
    'modf': 'modf(a, &second)', 'modf_whole': '(modf(a, &second), second)',
    'frexp': 'frexp(a, &q)', 'ilogb': '(q = ilogb(a), a)',
    'ldexp': 'ldexp(a, k)', 'logb': 'logb(a)', 'nextafter': 'nextafter(a, b)',
    'fmod': 'fmod(a, b)', 'remainder': 'remainder(a, b)',
    'remquo': 'remquo(a, b, &q)',
}
HEAD = '''#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define KERNEL(name, ...) \\
kernel void run_##name(global ulong *o, global int *e, global const ulong *x, \\
                 global const ulong *y, global const ulong *z, \\
                 global const int *n, int count) \\
{ size_t i = get_global_id(0); if (i < count) { __VA_ARGS__ } }
'''


def functions():
    for bits, (t, u) in FORMATS.items():
        for name, expression in FUNCTIONS.items():
            yield (f'{name}_{bits}', f'F_{name}, {bits}, {bits}, 0, NULL',
                   f'{t} a = as_{t}(({u})x[i]), b = as_{t}(({u})y[i]), '
                   f'c = as_{t}(({u})z[i]), second = 0; int k = n[i], q = 0; '
                   f'{t} r = {expression}; o[i] = as_{u}(r); e[i] = q;')


def between_formats():
    for a, (t, u) in FORMATS.items():
        for b, (s, v) in FORMATS.items():
            for mode, rm in MODES.items():
                if a != b:
                    yield (f'{t}_{s}_{mode}',
                           f'F_row, {a}, {b}, {rm}, "vfncvt.f.f.w"',
                           f'o[i] = as_{v}(convert_{s}_{mode}(as_{t}(({u})x[i])));')
    for a in 32, 64:
        t, u = FORMATS[a]
        for mode, rm in MODES.items():
            yield (f'vstore_half_{t}_{mode}',
                   f'F_row, {a}, 16, {rm}, "vfncvt.f.f.w"',
                   f'half h[1]; vstore_half_{mode}(as_{t}(({u})x[i]), 0, h); '
                   'o[i] = as_ushort(h[0]);')
    yield ('vload_half', 'F_row, 16, 32, FP_RNE, "vfwcvt.f.f.v"',
           'half h[1]; h[0] = as_half((ushort)x[i]); '
           'o[i] = as_uint(vload_half(0, h));')


def with_integers():
    for bits, (t, u) in FORMATS.items():
        for n, width in INTEGERS.items():
            sign = '' if n in ('int', 'long') else 'u'
            for mode, rm in MODES.items():
                yield (f'{t}_{n}_{mode}',
                       f'F_integer, {bits}, {width}, {rm}, "vfcvt.x{sign}.f.v"',
                       f'o[i] = (u{n.lstrip("u")})convert_{n}_sat_{mode}'
                       f'(as_{t}(({u})x[i]));')
                yield (f'{n}_{t}_{mode}',
                       f'F_row, {width}, {bits}, {rm}, "vfcvt.f.x{sign}.v"',
                       f'o[i] = as_{u}(convert_{t}_{mode}(({n})x[i]));')


def main():
    kernels = [*functions(), *between_formats(), *with_integers()]
    with open(sys.argv[1], 'w', encoding='utf-8') as f:
        f.write(HEAD)
        f.writelines(f'KERNEL({name}, {body})\n' for name, _, body in kernels)
    with open(sys.argv[2], 'w', encoding='utf-8') as f:
        f.write('const struct kernel exact_kernels[] = {\n')
        f.writelines(f'{{ "run_{name}", {row} }},\n' for name, row, _ in kernels)
        f.write('{ NULL, F_row, 0, 0, 0, NULL },\n};\n')


if __name__ == '__main__':
    main()
